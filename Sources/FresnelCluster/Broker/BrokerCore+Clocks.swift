import FresnelModel
import FresnelWire

// The agreed time (`AgreedTime`) between the broker's clocks and the messages that carry it: PONG
// and HOSTED bring what workers' clocks show and by when they dropped, PING tells what they may.

extension BrokerCore {
    /// Reads the broker's clocks, and tells what is wrong with any.
    mutating func watchClocks(at moment: Moment) -> [BrokerEffect] {
        let news = [clocks.observe(moment), clocks.news(at: moment)]
        return news.compactMap(\.self).map { .log($0.level, $0.text) }
    }

    /// What a worker is told with a sign of life: the time, and what it may drop.
    mutating func ping(_ session: SessionID, at moment: Moment) -> WirePulse {
        var pulse = WirePulse()
        pulse.incarnation = settings.incarnation
        guard workers.worker(of: session) != nil else { return pulse }
        pulse.wallClock = moment.wall.seconds
        if let expiredBy = clocks.expiredBy(at: moment.instant) { pulse.expiredBy = expiredBy }
        return pulse
    }

    /// Takes in what a worker's clock shows, and by when its replicas dropped what had expired.
    mutating func hearClock(
        _ pulse: WirePulse, of worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        if pulse.hasWallClock { clocks.hear(worker, shows: pulse.wallClock, at: moment) }
        return noteDropped(by: pulse.shards, of: worker, at: moment)
    }

    /// Has replicas compared of which one dropped something, and takes one out that dropped what
    /// has not expired.
    mutating func noteDropped(
        by shards: [WireShardInventory], of worker: WorkerID, at moment: Moment
    ) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for shard in shards where shard.hasDroppedUntil && shard.isPlausible {
            let key = ShardKey(index: shard.index, shard: ShardID(shard.shard))
            clocks.noteDropped(until: shard.droppedUntil, at: moment)
            comparisons.noteDropped(
                ReplicaName(shard: key, worker: worker), ReplicaIdentity(shard.identity),
                until: shard.droppedUntil)
            guard isEarly(shard, at: moment), clocks.doubt == nil,
                openReplicas(of: key).contains(where: { replica in
                    replica.worker != worker
                        && workers.inventory(of: key, on: replica.worker).map {
                            !isEarly($0, at: moment)
                        } ?? false
                })
            else { continue }
            effects += exclude(
                worker, from: key, as: .contentDiffers,
                because: Self.earlyText(of: worker, shard.droppedUntil))
        }
        return effects
    }

    /// Whether a replica has dropped what is not expired yet: a clock was ahead when it did, or the
    /// broker's is behind.
    private func isEarly(_ shard: WireShardInventory, at moment: Moment) -> Bool {
        shard.hasDroppedUntil
            && shard.droppedUntil > clocks.latest(at: moment.instant)
                + Limits.clockTolerance.inSeconds
    }

    private static func earlyText(of worker: WorkerID, _ seconds: Double) -> String {
        "worker \(worker) dropped what expires until "
            + "\(Timestamp(seconds: seconds) ?? Timestamp(wholeSeconds: 0)), which is not over: a "
            + "clock was ahead, or the broker's is behind; set it right, or restore the index from "
            + "a snapshot"
    }

    /// Why an open replica is not whole although it has every part; nil where it is.
    func contentTrouble(
        of key: ShardKey, on worker: WorkerID, at moment: Moment
    ) -> (state: String, text: String)? {
        if let shard = workers.inventory(of: key, on: worker), isEarly(shard, at: moment) {
            return ("dropped", Self.earlyText(of: worker, shard.droppedUntil))
        }
        return doubt(of: key).map { ("differing", $0) }
    }

    /// Why what is found in a shard may not be all there is, although it is searched; nil where it
    /// is.
    func doubt(of key: ShardKey) -> String? {
        guard let text = comparisons.doubts[key],
            state.index(named: key.index)?[key.shard]?.inSync.count ?? 0 > 1
        else { return nil }
        return text
    }
}
