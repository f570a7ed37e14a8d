/// How many requests a second are planned, over the time of a run.
///
/// Piecewise linear: each phase leads from one rate to another; a step is two phases that do not
/// meet.
package struct RateProfile: Hashable, Codable, Sendable {
    /// A stretch of time with a rate that grows or falls evenly.
    package struct Phase: Hashable, Codable, Sendable {
        /// Requests a second at its beginning.
        package let start: Double
        /// Requests a second at its end.
        package let end: Double
        /// How long it lasts, in seconds.
        package let seconds: Double

        /// Rates are not below 0, times are above it.
        package init(start: Double, end: Double, seconds: Double) {
            precondition(start >= 0 && end >= 0 && seconds > 0, "a phase goes forward")
            self.start = start
            self.end = end
            self.seconds = seconds
        }

        /// How many requests are expected in the whole phase.
        var expected: Double { (start + end) / 2 * seconds }

        /// After how many seconds `count` requests of this phase are expected.
        ///
        /// The inverse of `start·t + (end − start)/(2·seconds)·t²`.
        func time(of count: Double) -> Double {
            guard count > 0 else { return 0 }
            let slope = (end - start) / seconds
            guard abs(slope) > 1e-12 else { return count / start }
            // Of both roots the one with the sum below the line does not cancel.
            let root = max(0, start * start + 2 * slope * count).squareRoot()
            return 2 * count / (start + root)
        }
    }

    /// The phases, one after the other.
    package let phases: [Phase]

    package init(_ phases: [Phase]) {
        self.phases = phases
    }

    /// The same rate all the time.
    package static func constant(_ rate: Double, seconds: Double) -> RateProfile {
        RateProfile([Phase(start: rate, end: rate, seconds: seconds)])
    }

    /// Rates one after the other, each for the same time.
    package static func steps(_ rates: [Double], secondsEach: Double) -> RateProfile {
        RateProfile(rates.map { Phase(start: $0, end: $0, seconds: secondsEach) })
    }

    /// From one rate to another.
    package static func ramp(
        from start: Double, to end: Double, seconds: Double
    ) -> RateProfile {
        RateProfile([Phase(start: start, end: end, seconds: seconds)])
    }

    /// How long all phases last, in seconds.
    package var seconds: Double { phases.reduce(0) { $0 + $1.seconds } }

    /// How many requests are expected in all.
    package var expected: Double { phases.reduce(0) { $0 + $1.expected } }

    /// After how many seconds `count` requests are expected; nil beyond the last phase.
    func time(of count: Double) -> Double? {
        var left = count
        var begun = 0.0
        for phase in phases {
            if left < phase.expected { return begun + phase.time(of: left) }
            left -= phase.expected
            begun += phase.seconds
        }
        return nil
    }
}
