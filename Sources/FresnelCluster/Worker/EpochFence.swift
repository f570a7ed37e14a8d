import FresnelModel
import FresnelWire

/// What a worker knows of epochs, and so what it refuses: a broker that is older than one it has
/// heard of, and what was meant for a replica as it was before it was taken out of, or into, the
/// in-sync set of its shard.
///
/// It begins anew with every process: a worker that starts is told everything before it is asked.
struct EpochFence: Sendable {
    /// The newest epoch of a broker.
    private(set) var broker = Epoch(0)
    /// Of each replica, the epoch of the newest ASSIGN.
    private var replicas: [ShardKey: Epoch] = [:]

    /// Whether a message may be believed; its epoch is taken in.
    mutating func admits(_ message: Message) -> Bool {
        let epoch = message.envelope.epoch
        // Peers that were never told an epoch name none.
        guard epoch.value > 0 else { return true }
        guard epoch >= broker else { return false }
        broker = epoch
        return true
    }

    /// Takes in what an ASSIGN says of the replicas here.
    mutating func raise(to assign: WireAssign) {
        for index in assign.indexes {
            for (shard, epoch) in zip(index.shards, index.epochs) {
                let key = ShardKey(index: index.index, shard: ShardID(shard))
                replicas[key] = max(replicas[key] ?? Epoch(0), Epoch(epoch))
            }
        }
    }

    /// Why a part is not taken; nil when it may be.
    func refusal(of put: WirePutPart) -> WirePartAck? {
        let key = ShardKey(index: put.index, shard: ShardID(put.shard))
        guard put.epoch > 0, let known = replicas[key], put.epoch < known.value else { return nil }
        var ack = WirePartAck()
        ack.index = put.index
        ack.shard = put.shard
        ack.epoch = known.value
        ack.error = Self.failure(of: key, put.epoch, known)
        return ack
    }

    /// Why a part of a query is not answered; nil when it may be.
    func refusal(of subquery: WireSubquery) -> WireFailure? {
        for target in subquery.targets where target.epoch > 0 {
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            guard let known = replicas[key], target.epoch < known.value else { continue }
            return Self.failure(of: key, target.epoch, known)
        }
        return nil
    }

    /// An inventory with what is known of each replica's epoch.
    func stamped(_ inventory: [WireShardInventory]) -> [WireShardInventory] {
        inventory.map { shard in
            var shard = shard
            let key = ShardKey(index: shard.index, shard: ShardID(shard.shard))
            shard.epoch = replicas[key]?.value ?? 0
            return shard
        }
    }

    /// What could not be opened, with what is known of each replica's epoch.
    func stamped(_ failures: [HostingFailure]) -> [WireShardFailure] {
        failures.map { failure in
            var wire = WireShardFailure()
            wire.index = failure.index
            wire.shard = failure.shard.number
            wire.epoch =
                replicas[ShardKey(index: failure.index, shard: failure.shard)]?.value ?? 0
            wire.damaged = failure.isDamaged
            wire.failure = WireFailure(
                .storageFailed, failure.reason.prefix(bytes: Limits.shardFailureBytes))
            return wire
        }
    }

    private static func failure(
        of shard: ShardKey, _ epoch: UInt32, _ known: Epoch
    ) -> WireFailure {
        WireFailure(
            .staleEpoch,
            "shard \(shard.shard.number) of index \(shard.index) is at epoch \(known.value) here, "
                + "\(epoch) was named")
    }
}

extension String {
    /// The text in at most so many bytes of UTF-8; nothing says that it was cut.
    fileprivate func prefix(bytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var text = self
        while text.utf8.count > limit { text.removeLast() }
        return text
    }
}

/// A part between PUT_PART and PART_ACK.
struct PartOnItsWay: Sendable {
    let envelope: Envelope
    /// That of the replica when the part was sent.
    let epoch: UInt32
}
