import ArgumentParser
import FresnelClient
import FresnelModel

/// `fresnel search`.
struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Search the cluster.",
        discussion: """
            Hits are printed as they arrive; below them stands whether the answer is complete.
            Ctrl-C cancels the query and shows what came until then.

              fresnel search '** == "apple"cdw' --attributes title,rating --sort=-rating
              fresnel search 'keywords == "fruit"' --format ndjson
              fresnel search - < queries.txt

            Exit codes: 0 complete, 1 failed, 2 usage or invalid query, 3 incomplete answer, \
            4 unavailable or timed out.
            """)

    @Argument(help: "The query; - reads queries from the standard input, one a line.")
    var query: String?

    @OptionGroup var options: QueryOptions

    @Option(
        help: ArgumentHelp(
            "Attributes to return, with commas between them, * for all (table default: title).",
            valueName: "a,b"))
    var attributes: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Order: attributes or relevance, - before one descends.", valueName: "title,-rating"))
    var sort: String?

    @Option(
        help: ArgumentHelp(
            "The most hits to return (default: 20 for tables, no limit for ndjson).", valueName: "n"
        ))
    var limit: Int?

    @Option(help: "found: as workers find them; settled: in order, as soon as certain; final.")
    var deliver = Delivery.settled

    @Option(help: ArgumentHelp("Hits the cluster may send ahead of the output.", valueName: "n"))
    var credit: Int?

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        guard query != nil || Terminal.isInput else {
            throw CommandError.usage("a query is missing; give one, or - to read them line by line")
        }
        // Flags that are wrong are wrong without a cluster, too.
        _ = try request(query ?? "-")
        let status = try await connection.withClient { client in
            guard let query, query != "-" else { return try await runLines(client) }
            return try await run(query, client)
        }
        try CommandEnd.check(status)
    }

    private func run(_ query: String, _ client: SearchClient) async throws -> ExitStatus {
        var request = try request(query)
        let run: SearchRun
        switch output.chosen {
        case .ndjson:
            run = SearchRun(client: client, request: request)
            return try await run.run(into: LineOutput())
        case .table:
            request.limit = request.limit ?? 20
            let columns = attributeNames ?? ["title"]
            if columns != ["*"] { request.attributes = columns }
            run = SearchRun(client: client, request: request)
            return try await run.run(into: TableOutput(attributes: columns.filter { $0 != "*" }))
        }
    }

    /// One query a line, until the input ends; a query that fails does not end the others.
    private func runLines(_ client: SearchClient) async throws -> ExitStatus {
        var worst = ExitStatus.complete
        while let line = QueryPrompt.next() {
            do {
                worst = worst.worse(try await run(line, client))
            } catch {
                Streams.complain("fresnel: \(error)")
                worst = worst.worse(ExitStatus(error))
                // Without a broker no other query can do better.
                if ExitStatus(error) == .unavailable, !Terminal.isInput { break }
            }
        }
        return worst
    }

    private var attributeNames: [String]? {
        attributes.map { $0.split(separator: ",").map(String.init) }
    }

    private func request(_ query: String) throws -> SearchRequest {
        var request = try options.request(query)
        request.returnsAllAttributes = attributeNames == ["*"]
        if !request.returnsAllAttributes { request.attributes = attributeNames ?? [] }
        if let sort { request.sort = try SortKey.list(parsing: sort) }
        request.limit = limit
        request.delivery = deliver
        if let credit { request.credit = credit }
        return request
    }
}
