import FresnelSystem
import Glibc

/// When each request of a run is to be sent: an open loop.
///
/// Decided before the run and by nothing that happens in it. A system that stalls gets the requests
/// all the same, and the wait counts.
package struct ArrivalSchedule: Sequence, IteratorProtocol, Sendable {
    /// How requests lie between each other.
    package enum Spacing: String, Hashable, Codable, Sendable, CaseIterable {
        /// As from many people who do not know of each other: gaps are exponential.
        case poisson
        /// Evenly.
        case constant
    }

    private enum Source: Sendable {
        case profile(RateProfile, Spacing)
        case recording([Int64])
    }

    private let source: Source
    private var generator: SeededGenerator
    /// Requests expected until the last one; of a recording, how many were given out.
    private var passed = 0.0
    private var taken = 0

    /// Arrivals with the rate of `profile`; the same seed gives the same times.
    ///
    /// With `poisson` the process is made by stretching one of rate 1 (time rescaling, Çinlar
    /// 1975), so a ramp is exact and not a staircase.
    package init(_ profile: RateProfile, spacing: Spacing, seed: UInt64) {
        source = .profile(profile, spacing)
        generator = SeededGenerator(seed: seed)
    }

    /// Arrivals as they were recorded, in nanoseconds after the beginning, ascending.
    package init(replaying offsets: [Int64]) {
        source = .recording(offsets)
        generator = SeededGenerator(seed: 0)
    }

    /// Nanoseconds after the beginning of the run; nil when the plan is at its end.
    package mutating func next() -> Int64? {
        switch source {
        case .recording(let offsets):
            guard taken < offsets.count else { return nil }
            defer { taken += 1 }
            return offsets[taken]
        case .profile(let profile, let spacing):
            switch spacing {
            case .constant: passed += 1
            case .poisson: passed += exponential()
            }
            // The first of evenly spaced requests comes at once, not after a gap.
            let count = spacing == .constant ? passed - 1 : passed
            return profile.time(of: count).map { Int64($0 * 1e9) }
        }
    }

    /// A gap of mean 1.
    private mutating func exponential() -> Double {
        // In (0, 1], so that the logarithm is finite.
        let uniform = (Double(generator.next() >> 11) + 1) * 0x1p-53
        return -log(uniform)
    }
}
