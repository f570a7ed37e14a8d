import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel

/// `fresnel indexes remove`.
struct IndexesRemove: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove an index with all its documents, for good.",
        discussion: """
            Says what is removed, and asks. Workers that are away remove their part when they are \
            back. `fresnel snapshot create` keeps a copy.
            """)

    @Argument(help: "The name of the index.")
    var name: String

    @Flag(help: "Do not ask.")
    var yes = false

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let name = try IndexName(self.name)
        if !yes { try Question.requireTerminal(output) }
        let removal = try await connection.withClient { client in
            let seen = try await client.status()[name]
            // An alias is refused by the broker, with the name of its index.
            let index = seen?.name == name.text ? seen : nil
            if !yes {
                let what = index.map { "its " + ValueText.count($0.documents, "document") }
                try Question.confirm(
                    "Remove index \(name) with \(what ?? "all its documents"), for good?")
            }
            return try await client.removeIndex(name, seen: index)
        }
        let away = removal.away.map(\.name)
        if output.isJSON {
            let line: JSONValue = [
                "removed": .string(name.text),
                "documents": .integer(Int64(clamping: removal.documents)),
                "away": .array(away.map { .string($0) }),
            ]
            return Streams.say(line)
        }
        let count = ValueText.count(removal.documents, "document")
        Streams.say("index \(name) with \(count) is removed")
        guard !away.isEmpty else { return }
        Streams.say(
            "away: \(away.joined(separator: ", ")); what is there goes when "
                + "\(away.count == 1 ? "it is" : "they are") back")
    }
}
