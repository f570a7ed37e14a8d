/// The two clocks of a machine.
package protocol TimeSource: Sendable {
    /// Nanoseconds of a clock that never jumps; only differences mean something.
    func monotonicNanoseconds() -> Int64
    /// Seconds since 1970-01-01 00:00:00 UTC; can jump in either direction.
    func unixSeconds() -> Double
}

extension TimeSource {
    /// Seconds of the clock that never jumps.
    package var monotonicSeconds: Double { Double(monotonicNanoseconds()) / 1e9 }
}
