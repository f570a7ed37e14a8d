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
    /// - Throws: what `body` throws, and `CommandError` after an interrupt.
    static func during<Answer: Sendable>(
        _ body: @escaping @Sendable () async throws -> Answer
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
            _ = await group.nextResult()
            group.cancelAll()
            throw CommandError.failed("interrupted; what the load had started is ended")
        }
    }
}
