package import FresnelModel

/// What was measured of one class of a workload.
package struct ClassTally: Codable, Sendable {
    package let name: String
    /// Latencies of answered requests by moment.
    package private(set) var moments: [Moment: LatencySummary] = [:]
    /// How requests ended.
    package private(set) var outcomes: [Outcome: Int] = [:]
    /// Shards that were not searched whole, by worker or shard and status.
    package private(set) var shardFaults: [String: Int] = [:]
    /// Documents that whole answers found.
    package private(set) var found: UInt64 = 0
    /// Whole answers to queries.
    package private(set) var answers = 0
    /// Of those, how many the broker told again without asking a worker.
    package private(set) var kept = 0

    package init(name: String) {
        self.name = name
    }

    /// Takes one request.
    package mutating func take(_ record: RequestRecord) {
        outcomes[record.outcome, default: 0] += 1
        for fault in record.shardFaults { shardFaults[fault, default: 0] += 1 }
        if record.outcome == .failed(.busy) {
            moments[.refusal, default: LatencySummary()]
                .record(nanoseconds: record.ended - record.planned)
        }
        guard record.outcome == .complete || record.outcome == .wrong else { return }
        found += record.found
        if let isKept = record.isKept {
            answers += 1
            kept += isKept ? 1 : 0
        }
        for (moment, latency) in record.moments {
            moments[moment, default: LatencySummary()].record(nanoseconds: latency)
        }
    }

    /// Takes what another one of the same class has.
    package mutating func add(_ other: ClassTally) {
        for (moment, latencies) in other.moments {
            moments[moment, default: LatencySummary()].add(latencies)
        }
        outcomes.merge(other.outcomes, uniquingKeysWith: +)
        shardFaults.merge(other.shardFaults, uniquingKeysWith: +)
        found += other.found
        answers += other.answers
        kept += other.kept
    }

    /// How requests ended, what came most often first.
    var outcomesByCount: [(outcome: Outcome, count: Int)] {
        outcomes.map { (outcome: $0.key, count: $0.value) }.sorted {
            ($1.count, $0.outcome.title) < ($0.count, $1.outcome.title)
        }
    }

    /// How requests ended that were not answered well, as `3 failed: busy, 301; 1 wrong`.
    var othersText: String {
        outcomesByCount.filter { $0.outcome != .complete }
            .map { "\($0.count) \($0.outcome.title)" }.joined(separator: "; ")
    }

    /// Requests in all.
    package var count: Int { outcomes.values.reduce(0, +) }

    /// Requests whose answer was whole and right.
    package var good: Int { outcomes[.complete] ?? 0 }

    /// The part of all requests that went wrong (0...1).
    package var failures: Double {
        let judged = count - (outcomes[.superseded] ?? 0)
        guard judged > 0 else { return 0 }
        let failed = outcomes.reduce(0) { $0 + ($1.key.isFailure ? $1.value : 0) }
        return Double(failed) / Double(judged)
    }

    /// The part of whole answers (0...1) that the broker told again; nil where there is none.
    package var keptShare: Double? { answers > 0 ? Double(kept) / Double(answers) : nil }

    /// Latencies of whole answers, from plan to completion.
    package var completion: LatencySummary { moments[.completion] ?? LatencySummary() }
}

/// What is known of one request when it has ended, times in nanoseconds.
package struct RequestRecord: Sendable {
    /// The place of its class in the workload.
    package var place: Int
    /// When it was to be sent, after the beginning of the run.
    package var planned: Int64
    /// When it was sent, after the beginning of the run.
    package var sent: Int64
    /// When it had ended, after the beginning of the run.
    package var ended: Int64
    /// From the plan to each moment that came.
    package var moments: [(Moment, Int64)] = []
    package var outcome: Outcome
    package var found: UInt64 = 0
    package var shardFaults: [String] = []
    /// Whether the broker told the whole answer again without asking a worker; nil where there is
    /// no such answer, as of writes.
    package var isKept: Bool?
    /// What each shard told of its part; nothing of an answer that was told again, for which no
    /// shard did anything.
    package var shards: [ShardReport] = []
    /// What its workers took; nil where that is not known.
    package var service: ServiceSamples.Sample?

    package init(place: Int, planned: Int64, sent: Int64, ended: Int64, outcome: Outcome) {
        self.place = place
        self.planned = planned
        self.sent = sent
        self.ended = ended
        self.outcome = outcome
    }
}
