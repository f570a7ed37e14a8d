import Glibc

/// The clocks of this machine.
package struct SystemTime: TimeSource {
    /// Makes a source; it has no state.
    package init() {}

    /// `CLOCK_MONOTONIC`: stands still while the machine sleeps.
    package func monotonicNanoseconds() -> Int64 {
        let now = read(CLOCK_MONOTONIC)
        return Int64(now.tv_sec) * 1_000_000_000 + Int64(now.tv_nsec)
    }

    /// `CLOCK_REALTIME`.
    package func unixSeconds() -> Double {
        let now = read(CLOCK_REALTIME)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    private func read(_ clock: clockid_t) -> timespec {
        var now = timespec()
        // Fails only for an unknown clock or a bad address; neither can happen here.
        let status = unsafe clock_gettime(clock, &now)
        precondition(status == 0, "clock \(clock) cannot be read: errno \(errno)")
        return now
    }
}
