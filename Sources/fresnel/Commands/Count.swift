import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel

/// `fresnel count`.
struct Count: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Count the documents that match a query.",
        discussion: """
            The number is exact, or the exit code is 3 and the standard error says what is missing.

              fresnel count 'rating >= 4 && keywords == "fruit"'
            """)

    @Argument(help: "The query.")
    var query: String

    @OptionGroup var options: QueryOptions

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        var request = try options.request(query)
        request.isCountOnly = true
        let status = try await connection.withClient { client in
            let run = SearchRun(client: client, request: request)
            return output.isJSON
                ? try await run.run(into: LineOutput()) : try await run.run(into: Total())
        }
        try CommandEnd.check(status)
    }

    /// The number alone; what is wrong with it goes to the standard error.
    private struct Total: HitOutput {
        func take(_ batch: [Hit]) {}

        func finish(_ completion: Completion) {
            guard completion.error == nil else { return }
            Streams.say(String(completion.found))
            guard !completion.isComplete else { return }
            let style = Style(isColoured: false)
            for line in CompletionText.footer(completion, shown: 0, style: style).dropFirst() {
                Streams.complain(line)
            }
        }
    }
}
