import FresnelModel
import Histogram

/// What happened in each stretch of a run, by the time at which requests were planned.
package struct Timeline: Codable, Sendable {
    /// One stretch of ``stepSeconds``.
    package struct Step: Codable, Sendable {
        /// Requests that were planned in it.
        package var planned = 0
        /// Of those, how many ended with a whole and right answer.
        package var good = 0
        /// Of those, how many went wrong.
        package var failed = 0
        /// Of those that went wrong, how many were answers from which something is missing.
        package var incomplete = 0
        /// Requests that were planned in it and under way when the load was interrupted; they count
        /// for nothing else.
        package var cutOff = 0
        /// Whole answers to queries among them.
        package var answers = 0
        /// Of those, how many the broker told again without asking a worker.
        package var kept = 0
        /// From plan to completion.
        package var latency = LatencySummary(digits: .two)
        /// How long each worker searched for them, by its name, in microseconds; shards that it
        /// searched at the same time count each.
        package var searching: [String: UInt64] = [:]

        package init() {}

        package mutating func add(_ other: Step) {
            planned += other.planned
            good += other.good
            failed += other.failed
            incomplete += other.incomplete
            cutOff += other.cutOff
            answers += other.answers
            kept += other.kept
            latency.add(other.latency)
            searching.merge(other.searching, uniquingKeysWith: +)
        }
    }

    /// Something that was done to the cluster, or happened in it.
    package struct Event: Hashable, Codable, Sendable {
        /// Seconds after the beginning.
        package let seconds: Double
        package let text: String

        package init(seconds: Double, text: String) {
            self.seconds = seconds
            self.text = text
        }
    }

    package private(set) var steps: [Step] = []
    /// What the load did to the cluster.
    package var events: [Event] = []
    /// What the cluster did by itself, as its status told.
    package private(set) var observed: [Event] = []
    /// How long a stretch is.
    package let stepSeconds: Double

    /// No run has more stretches than this.
    static let stepsMost = 600

    /// No more is told of what a cluster does by itself.
    package static let observedMost = 500

    /// Notes something that the cluster did by itself; the last of too many says that there are
    /// more.
    package mutating func observe(_ event: Event) {
        guard observed.count < Self.observedMost else { return }
        let isLast = observed.count == Self.observedMost - 1
        observed.append(
            isLast ? Event(seconds: event.seconds, text: "what happened later is not told") : event)
    }

    /// For a run of about `seconds`.
    package init(seconds: Double) {
        stepSeconds = max(1, (seconds / Double(Self.stepsMost)).rounded(.up))
    }

    /// How much of a stretch belongs to a measurement that planned requests for so long.
    func seconds(of place: Int, planned seconds: Double?) -> Double {
        guard let seconds else { return stepSeconds }
        return max(0, min(stepSeconds, seconds - Double(place) * stepSeconds))
    }

    /// Makes stretches until so many seconds after the beginning, also where nothing came: a
    /// cluster that stands still until the end is seen.
    mutating func reach(_ seconds: Double) {
        let count = min(Int((seconds / stepSeconds).rounded(.up)), Self.stepsMost)
        while steps.count < count { steps.append(Step()) }
    }

    /// The stretch in which a request was planned; it is made where there is none.
    private mutating func step(of record: RequestRecord) -> Int {
        let place = Int(Double(max(record.planned, 0)) / 1e9 / stepSeconds)
        let step = min(place, Self.stepsMost)
        while steps.count <= step { steps.append(Step()) }
        return step
    }

    /// Takes a request that was under way when the load was interrupted.
    mutating func cutOff(_ record: RequestRecord) { steps[step(of: record)].cutOff += 1 }

    package mutating func take(_ record: RequestRecord) {
        let step = step(of: record)
        steps[step].planned += 1
        if record.outcome == .complete { steps[step].good += 1 }
        if record.outcome.isFailure { steps[step].failed += 1 }
        if case .incomplete = record.outcome { steps[step].incomplete += 1 }
        if let isKept = record.isKept {
            steps[step].answers += 1
            steps[step].kept += isKept ? 1 : 0
        }
        for (moment, latency) in record.moments where moment == .completion {
            steps[step].latency.record(nanoseconds: latency)
        }
        for report in record.shards {
            guard let worker = report.worker else { continue }
            steps[step].searching[worker.name, default: 0] += report.searchMicroseconds
        }
    }

    /// Takes what another process made of the same stretches.
    package mutating func add(_ other: Timeline) {
        while steps.count < other.steps.count { steps.append(Step()) }
        for (place, step) in other.steps.enumerated() { steps[place].add(step) }
        events += other.events
        for event in other.observed { observe(event) }
    }
}
