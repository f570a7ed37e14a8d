import ArgumentParser
import FresnelClient
import FresnelModel

/// `fresnel search`.
struct Search: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Search the cluster.",
        discussion: """
            Hits are printed as they arrive; below them stands whether the answer is complete.
            Ctrl-C cancels the query and shows what came until then. Without a query it asks for \
            them one by one; there Ctrl-C clears the line and Ctrl-D ends.

              fresnel search '** == "apple"cdw' --attributes title,rating --sort=-rating
              fresnel search 'keywords == "fruit"' --format ndjson
              fresnel search 'keywords == "fruit"' --sort title --follow
              fresnel search - < queries.txt

            \(ExitStatus.table)
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
        parsing: .unconditional,
        help: ArgumentHelp(
            "The most hits to return (default: 20 for tables, no limit for ndjson).", valueName: "n"
        ))
    var limit: Int?

    @Option(
        help: ArgumentHelp(
            """
            Go on behind this cursor, the \"next\" of a completion; the word next is that of the \
            last answer on a terminal.
            """, valueName: "cursor"))
    var after: String?

    @Option(
        help: ArgumentHelp(
            """
            Go back to the page before this cursor, the \"previous\" of a completion; the word \
            previous is that of the last answer on a terminal.
            """, valueName: "cursor"))
    var before: String?

    @Flag(
        help: """
            Stay after a complete answer and print what comes (+) and goes (-), until Ctrl-C. The \
            order is that of --sort, or hits come as they are found.
            """)
    var follow = false

    @Flag(help: "Mark in the returned attributes what matched.")
    var highlight = false

    @Option(
        help: """
            found: as workers find them, not with --sort; settled: in order, as soon as certain; \
            final (default: settled).
            """)
    var deliver: Delivery?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Hits the cluster may send ahead of the output.", valueName: "n"))
    var credit: Int?

    @Flag(
        help: """
            Say on standard error when the first hit came, the first ten, the last, and the \
            completion.
            """)
    var timing = false

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        for (flag, number, most) in [
            ("--limit", limit, Limits.hits), ("--credit", credit, Limits.creditItems),
        ] {
            guard let number, !(1...most).contains(number) else { continue }
            throw ValidationError("\(flag) must be a number from 1 to \(most), not \(number)")
        }
        guard !follow || (query != nil && query != "-") else {
            throw ValidationError("--follow follows one query; give it as an argument")
        }
        guard deliver != .found || sort == nil else {
            throw ValidationError(
                "--deliver found has no order, so --sort would do nothing; leave one of them out")
        }
        guard after == nil || before == nil else {
            throw ValidationError("--after and --before exclude each other; give one cursor")
        }
    }

    func run() async throws {
        guard query != nil || Terminal.isInput else {
            throw CommandError.usage("a query is missing; give one, or - to read them line by line")
        }
        // Flags and queries that are wrong are wrong without a cluster, too.
        let request = try request(query ?? "-")
        let status =
            switch output.chosen {
            case .ndjson: try await start(request, LineOutput())
            case .table: try await start(request, TableOutput(attributes: []))
            }
        try CommandEnd.check(status)
    }

    /// - Parameter output: hears of the failure when there is no answer.
    private func start(
        _ request: SearchRequest, _ output: some HitOutput
    ) async throws -> ExitStatus {
        let query = query == "-" ? nil : query
        if query != nil { try SearchRun.check(request, for: output) }
        return try await SearchRun.connected(connection, to: output) { client in
            guard let query else {
                return try await QueryPrompt.with { try await runLines($0, client) }
            }
            return try await run(query, client)
        }
    }

    private func run(_ query: String, _ client: SearchClient) async throws -> ExitStatus {
        var request = try request(query)
        let run: SearchRun
        switch output.chosen {
        case .ndjson:
            run = SearchRun(client: client, request: request)
            return try await start(run, LineOutput(), isJSON: true)
        case .table:
            if !follow { request.limit = request.limit ?? 20 }
            let columns = try attributeNames() ?? ["title"]
            if columns != ["*"] { request.attributes = columns }
            run = SearchRun(client: client, request: request)
            let table = TableOutput(attributes: columns.filter { $0 != "*" }, of: query)
            return try await start(run, table, isJSON: false)
        }
    }

    private func start(
        _ run: SearchRun, _ output: some HitOutput, isJSON: Bool
    ) async throws -> ExitStatus {
        guard timing else { return try await run.run(into: output) }
        return try await run.run(into: TimedOutput(output, isJSON: isJSON))
    }

    /// One query a line, until the input ends; a query that fails does not end the others.
    private func runLines(
        _ prompt: QueryPrompt, _ client: SearchClient
    ) async throws -> ExitStatus {
        var worst = ExitStatus.complete
        while let line = try prompt.next() {
            do {
                worst = worst.worse(try await run(try line.get(), client))
            } catch {
                Streams.complain(of: error)
                worst = worst.worse(ExitStatus(error))
                // Without a broker no other query can do better.
                if ExitStatus(error) == .unavailable, !Terminal.isInput { break }
            }
        }
        return worst
    }

    private func attributeNames() throws(CommandError) -> [String]? {
        guard let attributes else { return nil }
        return try AttributeNames.parse(attributes)
    }

    private func request(_ query: String) throws -> SearchRequest {
        var request = try options.request(query)
        let names = try attributeNames() ?? []
        request.returnsAllAttributes = names == ["*"]
        if !request.returnsAllAttributes { request.attributes = names }
        if let sort { request.sort = try SortKey.list(parsing: sort) }
        request.isHighlighted = highlight
        request.limit = limit
        request.isFollowed = follow
        // An order by relevance cannot be followed.
        request.delivery = deliver ?? (follow && sort == nil ? .found : .settled)
        if let after { request.after = try LastPages.cursor(after, "--after", of: query) }
        if let before { request.before = try LastPages.cursor(before, "--before", of: query) }
        if let credit { request.credit = credit }
        return request
    }
}
