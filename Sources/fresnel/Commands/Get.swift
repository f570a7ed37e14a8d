import ArgumentParser
import FresnelClient
import FresnelModel

/// `fresnel get`.
struct Get: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show documents by their identifiers.",
        discussion: """
            Exit code 1 when one of them is not there, 3 when a shard was missing and 4 when all \
            were: what was found is printed, the shards are named on the standard error.

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
        let (documents, completions) = try await connection.withClient { client in
            try await client.fetch(identifiers, indexes: names)
        }
        show(documents)
        let status = completions.reduce(ExitStatus.complete) { $0.worse(ExitStatus($1)) }
        for completion in completions where !completion.isComplete { complain(of: completion) }
        // Identifiers are bytes: `String` would take two spellings for one.
        let found = Set(documents.map { Array($0.document.uniqueIdentifier.utf8) })
        let missing = identifiers.filter { !found.contains(Array($0.utf8)) }
        for identifier in missing {
            Streams.complain(
                status == .complete
                    ? "fresnel: there is no document \"\(identifier)\""
                    : "fresnel: \"\(identifier)\" is in no shard that was searched")
        }
        try CommandEnd.check(status == .complete && !missing.isEmpty ? .failed : status)
    }

    private func show(_ documents: [StoredDocument]) {
        for (position, document) in documents.enumerated() {
            switch output.chosen {
            case .ndjson: Streams.sayJSON(document.jsonText)
            case .table:
                if position > 0 { Streams.say("") }
                for line in DocumentText.lines(document) { Streams.say(line) }
            }
        }
    }

    private func complain(of completion: Completion) {
        if let error = completion.error { Streams.complain(of: error) }
        for line in CompletionText.missing(in: completion) { Streams.complain(line) }
    }
}
