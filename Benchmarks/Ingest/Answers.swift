import FresnelJSON
import FresnelModel

/// What is known of the answers to the queries of one class, or of all.
///
/// One line of JSON from the process that asks to the one that prints.
struct Answers: Sendable {
    /// Times of a slow answer, in milliseconds.
    struct Phases: Sendable {
        /// At the client.
        var whole = 0.0
        /// At the broker, from acceptance to completion.
        var broker = 0.0
        /// Waiting for a thread of the worker.
        var queue = 0.0
        /// Finding, scoring and reading there.
        var work = 0.0
        /// Between broker and worker, and whatever nobody counts.
        var wire = 0.0

        static func + (left: Phases, right: Phases) -> Phases {
            Phases(
                whole: left.whole + right.whole, broker: left.broker + right.broker,
                queue: left.queue + right.queue, work: left.work + right.work,
                wire: left.wire + right.wire)
        }
    }

    private var answers: [Phases] = []

    /// Milliseconds at the client that as large a share of the answers took at most.
    func percentile(_ share: Double) -> Double {
        let sorted = answers.map(\.whole).sorted()
        guard !sorted.isEmpty else { return 0 }
        return sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))]
    }

    /// How many there are.
    var count: Int { answers.count }

    /// The means of the slowest hundredth.
    var slowest: Phases {
        let slowest = answers.sorted { $0.whole > $1.whole }.prefix(max(1, answers.count / 100))
        let sum = slowest.reduce(Phases(), +)
        let count = Double(max(1, slowest.count))
        return Phases(
            whole: sum.whole / count, broker: sum.broker / count, queue: sum.queue / count,
            work: sum.work / count, wire: sum.wire / count)
    }

    /// Keeps an answer: what it took at its client, and what its completion tells of that.
    mutating func note(_ milliseconds: Double, _ completion: Completion) {
        let longest = completion.shards.map(\.timings).max { $0.total < $1.total }
        func time(_ microseconds: UInt64?...) -> Double {
            microseconds.reduce(0) { $0 + Double($1 ?? 0) } / 1000
        }
        answers.append(
            Phases(
                whole: milliseconds, broker: completion.elapsed / .milliseconds(1),
                queue: time(longest?.queue),
                work: time(longest?.match, longest?.score, longest?.fetch),
                wire: time(longest?.wire)))
    }

    /// All answers of several classes.
    static func all(_ some: [Answers]) -> Answers {
        var all = Answers()
        for answers in some { all.answers += answers.answers }
        return all
    }
}

extension Answers {
    /// As it is told: five numbers an answer.
    var json: JSONValue {
        .array(
            answers.map { phases in
                .array(
                    [phases.whole, phases.broker, phases.queue, phases.work, phases.wire]
                        .map { .number($0) })
            })
    }

    /// Reads what another process told.
    init(_ json: JSONValue) {
        answers = (json.array ?? []).compactMap { answer in
            let numbers = (answer.array ?? []).compactMap(\.double)
            guard numbers.count == 5 else { return nil }
            return Phases(
                whole: numbers[0], broker: numbers[1], queue: numbers[2], work: numbers[3],
                wire: numbers[4])
        }
    }

    /// Those of several classes, by their names.
    static func json(_ classes: [String: Answers]) -> JSONValue {
        var told = JSONObject()
        for (name, answers) in classes { told[name] = answers.json }
        return .object(told)
    }

    /// Reads those of several classes.
    static func byClass(_ json: JSONValue) -> [String: Answers] {
        let classes = json.object ?? JSONObject()
        var answers: [String: Answers] = [:]
        for (name, value) in zip(classes.keys, classes.values) { answers[name] = Answers(value) }
        return answers
    }
}
