package import Histogram

/// Latencies of many requests, in microseconds, up to an hour with three digits (HdrHistogram).
package struct LatencySummary: Sendable {
    /// The longest that is told apart, in microseconds; what takes longer counts as this.
    package static let longest: UInt64 = 3_600_000_000

    /// How often each latency came.
    package private(set) var histogram: Histogram<UInt64>

    /// Three digits take 180 KB, two about 20.
    package init(digits: SignificantDigits = .three) {
        histogram = Histogram(
            lowestDiscernibleValue: 1, highestTrackableValue: Self.longest,
            numberOfSignificantValueDigits: digits)
    }

    /// Records one latency in nanoseconds.
    package mutating func record(nanoseconds: Int64) {
        histogram.record(min(UInt64(max(nanoseconds, 0)) / 1000, Self.longest))
    }

    /// Records one latency in microseconds, as often as `count` says.
    package mutating func record(microseconds: UInt64, count: UInt64 = 1) {
        histogram.record(min(microseconds, Self.longest), count: count)
    }

    /// Adds what another has recorded.
    package mutating func add(_ other: LatencySummary) {
        histogram.add(other.histogram)
    }

    /// How many were recorded.
    package var count: UInt64 { histogram.totalCount }

    /// The mean in microseconds; 0 of none.
    package var mean: Double { count == 0 ? 0 : histogram.mean }

    /// The largest in microseconds.
    package var largest: UInt64 { count == 0 ? 0 : histogram.max }

    /// The latency in microseconds that `percentile` (0…100) of all do not exceed; 0 of none.
    package func value(at percentile: Double) -> UInt64 {
        count == 0 ? 0 : histogram.valueAtPercentile(percentile)
    }

    /// Of a percentile that is shown, so many requests lie beyond it at least: of fewer it would be
    /// little else than their largest.
    package static let beyondLeast = 10.0

    /// Whether enough were recorded to tell a percentile (0…100): 1000 of p99, 10 000 of p99.9.
    package static func isKnown(_ percentile: Double, of count: UInt64) -> Bool {
        // A millionth less, since 0.1 has no end in binary.
        Double(count) * (100 - percentile) / 100 >= beyondLeast - 1e-6
    }

    /// So many have to be recorded to tell a percentile (0…100).
    package static func least(at percentile: Double) -> UInt64 {
        UInt64((beyondLeast * 100 / (100 - percentile) - 1e-6).rounded(.up))
    }

    /// The same as ``value(at:)``; nil of too few.
    package func known(at percentile: Double) -> UInt64? {
        Self.isKnown(percentile, of: count) ? value(at: percentile) : nil
    }

    /// The part of all (0...1) that took at most `microseconds`.
    package func share(upTo microseconds: UInt64) -> Double {
        count == 0 ? 1 : histogram.percentileAtOrBelowValue(microseconds) / 100
    }
}
