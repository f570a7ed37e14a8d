import UnixSignals

/// Ends what a load has started when somebody interrupts it.
///
/// The first signal ends it orderly, with a report of what was measured until then; a second one,
/// of somebody who has seen that, at once. In both cases no process is left.
enum LoadInterrupt {
    /// Signals within so much of the first one are the same one: `timeout` and service managers
    /// signal the process, and then the group that it is in.
    private static let echo = Duration.milliseconds(500)

    /// Why a load that was interrupted ended.
    static let word = "interrupted"

    /// Runs `body`; SIGINT, SIGTERM and SIGHUP cancel it, which it answers with what it has.
    ///
    /// - Throws: what `body` throws; `CommandError` after an interrupt before it had anything.
    static func during<Answer: Sendable>(
        _ body: @escaping @Sendable () async throws -> Answer
    ) async throws -> Answer {
        let signals = await UnixSignalsSequence(trapping: .sigint, .sigterm, .sighup)
        // Cancelled alone: who waits for the second signal must not be.
        let work = Task { try await body() }
        return try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                var first: Stopwatch?
                for await _ in signals {
                    if let first {
                        // Children notice that their input is closed.
                        if first.elapsed > echo { ExitStatus.failed.end() }
                        continue
                    }
                    first = Stopwatch()
                    work.cancel()
                    Streams.complain("interrupted; ending in order, again to end at once")
                }
            }
            let end = await work.result
            group.cancelAll()
            guard case .failure(let error) = end, work.isCancelled else { return try end.get() }
            let why = error is CancellationError ? "" : " (\(error))"
            throw CommandError.failed(
                "\(word) before anything was measured, so there is no report; what the load had "
                    + "started is ended\(why)")
        }
    }
}
