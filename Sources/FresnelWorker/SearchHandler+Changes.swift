import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelWire

extension SearchHandler {
    /// Finds what of an answer changed between two states; its hits are taken as any others.
    func compare(_ id: TaskID, _ subquery: WireSubquery, _ control: SearchControl) {
        let targets = changeTargets(of: subquery)
        guard let fromNow = Timestamp(seconds: subquery.changes.fromNow),
            let toNow = Timestamp(seconds: subquery.changes.toNow)
        else { return report(.searchFailed(id, reason: "the span of the changes has no instants")) }
        do throws(QueryError) {
            let plan = try plan(of: subquery, for: targets.map(\.target))
            let direct = try DirectMatcher(subquery.search, schema: plan.schema)
            let changes = ShardChanges(
                plan, direct: direct, fromNow: fromNow, toNow: toNow, control: control)
            let matched = changes.run(targets)
            let reports =
                matched.reports + unopened(subquery, besides: targets.map(\.target))
            let outcome = MatchOutcome(
                reports: reports, available: UInt64(matched.hits.remaining),
                beyond: matched.beyond,
                failure: matched.isExpired ? Self.tooOld(reports) : nil)
            if outcome.holdsHits { streams[id] = matched.hits }
            report(.matched(id, outcome))
        } catch {
            report(.searchFailed(id, reason: error.description))
        }
    }

    private func changeTargets(of subquery: WireSubquery) -> [ChangeTarget] {
        var since: [ShardKey: SequenceNumber] = [:]
        for target in subquery.targets {
            since[ShardKey(index: target.index, shard: ShardID(target.shard))] =
                SequenceNumber(target.since)
        }
        return targets(of: subquery).map { target in
            let key = ShardKey(index: target.index, shard: target.shard)
            return ChangeTarget(target, since: since[key] ?? .zero)
        }
    }

    private static func tooOld(_ reports: [WireShardReport]) -> WireFailure {
        let reason = reports.first { $0.status == .failed }?.message ?? "versions are gone"
        var failure = WireFailure(
            .cursorExpired, "the query cannot be followed any further: \(reason)")
        failure.hint = "search again and follow from there; read the changes sooner"
        return failure
    }
}
