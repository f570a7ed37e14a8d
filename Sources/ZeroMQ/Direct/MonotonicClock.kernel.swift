import Glibc

/// The clock of heartbeats and reconnections, as libzmq has one of its own; nothing that is
/// simulated reads it.
enum MonotonicClock {
    /// Nanoseconds of a clock that never jumps.
    static func nanoseconds() -> Int64 {
        var now = timespec()
        // Fails only for an unknown clock or a bad address; neither can happen here.
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }
}
