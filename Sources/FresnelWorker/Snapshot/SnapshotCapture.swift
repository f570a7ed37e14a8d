import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire

/// Takes hold of a replica at the moment when the broker says so, which no copy that is under way
/// may delay: in memory, by references to segments that never change.
struct SnapshotCapture: Sendable {
    let table: ReplicaTable
    let time: any TimeSource
    let report: @Sendable (WireStoredShard) -> Void
    /// Hands on what takes longer; false when there is too much to do.
    let handOn: @Sendable (SnapshotHandler.Mail) -> Bool

    /// Carries out an order, or begins to.
    ///
    /// - Returns: false when nothing was done.
    func perform(_ order: WireStoreShard) -> Bool {
        guard order.work == .save else { return handOn(.order(order)) }
        let key = ShardKey(index: order.index, shard: ShardID(order.shard))
        guard let index = table[key] else {
            let text = "shard \(order.shard) of index \(order.index) is not open here"
            report(order.failed(WireFailure(.shardUnavailable, text)))
            return true
        }
        let copy = index.copy()
        let snapshot = index.snapshot
        guard snapshot.sequence == copy.sequence else {
            report(order.failed(WireFailure(.busy, "it was written to meanwhile; try again")))
            return true
        }
        let now = Timestamp(wallClock: time.unixSeconds())
        guard handOn(.save(order, copy, snapshot, at: now)) else { return false }
        report(order.report(.captured))
        return true
    }
}

extension WireStoreShard {
    /// A report on this order.
    func report(_ phase: WireStorePhase) -> WireStoredShard {
        var report = WireStoredShard()
        report.index = index
        report.shard = shard
        report.ticket = ticket
        report.phase = phase
        return report
    }

    /// That it cannot be carried out.
    func failed(_ failure: WireFailure) -> WireStoredShard {
        var report = report(.failed)
        report.failure = failure
        return report
    }
}
