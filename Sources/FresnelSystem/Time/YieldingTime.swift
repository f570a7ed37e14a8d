import Glibc
import Synchronization

/// A clock that lets waiting threads have the processor now and then, as it is read.
///
/// Whether a thread that woke may run, the system often looks only at its ticks, 4 ms apart.
/// Whoever computes for longer and reads this clock in its loops keeps nobody waiting for more than
/// the interval. It costs a system call each time, a microsecond where nobody waits.
package final class YieldingTime: TimeSource {
    private let base: any TimeSource
    private let interval: Int64
    private let yieldedAt: Atomic<Int64>

    /// - Parameters:
    ///   - base: what time it is.
    ///   - interval: in nanoseconds; reads that come sooner after a pause are plain.
    package init(_ base: any TimeSource, every interval: Int64 = 1_000_000) {
        self.base = base
        self.interval = interval
        yieldedAt = Atomic(base.monotonicNanoseconds())
    }

    package func monotonicNanoseconds() -> Int64 {
        let now = base.monotonicNanoseconds()
        guard now - yieldedAt.load(ordering: .relaxed) >= interval else { return now }
        yieldedAt.store(now, ordering: .relaxed)
        // Always succeeds on Linux.
        _ = sched_yield()
        return base.monotonicNanoseconds()
    }

    package func unixSeconds() -> Double { base.unixSeconds() }
}
