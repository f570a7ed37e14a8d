@testable import FresnelCluster
import FresnelModel
import FresnelWire

extension EngineTask {
    /// Finds what differs between two states of every target.
    mutating func compare(_ shards: [ShardKey: StoredShard], at now: Instant) -> MatchOutcome {
        let model = SearchModel(subquery.search)
        var reports: [WireShardReport] = []
        var found: [PreparedHit] = []
        for target in subquery.targets {
            var report = WireShardReport()
            report.index = target.index
            report.shard = target.shard
            report.status = now < until ? .complete : .deadline
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            guard let shard = shards[key], report.status == .complete else {
                if shards[key] == nil { report.status = .failed }
                reports.append(report)
                continue
            }
            for version in shard.versions where model.matches(version.document) {
                let before = version.isVisible(at: SequenceNumber(target.since))
                let after = version.isVisible(at: SequenceNumber(target.snapshot))
                guard before != after else { continue }
                report.found += 1
                if before { report.removed += 1 }
                found.append(hit(version.document, wasThere: before, model, target))
            }
            reports.append(report)
        }
        found.sort { $0.key.lexicographicallyPrecedes($1.key) }
        let beyond = cut(&found)
        hits = found[...]
        phase = .ready
        return MatchOutcome(
            reports: reports, available: UInt64(found.count), beyond: beyond, failure: failure)
    }

    private func hit(
        _ document: Document, wasThere: Bool, _ model: SearchModel, _ target: WireShardTarget
    ) -> PreparedHit {
        let mark = wasThere ? ChangeKeys.removed : ChangeKeys.added
        let order =
            subquery.search.delivery == .found
            ? Array(document.uniqueIdentifier.utf8) : model.key(of: document, documents: 0)
        let body = HitBody(
            index: target.index, score: nil, document: DocumentCoding.encode(document))
        return PreparedHit(
            key: [mark] + order + ChangeKeys.ending(of: ShardID(target.shard)),
            body: body.encode())
    }
}
