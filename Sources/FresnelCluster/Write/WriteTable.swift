package import FresnelModel
package import FresnelWire

/// Every batch between PUT and PUT_ACK, and the order in which parts reach each shard.
///
/// Invariants: parts of one shard are sent in the order of their sequence numbers, each naming its
/// predecessor, so that a worker sees a gap; a version is superseded only after the one that
/// replaces it was accepted; a batch is acknowledged only when every part of it was
/// journaled or has failed for good; a batch that is sent again joins the one under way.
/// Acknowledgements do not wait for older batches on other shards: a snapshot is the newest
/// acknowledged sequence number, and batches are not atomic over shards (decision 0004).
package struct WriteTable: Sendable {
    package enum Action: Sendable {
        case toWorker(WorkerID, Message)
        case toClient(SessionID, Message)
    }

    var batches: [BatchKey: PendingBatch] = [:]
    /// Unsettled parts per shard, in the order of their sequence numbers.
    var queues: [ShardKey: [PendingStep]] = [:]
    /// The worker of every shard that can take parts now.
    private var homes: [ShardKey: WorkerID] = [:]
    /// The newest part each shard has, or was sent.
    private(set) var heads: [ShardKey: SequenceNumber] = [:]
    /// The newest part that each shard acknowledged: a shard that comes back with less lost it.
    private var acknowledged: [ShardKey: SequenceNumber] = [:]
    /// Parts that were sent and given up.
    var doubtful = DoubtfulParts()
    /// The newest sequence number given out per index.
    private(set) var given: [String: SequenceNumber] = [:]
    /// The newest acknowledged sequence number per index.
    package private(set) var committed: [String: SequenceNumber] = [:]
    /// Acknowledgements of finished batches, for a resend that crossed its acknowledgement.
    private var finished = FinishedBatches()
    /// Bytes of unacknowledged batches per client.
    private(set) var bytesInFlight: [SessionID: Int] = [:]

    package init() {}

    package var pendingCount: Int { batches.count }

    package func byteCount(of session: SessionID) -> Int { bytesInFlight[session] ?? 0 }

    /// The answer to a batch that already ended.
    package func finishedAnswer(to key: BatchKey) -> WirePutAck? { finished[key] }

    /// Lets a resent batch answer to its new request; false when it is not under way.
    package mutating func rejoin(
        _ key: BatchKey, session: SessionID, request: Envelope
    ) -> Bool {
        guard var batch = batches[key] else { return false }
        release(batch.byteCount, of: batch.session)
        batch.session = session
        batch.request = request
        bytesInFlight[session, default: 0] += batch.byteCount
        batches[key] = batch
        return true
    }

    /// Takes on a new batch.
    mutating func add(_ batch: PendingBatch) -> [Action] {
        precondition(batches[batch.key] == nil, "batch \(batch.key) is already under way")
        batches[batch.key] = batch
        given[batch.key.index] = batch.lastSequence
        bytesInFlight[batch.session, default: 0] += batch.byteCount
        for part in batch.parts {
            queues[ShardKey(index: batch.key.index, shard: part.shard), default: []]
                .append(PendingStep(batch: batch.key, step: part.step))
        }
        return pump(batch)
    }

    /// The cluster state with this version is on disk.
    package mutating func persisted(version: UInt64) -> [Action] {
        var actions: [Action] = []
        for key in inOrder(batches.keys) {
            guard let batch = batches[key] else { continue }
            switch batch.phase {
            case .preparing(let wanted) where wanted <= version:
                batches[key]?.phase = .writing
                if let batch = batches[key] { actions += pump(batch) }
            case .committing(let wanted) where wanted <= version:
                actions += acknowledge(key)
            case .preparing, .writing, .committing:
                break
            }
        }
        return actions
    }

    /// The newest part that a shard acknowledged, or was whole with, since this broker started.
    package func acknowledgedSequence(of shard: ShardKey) -> SequenceNumber {
        acknowledged[shard] ?? .zero
    }

    /// A shard can take parts: what was on its way there is sent again after what it has.
    package mutating func open(
        _ shard: ShardKey, on worker: WorkerID, lastSequence: SequenceNumber
    ) -> [Action] {
        homes[shard] = worker
        heads[shard] = lastSequence
        acknowledged[shard] = max(acknowledged[shard] ?? .zero, lastSequence)
        committed[shard.index] = max(committed[shard.index] ?? .zero, lastSequence)
        doubtful.settle(shard, through: lastSequence)
        hold(shard)
        return pump(shard)
    }

    /// A worker is gone: what was on its way there waits for its return or the deadline.
    package mutating func lose(_ worker: WorkerID) {
        for (shard, home) in homes where home == worker {
            homes[shard] = nil
            hold(shard)
        }
    }

    /// A worker's word on try `attempt` of one part.
    ///
    /// Returns the batch when that settled it.
    mutating func settle(
        _ ack: WirePartAck, _ name: PendingStep, attempt: UInt32
    ) -> (PendingBatch?, [Action]) {
        let shard = ShardKey(index: ack.index, shard: ShardID(ack.shard))
        guard var batch = batches[name.batch],
            let number = batch.place(of: shard.shard, name.step),
            case .sent(let previous) = batch.parts[number].state
        else { return (nil, []) }
        let last = SequenceNumber(ack.lastSequence)
        guard !ack.hasError else {
            guard attempt == batch.parts[number].attempt else { return (nil, []) }
            heads[shard] = last
            // Everything sent behind a refused part is refused too: it goes again, behind what is
            // there, and so does this one when it was refused only for a part before it.
            hold(shard)
            if ack.error.code == ErrorCode.gap.number, last != previous {
                return (nil, pump(shard))
            }
            batch = batches[name.batch] ?? batch
            doubtful.add(batch.sequence(of: name.step), of: shard)
            batch.fail(part: number, ack.error)
            return close(batch, name.step, shard)
        }
        batch.settle(part: number, ack)
        heads[shard] = max(heads[shard] ?? .zero, last)
        acknowledged[shard] = max(acknowledged[shard] ?? .zero, last)
        doubtful.settle(shard, through: batch.parts[number].appliedSequence)
        return close(batch, name.step, shard)
    }

    /// Fails the parts of batches whose time is up.
    ///
    /// Returns the batches that this settled.
    mutating func tick(at now: Instant) -> ([PendingBatch], [Action]) {
        var settled: [PendingBatch] = []
        var shards: Set<ShardKey> = []
        let due = inOrder(batches.filter { now >= $0.value.deadline && !$0.value.isSettled }.keys)
        for key in due {
            guard var batch = batches[key] else { continue }
            expire(&batch, .operations)
            // What was accepted and could not be superseded any more is reported as well.
            _ = batch.fillSupersedes()
            expire(&batch, .supersedes)
            batches[key] = batch
            shards.formUnion(forget(key))
            settled.append(batch)
        }
        return (settled, shards.sorted().flatMap { pump($0) })
    }

    /// Takes a batch out of every shard's queue; returns the shards that may go on.
    @discardableResult
    mutating func forget(_ key: BatchKey) -> [ShardKey] {
        let shards = queues.keys.filter { $0.index == key.index }
        for shard in shards { queues[shard]?.removeAll { $0.batch == key } }
        return shards
    }

    private mutating func expire(_ batch: inout PendingBatch, _ step: PendingPart.Step) {
        for number in batch.parts.indices
        where batch.parts[number].step == step && !batch.parts[number].state.isSettled {
            let part = batch.parts[number]
            if part.attempt > 0 {
                let shard = ShardKey(index: batch.key.index, shard: part.shard)
                doubtful.add(batch.sequence(of: step), of: shard)
            }
            batch.fail(
                part: number,
                WireFailure(
                    .shardUnavailable,
                    "shard \(part.shard.number) did not journal it in time; send it again"))
        }
    }

    /// Makes a settled batch wait for its client state to be on disk.
    mutating func commit(_ key: BatchKey, version: UInt64) {
        batches[key]?.phase = .committing(version: version)
    }

    /// Answers the client; from here on every query sees the batch.
    mutating func acknowledge(_ key: BatchKey, error: WireFailure? = nil) -> [Action] {
        guard let batch = batches.removeValue(forKey: key) else { return [] }
        committed[key.index] = max(committed[key.index] ?? .zero, batch.lastSequence)
        release(batch.byteCount, of: batch.session)
        var ack = batch.acknowledgement
        if let error { ack.error = error }
        if !batch.hasFailedPart, error == nil { finished.remember(ack, for: key) }
        return [.toClient(batch.session, Message(batch.request.reply, .putAck(ack)))]
    }

    private mutating func release(_ byteCount: Int, of session: SessionID) {
        let rest = (bytesInFlight[session] ?? 0) - byteCount
        bytesInFlight[session] = rest > 0 ? rest : nil
    }

    private func inOrder(_ keys: some Sequence<BatchKey>) -> [BatchKey] {
        keys.compactMap { batches[$0] }.sorted {
            ($0.sequence, $0.key.index) < ($1.sequence, $1.key.index)
        }.map(\.key)
    }

    /// A part is settled: its shard goes on, and perhaps the batch's second step begins.
    private mutating func close(
        _ batch: PendingBatch, _ step: PendingPart.Step, _ shard: ShardKey
    ) -> (PendingBatch?, [Action]) {
        var batch = batch
        queues[shard]?.removeAll { $0.batch == batch.key && $0.step == step }
        var next: Set<ShardKey> = [shard]
        if let needless = batch.fillSupersedes() {
            for shard in needless {
                queues[ShardKey(index: batch.key.index, shard: shard)]?
                    .removeAll { $0.batch == batch.key }
            }
            next.formUnion(queues.keys.filter { $0.index == batch.key.index })
        }
        batches[batch.key] = batch
        return (batch.isSettled ? batch : nil, next.sorted().flatMap { pump($0) })
    }

    private mutating func hold(_ shard: ShardKey) {
        for name in queues[shard] ?? [] {
            guard let number = batches[name.batch]?.place(of: shard.shard, name.step) else {
                continue
            }
            batches[name.batch]?.parts[number].state = .held
        }
    }

    private mutating func pump(_ batch: PendingBatch) -> [Action] {
        Set(batch.parts.map { ShardKey(index: batch.key.index, shard: $0.shard) }).sorted()
            .flatMap { pump($0) }
    }

    /// Sends what may go to a shard, in order; stops at the first part that must wait.
    private mutating func pump(_ shard: ShardKey) -> [Action] {
        guard let worker = homes[shard] else { return [] }
        var actions: [Action] = []
        for name in queues[shard] ?? [] {
            guard let batch = batches[name.batch], batch.mayStart(name.step),
                let number = batch.place(of: shard.shard, name.step)
            else { break }
            guard batch.parts[number].state == .held else { continue }
            let previous = heads[shard] ?? .zero
            batches[name.batch]?.parts[number].state = .sent(previous: previous)
            batches[name.batch]?.parts[number].attempt += 1
            heads[shard] = max(previous, batch.sequence(of: name.step))
            guard let sent = batches[name.batch] else { continue }
            actions.append(.toWorker(worker, sent.message(part: number, previous: previous)))
        }
        return actions
    }
}
