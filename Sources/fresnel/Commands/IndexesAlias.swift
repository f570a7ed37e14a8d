import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel

/// `fresnel indexes alias`.
struct IndexesAlias: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "alias",
        abstract: "Let a name lead to an index from now on, in one step, or take the name away.",
        discussion: """
            Searches, imports and deletions that name the alias go to its index. A search that \
            began before is answered from the former index; a page behind it is refused with 415.

              fresnel indexes alias shop shop-2
              fresnel indexes alias shop --remove
            """)

    @Argument(help: "The alias.")
    var name: String

    @Argument(help: "The index that it leads to.")
    var index: String?

    @Flag(help: "Take the alias away; its index stays.")
    var remove = false

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        guard (index == nil) == remove else {
            throw ValidationError("give either the index that the alias leads to, or --remove")
        }
    }

    func run() async throws {
        let alias = try IndexName(name)
        let target = try index.map { text throws(SearchError) in try IndexName(text) }
        let former = try await connection.withClient { client -> IndexName? in
            guard let target else { return try await client.removeAlias(alias) }
            return try await client.setAlias(alias, to: target)
        }
        if output.isJSON {
            let line: JSONValue = [
                "alias": .string(alias.text),
                "index": target.map { .string($0.text) } ?? .null,
                "former": former.map { .string($0.text) } ?? .null,
            ]
            return Streams.say(line)
        }
        Streams.say(Self.text(alias, target, former))
    }

    private static func text(
        _ alias: IndexName, _ target: IndexName?, _ former: IndexName?
    ) -> String {
        guard let target else {
            return "alias \(alias) of index \(former?.text ?? "") is removed"
        }
        switch former {
        case target?: return "alias \(alias) leads to index \(target) already"
        case let former?: return "alias \(alias) leads to index \(target) now, not to \(former)"
        case nil: return "alias \(alias) leads to index \(target)"
        }
    }
}
