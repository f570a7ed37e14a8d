import FresnelModel
import FresnelSystem

/// Measures from its making.
struct Stopwatch: Sendable {
    private let start = Self.now

    /// The time since then.
    var elapsed: Duration { Self.now - start }

    private static var now: Instant {
        Instant(nanoseconds: SystemTime().monotonicNanoseconds())
    }
}
