import FresnelClient
import FresnelModel
import FresnelQuery
import UnixSignals

/// One query from its start to its completion, printed as it arrives.
struct SearchRun {
    let client: SearchClient
    let request: SearchRequest

    /// Runs the query; the first interrupt cancels it, a second ends the process.
    func run(into output: some HitOutput) async throws -> ExitStatus {
        // Trapped before anything runs: between trapping and listening nothing is lost.
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm)
        let query = client.search(request)
        return try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
            group.addTask {
                var count = 0
                for await _ in signals {
                    count += 1
                    if count > 1 { ExitStatus.incomplete.end() }
                    query.cancel()
                }
                return nil
            }
            let status = try await show(query, into: output)
            group.cancelAll()
            return status
        }
    }

    private func show(
        _ query: SearchQuery, into output: some HitOutput
    ) async throws -> ExitStatus {
        var output = output
        var completion: Completion
        var delivered: UInt64 = 0
        do throws(SearchError) {
            if request.isStrict, let odd = RequestOddities.language(of: request) {
                throw SearchError(.invalidArgument, odd.message)
                    .hinting("leave --strict out to make it a warning")
            }
            for try await batch in query.batches {
                output.take(batch)
                delivered += UInt64(batch.count)
            }
            completion = try await query.completion()
        } catch {
            output.finish(Self.cutOff(by: error, after: delivered))
            throw QueryComplaint.about(error, in: [request.query] + request.filters)
        }
        if let odd = RequestOddities.language(of: request) { completion.warnings.append(odd) }
        for warning in CompletionText.warnings(completion) { Streams.complain(warning) }
        output.finish(completion)
        if let hint = output.hint(completion) { Streams.complain(hint) }
        if completion.isComplete, completion.found == 0 {
            Self.hint(for: [request.query] + request.filters)
        }
        if let error = completion.error {
            Streams.complain(of: QueryComplaint.about(error, in: [request.query] + request.filters))
        }
        if request.isFollowed, completion.isComplete {
            // Ends with the first interrupt, which is what people do.
            for try await change in query.changes { output.take(change) }
        }
        return ExitStatus(completion)
    }

    /// Says what to try where queries find nothing.
    static func hint(for queries: [String]) {
        if let advice = EmptyAnswer.hint(for: queries) { Streams.complain("hint: \(advice)") }
    }

    /// The completion of an answer that the broker could not finish: every answer ends with one.
    ///
    /// What was searched and what else was found is not known.
    private static func cutOff(by error: SearchError, after delivered: UInt64) -> Completion {
        var completion = Completion(status: delivered > 0 ? .incomplete : .failed, shards: [])
        completion.delivered = delivered
        completion.found = delivered
        completion.error = error
        return completion
    }
}
