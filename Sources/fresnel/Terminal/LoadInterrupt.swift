import FresnelLoad
import FresnelModel
import UnixSignals

/// Ends what a load has started when somebody interrupts it.
///
/// The first signal ends it orderly, the second at once; in both cases no process is left.
enum LoadInterrupt {
    private enum Event<Answer: Sendable>: Sendable {
        case answer(Answer)
        case signal
    }

    /// Runs `body`; SIGINT and SIGTERM cancel it.
    ///
    /// - Parameter writes: Whether `body` writes into a cluster that lives on; if it cannot remove
    ///   that again, the error says how.
    /// - Throws: what `body` throws, and `CommandError` after an interrupt.
    static func during<Answer: Sendable>(
        writes: Bool = false, _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        try await withThrowingTaskGroup(of: Event<Answer>.self) { group in
            group.addTask { .answer(try await body()) }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) { break }
                return .signal
            }
            guard let first = try await group.next() else { preconditionFailure("no task") }
            group.cancelAll()
            if case .answer(let answer) = first { return answer }
            group.addTask {
                for await _ in await UnixSignalsSequence(trapping: .sigint, .sigterm) {
                    // Children notice that their input is closed.
                    ExitStatus.failed.end()
                }
                return .signal
            }
            // However the body ends now, it was interrupted.
            let end = await group.nextResult()
            group.cancelAll()
            if writes, case .failure(let error as SearchError) = end {
                throw CommandError.failed(
                    "interrupted; what the load wrote is perhaps not removed (\(error)): "
                        + "fresnel delete --domain \(LoadWriter.domain)")
            }
            throw CommandError.failed("interrupted; what the load had started is ended")
        }
    }
}
