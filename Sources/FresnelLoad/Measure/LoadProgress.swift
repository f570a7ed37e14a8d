/// How a measurement goes: its newest stretches of time, for a live view.
package struct LoadProgress: Codable, Sendable {
    /// How long a stretch is.
    package var stepSeconds: Double
    /// The number of the first of `steps` in the course of the measurement.
    package private(set) var first: Int
    /// The newest stretches.
    package private(set) var steps: [Timeline.Step]
    /// Requests under way.
    package private(set) var waiting: Int
    /// How requests ended that went wrong.
    package private(set) var failures: [Outcome: Int]

    /// No more stretches are looked at.
    package static let stepsMost = 32

    /// - Parameter newest: how many stretches are told at most.
    package init(_ contents: Recorder.Contents, newest: Int = Self.stepsMost) {
        stepSeconds = contents.timeline.stepSeconds
        steps = contents.timeline.steps.suffix(newest)
        first = contents.timeline.steps.count - steps.count
        waiting = contents.waiting
        failures = [:]
        for tally in contents.classes {
            failures.merge(tally.outcomes.filter(\.key.isFailure), uniquingKeysWith: +)
        }
    }

    /// How much of the time has begun, in seconds.
    package var seconds: Double { Double(first + steps.count) * stepSeconds }

    /// Forgets all but the newest stretches.
    package mutating func keep(_ newest: Int) {
        let dropped = max(0, steps.count - newest)
        steps.removeFirst(dropped)
        first += dropped
    }

    /// Takes what the same process tells later.
    package mutating func take(_ newer: LoadProgress) {
        let kept = steps.prefix(max(0, newer.first - first))
        let all = kept.count == newer.first - first ? kept + newer.steps : newer.steps[...]
        first = newer.first + newer.steps.count - all.count
        let dropped = max(0, all.count - Self.stepsMost)
        steps = Array(all.dropFirst(dropped))
        first += dropped
        (waiting, failures, stepSeconds) = (newer.waiting, newer.failures, newer.stepSeconds)
    }

    /// Takes what another process of the same load tells of the same stretches.
    package mutating func add(_ other: LoadProgress) {
        let start = max(first, other.first)
        let end = max(first + steps.count, other.first + other.steps.count)
        steps = (start..<max(start, end)).map { number in
            var step = Timeline.Step()
            for (first, steps) in [(first, steps), (other.first, other.steps)]
            where steps.indices.contains(number - first) {
                step.add(steps[number - first])
            }
            return step
        }
        first = start
        waiting += other.waiting
        failures.merge(other.failures, uniquingKeysWith: +)
    }
}
