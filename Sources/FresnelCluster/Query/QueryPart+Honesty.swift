import FresnelModel
import FresnelWire

// What a worker says last is compared with what it was asked and what it sent: the broker cannot
// know whether a count is true, but it can know that it is not.

extension QueryPart {
    /// Why the reports of this part cannot be true; nil when they can.
    ///
    /// - Parameters:
    ///   - limit: the most hits that were asked for; nil is all.
    ///   - sendsHits: false for a query that only counts.
    ///   - changes: the span of a round of changes; nil for a query.
    func fault(
        in done: WirePartDone, limit: UInt64?, sendsHits: Bool, changes: WireChangeSpan? = nil
    ) -> StreamFault? {
        if let fault = faultyShard(in: done.shards) { return fault }
        if let rest { return rest.fault(in: done) }
        guard !done.hasError else { return nil }
        let fault =
            (sendsHits ? faultyCount(in: done, limit) : nil) ?? faultyReceipt(in: done.shards)
            ?? faultyChange(in: done.shards, changes)
        return fault.map { StreamFault(.countsTrue, "its worker \($0)") }
    }

    /// A shard that was not asked for, or is reported twice.
    func faultyShard(in reports: [WireShardReport]) -> StreamFault? {
        // One shard and one report is most of all cases.
        if reports.count == 1, targets.count == 1, reports[0].shard == targets[0].shard.number,
            reports[0].index == targets[0].index
        {
            return nil
        }
        var due = Set(targets.map { ShardKey(index: $0.index, shard: $0.shard) })
        for report in reports {
            let key = ShardKey(index: report.index, shard: ShardID(report.shard))
            guard due.remove(key) == nil else { continue }
            let wasAsked = targets.contains { $0.index == key.index && $0.shard == key.shard }
            return StreamFault(
                .manifestSumsToOwned,
                "its worker reported shard \(report.shard) "
                    + (wasAsked ? "twice" : "without being asked for it"))
        }
        return nil
    }

    /// Work that cannot have been: every document that was scored, or left out because of the
    /// threshold, was found.
    private func faultyReceipt(in reports: [WireShardReport]) -> String? {
        for report in reports where report.status == .complete {
            let touched = [report.scored, report.skipped].saturatingSum
            guard touched <= report.found else {
                return "scored \(report.scored) and skipped \(report.skipped) documents of shard "
                    + "\(report.shard), where it found \(report.found)"
            }
        }
        return nil
    }

    /// Hits that are claimed and never came, or came and are not claimed.
    ///
    /// A shard that ended early may keep back what it found; one that is complete may not, except
    /// what lies behind the threshold that its worker was told.
    private func faultyCount(in done: WirePartDone, _ limit: UInt64?) -> String? {
        guard !wasToldEnough else { return nil }
        let sent = window.usedItems
        let whole = done.shards.filter { $0.status == .complete }.map(\.found).saturatingSum
        let claimed = done.shards.map(\.found).saturatingSum
        if threshold == nil, sent < min(whole, limit ?? .max) {
            return "claims \(whole) hits and sent \(sent)"
        }
        if sent > claimed { return "sent \(sent) hits and claims \(claimed)" }
        return nil
    }
}
