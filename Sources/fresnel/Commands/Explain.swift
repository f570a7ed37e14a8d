import ArgumentParser
import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelQuery

/// `fresnel explain`.
struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain a score, a query, or an answer.",
        discussion: """
            With --id it says how the score of that document comes about: what each part of the \
            query adds, how rare it is, where it occurs. The sum is the score that search \
            delivers, to the last bit. Without --id it says how the query is understood, how many \
            documents each of its parts matches and in which way, and what the cluster does for \
            it: the query is run for one hit. With --answer it says what an answer that was saved \
            is worth, what is missing, why, and what to do, and ends with 0 also when that answer \
            is incomplete: "complete" in --json says which. Exit code 1 when the document is not \
            among the hits.

              fresnel explain '** == "apple"cdw' --id 'Atari 400'
              fresnel explain 'title == "apple*" && rating >= 4'
              fresnel search 'rating >= 4' --json > answer.json
              fresnel explain --answer answer.json

            \(ExitStatus.table)
            """)

    @Argument(help: "The query.")
    var query: String?

    @Option(
        help: ArgumentHelp(
            "What fresnel search --json printed; - is the standard input.", valueName: "file"),
        completion: .file())
    var answer: String?

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp("The document whose score is explained.", valueName: "id"))
    var identifier: String?

    @OptionGroup var options: QueryOptions

    @OptionGroup var output: FormatOptions

    @OptionGroup var connection: ClientOptions

    func validate() throws {
        guard (query == nil) != (answer == nil) else {
            throw ValidationError("give a query, or --answer with an answer that was saved")
        }
        guard answer == nil || identifier == nil else {
            throw ValidationError("--answer and --id exclude each other")
        }
    }

    func run() async throws {
        guard let query else { return try explainAnswer() }
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

    /// What a saved answer is worth; no cluster is needed.
    private func explainAnswer() throws {
        let file = answer ?? "-"
        let completion = try AnswerFile.completion(in: file == "-" ? .standardInput : .file(file))
        let lines =
            CompletionText.verdict(completion) + ExecutionText.lines(completion, filters: nil)
        guard output.isJSON else {
            for line in lines { Streams.say(line) }
            return
        }
        let json: JSONValue = [
            "complete": .bool(completion.isComplete), "lines": .array(lines.map { .string($0) }),
        ]
        Streams.say(json)
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

        func take(_ change: SearchChange) {}

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

        func take(_ change: SearchChange) {}

        func finish(_ completion: Completion) {
            guard completion.error == nil, !completion.isComplete else { return }
            let style = Style(isColoured: false)
            for line in CompletionText.footer(completion, shown: 0, style: style) {
                Streams.complain(line)
            }
        }
    }
}
