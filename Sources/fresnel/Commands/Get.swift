import ArgumentParser
import FresnelClient
import FresnelModel

/// `fresnel get`.
struct Get: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show documents by their identifiers.",
        discussion: """
            Exit code 1 when one of them is not there.

              fresnel get 'Atari 400' --format ndjson
            """)

    @Argument(help: ArgumentHelp("Identifiers.", valueName: "id"))
    var identifiers: [String]

    @Option(
        name: .customLong("index"),
        help: ArgumentHelp(
            "Look into this index only; may be given several times.", valueName: "name"))
    var indexes: [String] = []

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let names = try indexes.map { name throws(SearchError) in try IndexName(name) }
        let documents = try await connection.withClient { client in
            try await client.get(identifiers, indexes: names)
        }
        for (position, document) in documents.enumerated() {
            switch output.chosen {
            case .ndjson: Streams.say(document.jsonText)
            case .table:
                if position > 0 { Streams.say("") }
                for line in DocumentText.lines(document) { Streams.say(line) }
            }
        }
        let found = Set(documents.map(\.uniqueIdentifier))
        let missing = identifiers.filter { !found.contains($0) }
        for identifier in missing {
            Streams.complain("fresnel: there is no document \"\(identifier)\"")
        }
        try CommandEnd.check(missing.isEmpty ? .complete : .failed)
    }
}
