import FresnelSystem
import Synchronization

/// A clock that lets waiting threads have the processor now and then, as it is read.
///
/// Whoever computes for longer and reads this clock in its loops keeps nobody waiting for more than
/// the interval (`YieldBackoff`). It costs a system call each time, a microsecond where nobody
/// waits.
final class YieldingTime: TimeSource {
    private let base: any TimeSource
    private let backoff: YieldBackoff
    private let interval: Int64
    private let yieldedAt: Atomic<Int64>

    /// - Parameters:
    ///   - base: what time it is.
    ///   - backoff: how to yield, by the same clock.
    ///   - interval: in nanoseconds; reads that come sooner after a pause are plain.
    init(
        _ base: any TimeSource, _ backoff: YieldBackoff = .shared, every interval: Int64 = 1_000_000
    ) {
        self.base = base
        self.backoff = backoff
        self.interval = interval
        yieldedAt = Atomic(base.monotonicNanoseconds())
    }

    func monotonicNanoseconds() -> Int64 {
        let now = base.monotonicNanoseconds()
        guard now - yieldedAt.load(ordering: .relaxed) >= interval else { return now }
        yieldedAt.store(now, ordering: .relaxed)
        return backoff.yield(at: now) ?? now
    }

    func unixSeconds() -> Double { base.unixSeconds() }
}
