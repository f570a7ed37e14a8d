import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel

/// `fresnel count`.
struct Count: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count the documents that match a query.",
        discussion: """
            The number is exact, or the exit code is not 0 and the standard error says what is \
            missing.

              fresnel count 'rating >= 4 && keywords == "fruit"'

            \(ExitStatus.table)
            """)

    @Argument(help: "The query.")
    var query: String

    @OptionGroup var options: QueryOptions

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        var request = try options.request(query)
        request.isCountOnly = true
        // What is counted has no order, and so no digest of one.
        request.delivery = .found
        let status =
            output.isJSON
            ? try await count(request, LineOutput()) : try await count(request, Total())
        try CommandEnd.check(status)
    }

    private func count(
        _ request: SearchRequest, _ output: some HitOutput
    ) async throws -> ExitStatus {
        try SearchRun.check(request, for: output)
        return try await SearchRun.connected(connection, to: output) { client in
            try await SearchRun(client: client, request: request).run(into: output)
        }
    }

    /// The number alone; what is wrong with it goes to the standard error.
    private struct Total: HitOutput {
        func take(_ batch: [Hit]) {}
        func take(_ change: SearchChange) {}

        func finish(_ completion: Completion) {
            guard completion.error == nil else { return }
            Streams.say(String(completion.found))
            for line in FacetText.lines(completion) { Streams.say(line) }
            guard !completion.isComplete else { return }
            for line in CompletionText.missing(in: completion) { Streams.complain(line) }
        }
    }
}
