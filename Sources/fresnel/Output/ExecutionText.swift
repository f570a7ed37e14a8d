import FresnelModel

/// What the cluster did for an answer, in plain words.
enum ExecutionText {
    /// What the shards of one worker did together.
    private struct Work {
        var shards = 0
        var searched: UInt64 = 0
        var found: UInt64 = 0
        var scored: UInt64 = 0
        var skipped: UInt64 = 0
        var timings = ShardReport.Timings()
    }

    /// Who was asked, where statistics and filters came from, and where the time went.
    ///
    /// - Parameter filters: how many the request had; nil when that is not known.
    static func lines(_ completion: Completion, filters: Int?) -> [String] {
        let asked = completion.shards.filter { $0.worker != nil }
        let workers = Set(asked.compactMap(\.worker?.name))
        let unasked = completion.shards.count - asked.count
        var lines = [
            "asked \(ValueText.count(asked.count, "shard")) on "
                + ValueText.count(workers.count, "worker")
                + (unasked > 0 ? "; nobody could be asked for \(unasked) more" : "")
        ]
        if completion.isKept {
            lines.append("  kept: the broker told this before; what follows is of when it asked")
        }
        lines.append("  statistics: \(source(of: completion))")
        let known = completion.shards.map(\.knownFilters).saturatingSum
        if let filters, filters > 0 {
            lines.append(
                known > 0
                    ? "  filters: remembered in \(ValueText.count(known, "segment"))"
                    : "  filters: matched now; the next query may find them remembered")
        }
        let byWorker = work(of: asked)
        for (worker, work) in byWorker.sorted(by: { $0.key < $1.key }) {
            lines.append("  \(worker): \(text(work))")
        }
        return lines + ["  in all: \(DurationText.text(completion.elapsed))"]
    }

    private static func source(of completion: Completion) -> String {
        switch completion.statistics {
        case .none: "none, since nothing scores"
        case .asked: "every worker was asked first how many documents have the words that score"
        case .cached: "remembered from an earlier query, checked by every worker: no round trip"
        }
    }

    private static func work(of reports: [ShardReport]) -> [String: Work] {
        reports.reduce(into: [:]) { byWorker, report in
            var work = byWorker[report.worker?.name ?? ""] ?? Work()
            work.shards += 1
            work.searched = work.searched.saturatingAdding(report.searched)
            work.found = work.found.saturatingAdding(report.found)
            work.skipped = work.skipped.saturatingAdding(report.skipped)
            work.scored = work.scored.saturatingAdding(report.scored)
            work.timings.add(report.timings)
            byWorker[report.worker?.name ?? ""] = work
        }
    }

    private static func text(_ work: Work) -> String {
        let phases = [
            ("waited", work.timings.queue), ("matched", work.timings.match),
            ("scored and sorted", work.timings.score), ("read", work.timings.fetch),
            ("travelled and waited", work.timings.wire),
        ]
        let times = phases.compactMap { name, time in time.map { "\(name) \($0) µs" } }
        // Without any, nothing was sent.
        let told = times.isEmpty ? "" : "; " + times.joined(separator: ", ")
        return "\(ValueText.count(work.shards, "shard")), \(work.searched) documents searched, "
            + "\(work.found) found, \(work.scored) scored"
            + (work.skipped > 0 ? ", \(work.skipped) left out below the threshold" : "")
            + told
    }
}

extension ShardReport.Timings {
    /// Takes in another shard of the same worker: it waited once for both, and worked on each.
    fileprivate mutating func add(_ other: Self) {
        queue = Self.combine(queue, other.queue, max)
        match = Self.combine(match, other.match) { $0.saturatingAdding($1) }
        score = Self.combine(score, other.score) { $0.saturatingAdding($1) }
        fetch = Self.combine(fetch, other.fetch) { $0.saturatingAdding($1) }
        wire = Self.combine(wire, other.wire, max)
    }

    /// What is known of two; nil when nothing is.
    private static func combine(
        _ first: UInt64?, _ second: UInt64?, _ sum: (UInt64, UInt64) -> UInt64
    ) -> UInt64? {
        guard let first, let second else { return first ?? second }
        return sum(first, second)
    }
}
