import FresnelClient
import FresnelModel
import UnixSignals

/// One query from its start to its completion, printed as it arrives.
struct SearchRun {
    let client: SearchClient
    let request: SearchRequest

    /// Runs the query; the first interrupt cancels it, a second ends the process.
    func run(into output: some HitOutput) async throws -> ExitStatus {
        let query = client.search(request)
        return try await withThrowingTaskGroup(of: ExitStatus?.self) { group in
            group.addTask {
                var count = 0
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
                    count += 1
                    if count > 1 { ExitStatus.incomplete.end() }
                    query.cancel()
                }
                return nil
            }
            let status = try await print(query, into: output)
            group.cancelAll()
            return status
        }
    }

    private func print(
        _ query: SearchQuery, into output: some HitOutput
    ) async throws -> ExitStatus {
        var output = output
        var completion: Completion
        do throws(SearchError) {
            if request.isStrict, let odd = RequestOddities.language(of: request) {
                throw SearchError(.invalidArgument, odd.message)
                    .hinting("leave --strict out to make it a warning")
            }
            for try await batch in query.batches { output.take(batch) }
            completion = try await query.completion()
        } catch {
            // Every answer ends with its completion, also one that the broker could not finish.
            var failed = Completion(status: .failed, shards: [])
            failed.error = error
            output.finish(failed)
            throw QueryComplaint.about(error, in: [request.query] + request.filters)
        }
        if let odd = RequestOddities.language(of: request) { completion.warnings.append(odd) }
        for warning in CompletionText.warnings(completion) { Streams.complain(warning) }
        output.finish(completion)
        if let hint = output.hint(completion) { Streams.complain(hint) }
        if let error = completion.error {
            Streams.complain(
                "fresnel: \(QueryComplaint.about(error, in: [request.query] + request.filters))")
        }
        if request.isFollowed, completion.isComplete {
            // Ends with the first interrupt, which is what people do.
            for try await change in query.changes { output.take(change) }
        }
        return ExitStatus(completion)
    }
}
