package import FresnelModel
import FresnelWire

/// Every decision about copies of replicas on one worker, as donor and as receiver.
///
/// It fences by epoch: an order that is older than what the worker knows of the shard does nothing,
/// and a newer one ends what older ones began.
package struct TransferCore: Sendable {
    private struct Copy: Sendable {
        let id: CopyID
        var receiver: ReplicaReceiver
    }

    package private(set) var donor = ReplicaDonor()
    /// Running copies, at most one a shard.
    private var copies: [ShardKey: Copy] = [:]
    /// Orders that wait for a place, oldest first.
    private var waiting: [(shard: ShardKey, order: WireCatchUp)] = []
    private var shards: [CopyID: ShardKey] = [:]
    private var known: [ShardKey: Epoch] = [:]
    private var drops: [ShardKey: WireDropReplica] = [:]
    /// Of shards that were removed, the newest order that was carried out.
    private var dropped: [ShardKey: UInt32] = [:]
    private var lastCopy: UInt64 = 0
    /// Answers that were late, doubled, damaged or out of place.
    package private(set) var droppedChunks: UInt64 = 0

    private let sizes: TransferSizes

    package init(sizes: TransferSizes = TransferSizes()) { self.sizes = sizes }

    /// Copies that run or wait.
    package var copyCount: Int { copies.count + waiting.count }

    /// The shards whose copies run or wait.
    package var receivedShards: Set<ShardKey> {
        Set(copies.keys).union(waiting.map(\.shard))
    }

    /// Decides what an event means.
    package mutating func decide(_ event: TransferEvent, at now: Instant) -> [TransferEffect] {
        switch event {
        case .ordered(.catchUp(let order)): return catchUp(order, at: now)
        case .ordered(.offer(let offer)): return take(offer, at: now)
        case .ordered(.drop(let order)): return drop(order, at: now)
        case .assigned(let shard, let epoch): return learn(epoch, of: shard, at: now)
        case .fetched(let fetch, let number, let peer):
            return donate(donor.fetch(fetch, number: number, from: peer, at: now))
        case .pieceRead(let id, let outcome):
            return donate(donor.pieceRead(id, outcome, at: now))
        case .chunk(let id, let chunk, let number, let payload):
            return advance(id, at: now) { receiver in
                receiver.receive(chunk, number: number, payload: payload, at: now)
            }
        case .unsent(let id, let number):
            return advance(id, at: now) { $0.unsent(number, at: now) }
        case .progressed(let id, let progress):
            return advance(id, at: now) { receiver in receiver.take(progress, at: now) }
        case .dropped(let shard, let failure): return dropped(shard, failure)
        case .tick:
            var effects = donate(donor.tick(at: now))
            for id in copies.values.map(\.id).sorted(by: { $0.number < $1.number }) {
                effects += advance(id, at: now) { $0.tick(at: now) }
            }
            return effects
        }
    }

    /// How long until something is due that does not wait for the next tick; nil for nothing.
    package mutating func nextDue(at now: Instant) -> Duration? { donor.nextDue(at: now) }

    private mutating func catchUp(_ order: WireCatchUp, at now: Instant) -> [TransferEffect] {
        let shard = ShardKey(index: order.index, shard: ShardID(order.shard))
        guard isCurrent(order.epoch, of: shard) else {
            return [stale("CATCH_UP", order.epoch, shard)]
        }
        var effects = learn(Epoch(order.epoch), of: shard, at: now)
        let ticket = TransferTicket(order)
        let running = copies[shard]
        guard running.map({ TransferTicket($0.receiver.order) == ticket }) != true else {
            return order.withdrawn ? effects + end(shard, at: now) : effects
        }
        guard !order.withdrawn else {
            waiting.removeAll { $0.shard == shard && TransferTicket($0.order) == ticket }
            return effects
        }
        waiting.removeAll { $0.shard == shard }
        effects += end(shard, at: now)
        waiting.append((shard, order))
        return effects + startWaiting(at: now)
    }

    private mutating func take(_ offer: WireOfferReplica, at now: Instant) -> [TransferEffect] {
        let shard = ShardKey(index: offer.index, shard: ShardID(offer.shard))
        guard isCurrent(offer.epoch, of: shard) else {
            return [stale("OFFER_REPLICA", offer.epoch, shard)]
        }
        // Other receivers may read it under tickets of older epochs: only the broker ends those.
        known[shard] = Epoch(offer.epoch)
        return donate(donor.offer(offer, of: shard, at: now))
    }

    private mutating func drop(_ order: WireDropReplica, at now: Instant) -> [TransferEffect] {
        let shard = ShardKey(index: order.index, shard: ShardID(order.shard))
        // A repetition of what is under way is answered with it.
        guard drops[shard]?.epoch != order.epoch else { return [] }
        // So is one of what was done: the answer may have been lost.
        guard dropped[shard] != order.epoch || known[shard] != Epoch(order.epoch) else {
            return [.report(Self.answer(to: order))]
        }
        guard Epoch(order.epoch) > known[shard] ?? Epoch(0) else {
            return [stale("DROP_REPLICA", order.epoch, shard)]
        }
        let effects = learn(Epoch(order.epoch), of: shard, at: now)
        drops[shard] = order
        return effects + [.drop(shard, Epoch(order.epoch), DropTarget(order))]
    }

    private mutating func dropped(
        _ shard: ShardKey, _ failure: WireFailure?
    ) -> [TransferEffect] {
        guard let order = drops.removeValue(forKey: shard) else { return [] }
        if failure == nil {
            dropped[shard] = order.epoch
        } else if known[shard] == Epoch(order.epoch) {
            // The order may come again.
            known[shard] = Epoch(order.epoch - 1)
        }
        return [.report(Self.answer(to: order, failure))]
    }

    private static func answer(
        to order: WireDropReplica, _ failure: WireFailure? = nil
    ) -> WireReplicaState {
        var state = WireReplicaState()
        state.index = order.index
        state.shard = order.shard
        state.epoch = order.epoch
        state.phase = failure == nil ? .dropped : .failed
        if let failure { state.failure = failure }
        return state
    }

    private func isCurrent(_ epoch: UInt32, of shard: ShardKey) -> Bool {
        Epoch(epoch) >= known[shard] ?? Epoch(0)
    }

    private func stale(_ name: String, _ epoch: UInt32, _ shard: ShardKey) -> TransferEffect {
        .log(
            .warning,
            "\(name) of epoch \(epoch) for shard \(shard.shard.number) of \(shard.index) is "
                + "ignored: epoch \((known[shard] ?? Epoch(0)).value) is known")
    }

    /// Takes in an epoch; what older ones began ends.
    private mutating func learn(
        _ epoch: Epoch, of shard: ShardKey, at now: Instant
    ) -> [TransferEffect] {
        guard epoch > known[shard] ?? Epoch(0) else { return [] }
        known[shard] = epoch
        waiting.removeAll { $0.shard == shard && Epoch($0.order.epoch) < epoch }
        let isOld = copies[shard].map { Epoch($0.receiver.order.epoch) < epoch } ?? false
        return donate(donor.fence(shard, before: epoch)) + (isOld ? end(shard, at: now) : [])
    }

    private mutating func startWaiting(at now: Instant) -> [TransferEffect] {
        var effects: [TransferEffect] = []
        while copies.count < Limits.transferCopies, !waiting.isEmpty {
            let (shard, order) = waiting.removeFirst()
            lastCopy += 1
            let id = CopyID(lastCopy)
            copies[shard] = Copy(
                id: id, receiver: ReplicaReceiver(order, of: shard, sizes: sizes, at: now))
            shards[id] = shard
            effects += [
                .connect(id, endpoint: order.donorEndpoint), .receive(id, shard, .look),
            ]
        }
        return effects
    }

    private mutating func end(_ shard: ShardKey, at now: Instant) -> [TransferEffect] {
        guard let id = copies[shard]?.id else { return [] }
        return advance(id, at: now) { $0.withdraw() }
    }

    /// Lets a copy decide; nothing for one that is over.
    private mutating func advance(
        _ id: CopyID, at now: Instant, _ body: (inout ReplicaReceiver) -> [ReplicaReceiver.Effect]
    ) -> [TransferEffect] {
        guard let shard = shards[id], var copy = copies[shard], copy.id == id else { return [] }
        let before = copy.receiver.droppedChunks
        let effects = body(&copy.receiver)
        droppedChunks += copy.receiver.droppedChunks - before
        copies[shard] = copy
        var decided: [TransferEffect] = []
        for effect in effects {
            switch effect {
            case .report(let state): decided.append(.report(state))
            case .end: decided.append(.disconnect(id))
            default: decided.append(.receive(id, shard, effect))
            }
        }
        guard copy.receiver.hasEnded else { return decided }
        copies[shard] = nil
        shards[id] = nil
        return decided + startWaiting(at: now)
    }

    private func donate(_ effects: [ReplicaDonor.Effect]) -> [TransferEffect] {
        effects.map { .donate($0) }
    }
}

extension ReplicaReceiver {
    mutating func take(_ progress: CopyProgress, at now: Instant) -> [Effect] {
        switch progress {
        case .looked(let last, let identity, let digest):
            looked(last: last, identity: identity, digest: digest, at: now)
        case .manifestRead(let files): manifestRead(files, at: now)
        case .stored(let file, let bytes): stored(file, bytes: bytes, at: now)
        case .finished(let file, let isWhole): finished(file, isWhole: isWhole, at: now)
        case .installed(let last, let identity):
            installed(last: last, identity: identity, at: now)
        case .appended(let last): appended(last: last, at: now)
        case .tookPart: tookPart()
        case .forked(let failure): appendFailed(failure, isFork: true, at: now)
        case .failed(let failure): fail(failure)
        }
    }
}
