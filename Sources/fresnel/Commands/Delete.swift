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

    @Option(
        help: ArgumentHelp(
            "Delete what matches a query. One with a warning deletes nothing without --force.",
            valueName: "query"))
    var query: String?

    @Flag(help: "Empty the index.")
    var all = false

    @Flag(help: "Do not ask before --query and --all; where nobody can be asked, --all needs it.")
    var yes = false

    @Flag(help: "Delete what matches --query although the query has warnings.")
    var force = false

    @Flag(help: "Treat unknown attributes in --query as errors.")
    var strict = false

    @Option(help: ArgumentHelp("The index.", valueName: "name"))
    var index = IndexName.standard.text

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        let ways = [!identifiers.isEmpty, !domains.isEmpty, query != nil, all].count { $0 }
        guard ways == 1 else {
            throw ValidationError("give either identifiers, --domain, --query or --all")
        }
        guard query != nil || !force && !strict else {
            throw ValidationError("--force and --strict belong to --query")
        }
        guard !force || !strict else {
            throw ValidationError("--force and --strict exclude each other")
        }
    }

    func run() async throws {
        let name = try IndexName(index)
        if all, !yes {
            try Question.requireTerminal(output)
            try Question.confirm("Delete every document of the index \(name)?")
        }
        let report: WriteReport
        do {
            report = try await connection.withClient { client in
                if let query { try await look(at: query, in: name, client) }
                return try await delete(from: client.index(name))
            }
        } catch let error as SearchError {
            throw QueryComplaint.about(error, in: [query].compactMap(\.self))
        }
        for refusal in report.refusals { Streams.complain("fresnel: \(refusal)") }
        if let query, report.deleted == 0, report.refusals.isEmpty { SearchRun.hint(for: [query]) }
        if output.isJSON {
            let line: JSONValue = [
                "deleted": .integer(Int64(report.deleted)),
                "refused": .integer(Int64(report.refusals.count)),
            ]
            Streams.say(line)
        } else {
            Streams.say("\(ValueText.count(report.deleted, "document")) deleted")
        }
        try CommandEnd.check(report.refusals.isEmpty ? .complete : .failed)
    }

    private func delete(from index: SearchableIndex) async throws -> WriteReport {
        if all { return try await index.deleteAll() }
        if let query { return try await index.delete(matching: query, acceptsWarnings: force) }
        if !domains.isEmpty { return try await index.delete(domains: domains) }
        return try await index.delete(identifiers: identifiers)
    }

    /// Counts what would go, as `count` does: with its warnings, and in the same words.
    private func look(
        at query: String, in name: IndexName, _ client: SearchClient
    ) async throws {
        var request = SearchRequest(query)
        request.indexes = [name]
        request.isStrict = strict
        request.isCountOnly = true
        request.delivery = .found
        let completion = try await client.search(request).completion()
        for warning in CompletionText.warnings(completion) { Streams.complain(warning) }
        // What was counted without a warning may still be waited for by the deletion.
        if let error = completion.error { throw error }
        let documents = ValueText.count(completion.searched, "document")
        guard completion.warnings.isEmpty || force else {
            throw CommandError.usage(
                "nothing was deleted: what a query deletes cannot be had back, and this one has "
                    + "\(ValueText.count(completion.warnings.count, "warning")) and matches "
                    + "\(completion.found) of \(documents); correct it, or say --force")
        }
        guard !yes, Question.canAsk(output) else { return }
        let least = completion.isComplete ? "" : "at least "
        try Question.confirm(
            "Delete \(least)\(completion.found) of \(documents) of the index \(name)?")
    }
}
