/// Finds the highest rate that holds an objective: doubles until one does not, then halves the gap.
///
/// A rate that fails is tried once more before it counts as too much, since a machine's hiccup
/// looks the same.
package struct SaturationSearch: Sendable {
    /// The highest rate that held.
    package private(set) var holding: Double?
    /// The lowest rate that failed twice.
    package private(set) var failing: Double?
    private var candidate: Double
    private var hasFailedOnce = false
    private var attempts = 0

    /// The rates lie at most this far apart at the end.
    package static let precision = 1.05
    /// No more measurements than this.
    package static let attemptsMost = 40

    /// Begins at `rate` requests a second.
    package init(startingAt rate: Double) {
        candidate = max(rate, 1)
    }

    /// The rate to measure next; nil when the answer is known, or none can be had.
    package var next: Double? {
        guard attempts < Self.attemptsMost, candidate >= 1 else { return nil }
        guard let holding, let failing else { return candidate }
        return failing / holding > Self.precision ? candidate : nil
    }

    /// How many more measurements there will be if no rate fails by chance; nil while no rate has
    /// failed or none has held.
    package var stepsLeft: Int? {
        guard let holding, let failing else { return nil }
        var (gap, steps) = (failing / holding, 0)
        while gap > Self.precision {
            gap = gap.squareRoot()
            steps += 1
        }
        return steps
    }

    /// Takes what came of the rate that `next` named.
    package mutating func take(holds: Bool) {
        attempts += 1
        if holds {
            hasFailedOnce = false
            holding = candidate
        } else if !hasFailedOnce {
            hasFailedOnce = true
            return
        } else {
            hasFailedOnce = false
            failing = candidate
        }
        candidate =
            switch (holding, failing) {
            case (let low?, let high?): (low * high).squareRoot()
            case (let low?, nil): low * 2
            case (nil, let high?): high / 4
            case (nil, nil): candidate
            }
    }
}
