import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelQuery

/// `fresnel explain`.
struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain a score, or what a query looks for.",
        discussion: """
            With --id it says how the score of that document comes about: what each part of the \
            query adds, how rare it is, where it occurs. The sum is the score that search \
            delivers, to the last bit. Without --id it says how the query is understood and how \
            many documents each of its parts matches. Exit code 1 when the document is not among \
            the hits.

              fresnel explain '** == "apple"cdw' --id 'Atari 400'
              fresnel explain 'title == "apple*" && rating >= 4'

            \(ExitStatus.table)
            """)

    @Argument(help: "The query.")
    var query: String

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp("The document whose score is explained.", valueName: "id"))
    var identifier: String?

    @OptionGroup var options: QueryOptions

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func run() async throws {
        let request = try options.request(query)
        let status = try await connection.withClient { client in
            guard let identifier else {
                return try await PlanExplanation(
                    client: client, request: request, isJSON: output.isJSON
                ).run()
            }
            return try await explain(identifier, request, client)
        }
        try CommandEnd.check(status)
    }

    private func explain(
        _ identifier: String, _ request: SearchRequest, _ client: SearchClient
    ) async throws -> ExitStatus {
        var request = request
        // A filter narrows the hits and leaves their scores as they are.
        request.filters.append("uniqueIdentifier == \(QueryText.quoted(identifier))")
        request.explainsScores = true
        let run = SearchRun(client: client, request: request)
        let shown = Shown()
        let status =
            output.isJSON
            ? try await run.run(into: Lines(shown: shown))
            : try await run.run(into: Words(shown: shown))
        guard status == .complete, !shown.isAny else { return status }
        Streams.complain("fresnel: \"\(identifier)\" is not among the documents that match")
        return .failed
    }

    /// Whether a hit was printed.
    private final class Shown {
        var isAny = false
    }

    /// One JSON object a line, the completion last.
    private struct Lines: HitOutput {
        let shown: Shown

        func take(_ batch: [Hit]) {
            shown.isAny = shown.isAny || !batch.isEmpty
            LineOutput().take(batch)
        }

        func finish(_ completion: Completion) { LineOutput().finish(completion) }
    }

    /// Plain words.
    private struct Words: HitOutput {
        let shown: Shown

        func take(_ batch: [Hit]) {
            for hit in batch {
                shown.isAny = true
                guard let explanation = hit.explanation else {
                    Streams.say("\(hit.uniqueIdentifier): nothing in this query scores")
                    continue
                }
                for line in ExplanationText.lines(hit, explanation, style: .standard) {
                    Streams.say(line)
                }
            }
        }

        func finish(_ completion: Completion) {
            guard completion.error == nil, !completion.isComplete else { return }
            let style = Style(isColoured: false)
            for line in CompletionText.footer(completion, shown: 0, style: style) {
                Streams.complain(line)
            }
        }
    }
}
