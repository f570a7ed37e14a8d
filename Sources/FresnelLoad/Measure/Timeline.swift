import Histogram

/// What happened in each stretch of a run, by the time at which requests were planned.
package struct Timeline: Sendable {
    /// One stretch of ``stepSeconds``.
    package struct Step: Sendable {
        /// Requests that were planned in it.
        package var planned = 0
        /// Of those, how many ended with a whole and right answer.
        package var good = 0
        /// Of those, how many went wrong.
        package var failed = 0
        /// Of those that went wrong, how many were answers from which something is missing.
        package var incomplete = 0
        /// From plan to completion.
        package var latency = LatencySummary(digits: .two)
    }

    /// Something that was done to the cluster, or happened in it.
    package struct Event: Hashable, Sendable {
        /// Seconds after the beginning.
        package let seconds: Double
        package let text: String

        package init(seconds: Double, text: String) {
            self.seconds = seconds
            self.text = text
        }
    }

    package private(set) var steps: [Step] = []
    package var events: [Event] = []
    /// How long a stretch is.
    package let stepSeconds: Double

    /// No run has more stretches than this.
    static let stepsMost = 600

    /// For a run of about `seconds`.
    package init(seconds: Double) {
        stepSeconds = max(1, (seconds / Double(Self.stepsMost)).rounded(.up))
    }

    package mutating func take(_ record: RequestRecord) {
        let place = Int(Double(max(record.planned, 0)) / 1e9 / stepSeconds)
        let step = min(place, Self.stepsMost)
        while steps.count <= step { steps.append(Step()) }
        steps[step].planned += 1
        if record.outcome == .complete { steps[step].good += 1 }
        if record.outcome.isFailure { steps[step].failed += 1 }
        if case .incomplete = record.outcome { steps[step].incomplete += 1 }
        for (moment, latency) in record.moments where moment == .completion {
            steps[step].latency.record(nanoseconds: latency)
        }
    }
}
