import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel

/// `fresnel delete`.
struct Delete: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Delete documents for good.",
        discussion: """
            Returns when the deletion is durable and no search finds the documents any more.

              fresnel delete 'Atari 400'
              fresnel delete --domain store.produce
              fresnel delete --query 'rating < 2'
            """)

    @Argument(help: ArgumentHelp("Identifiers; unknown ones are no error.", valueName: "id"))
    var identifiers: [String] = []

    @Option(
        name: .customLong("domain"),
        help: ArgumentHelp(
            "Delete a domain and all below it; may be given several times.", valueName: "domain"))
    var domains: [String] = []

    @Option(help: ArgumentHelp("Delete what matches a query.", valueName: "query"))
    var query: String?

    @Flag(help: "Empty the index.")
    var all = false

    @Flag(help: "Do not ask before --all.")
    var yes = false

    @Option(help: ArgumentHelp("The index.", valueName: "name"))
    var index = IndexName.standard.text

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        let ways = [!identifiers.isEmpty, !domains.isEmpty, query != nil, all].count { $0 }
        guard ways == 1 else {
            throw ValidationError("give either identifiers, --domain, --query or --all")
        }
    }

    func run() async throws {
        let name = try IndexName(index)
        if all, !yes, Terminal.isInput { try confirm(name) }
        let report: WriteReport
        do {
            report = try await connection.withClient { try await delete(from: $0.index(name)) }
        } catch let error as SearchError {
            throw QueryComplaint.about(error, in: [query].compactMap(\.self))
        }
        for refusal in report.refusals { Streams.complain("fresnel: \(refusal)") }
        if output.isJSON {
            let line: JSONValue = [
                "deleted": .integer(Int64(report.deleted)),
                "refused": .integer(Int64(report.refusals.count)),
            ]
            Streams.say(line.serialized())
        } else {
            Streams.say("\(ValueText.count(report.deleted, "document")) deleted")
        }
        try CommandEnd.check(report.refusals.isEmpty ? .complete : .failed)
    }

    private func delete(from index: SearchableIndex) async throws -> WriteReport {
        if all { return try await index.deleteAll() }
        if let query { return try await index.delete(matching: query) }
        if !domains.isEmpty { return try await index.delete(domains: domains) }
        return try await index.delete(identifiers: identifiers)
    }

    private func confirm(_ name: IndexName) throws {
        Streams.writeError("Delete every document of the index \(name)? Type yes: ")
        guard readLine() == "yes" else { throw CommandError.failed("nothing was deleted") }
    }
}
