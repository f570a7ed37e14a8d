import Synchronization

/// A clock that moves only when told, for tests and simulation.
package final class ManualTime: TimeSource {
    private struct Hands {
        var monotonic: Int64
        var unix: Double
    }

    private let hands: Mutex<Hands>

    /// Starts at the given times.
    package init(monotonicNanoseconds: Int64 = 0, unixSeconds: Double = 1_700_000_000) {
        hands = Mutex(Hands(monotonic: monotonicNanoseconds, unix: unixSeconds))
    }

    package func monotonicNanoseconds() -> Int64 { hands.withLock(\.monotonic) }

    package func unixSeconds() -> Double { hands.withLock(\.unix) }

    /// Lets time pass on both clocks.
    package func advance(byNanoseconds nanoseconds: Int64) {
        hands.withLock { hands in
            hands.monotonic += nanoseconds
            hands.unix += Double(nanoseconds) / 1e9
        }
    }

    /// Sets the wall clock alone, as an administrator or a time daemon does.
    package func jumpWallClock(bySeconds seconds: Double) {
        hands.withLock { $0.unix += seconds }
    }
}
