import Glibc

/// Gives way to others every so often in a loop that takes long, step by step.
///
/// Building and merging segments and reading files compute on end; whoever answers meanwhile is not
/// to wait for the system's next tick, 4 ms away (`YieldBackoff` has why). Beside others that
/// compute on end as well it yields as long as it runs, so that it gets its half.
package struct YieldPace {
    /// The shortest time between two yields: nanoseconds.
    package static let interval: Int64 = 300_000
    /// How long after a step is due its thread still counts as computing: nanoseconds.
    ///
    /// What has no steps for longer, as reading a whole segment, counts as idle from then on.
    package static let longestStep: Int64 = 2_000_000

    private let clock: @Sendable () -> Int64
    private let yieldTurn: @Sendable () -> Void
    private let backoff: YieldBackoff
    /// When to yield next.
    private var due: Int64
    private var steps = 0

    /// - Parameters:
    ///   - clock: a time in nanoseconds that never jumps.
    ///   - yieldTurn: gives the processor away until the system gives it back.
    ///   - backoff: of those who are waited for, by the same clock.
    package init(
        clock: @escaping @Sendable () -> Int64 = { SystemTime().monotonicNanoseconds() },
        yieldTurn: @escaping @Sendable () -> Void = { sched_yield() },
        telling backoff: YieldBackoff = .shared
    ) {
        self.clock = clock
        self.yieldTurn = yieldTurn
        self.backoff = backoff
        due = clock() + Self.interval
    }

    /// A step of some microseconds was done, or a share of one.
    ///
    /// - Parameter count: how many steps make some microseconds.
    package mutating func step(every count: Int = 1) {
        steps += 1
        guard steps >= count else { return }
        steps = 0
        let now = clock()
        guard now >= due else { return }
        yieldTurn()
        let after = clock()
        due = after + max(Self.interval, after - now)
        backoff.noteComputing(until: due + Self.longestStep)
    }
}
