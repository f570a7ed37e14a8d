import FresnelSystem

/// Time since the beginning of a run.
struct RunClock: Sendable {
    private let time: any TimeSource
    private let start: Int64
    private let processorStart: Int64

    /// - Parameter start: when the run begins, on the clock that never jumps.
    init(_ time: any TimeSource, start: Int64) {
        self.time = time
        self.start = start
        processorStart = ProcessorTime.nanoseconds
    }

    /// Nanoseconds since the beginning.
    var now: Int64 { time.monotonicNanoseconds() - start }

    /// The same of a time on the monotonic clock.
    func since(_ nanoseconds: Int64) -> Int64 { nanoseconds - start }

    /// Processor time of this process since the beginning.
    var processorNanoseconds: Int64 { ProcessorTime.nanoseconds - processorStart }

    /// Waits until `offset` nanoseconds after the beginning; returns at once when that has passed.
    ///
    /// - Returns: false if the task was cancelled meanwhile.
    func sleep(until offset: Int64) async -> Bool {
        let left = offset - now
        guard left > 0 else {
            // Requests that are late must not keep their own answers from being taken.
            if -left > Self.yieldAfter { await Task.yield() }
            return !Task.isCancelled
        }
        do {
            try await Task.sleep(for: .nanoseconds(left))
        } catch {
            return false
        }
        return true
    }

    private static let yieldAfter: Int64 = 1_000_000
}
