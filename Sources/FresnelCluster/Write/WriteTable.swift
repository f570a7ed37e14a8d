package import FresnelModel
package import FresnelWire

/// Every batch between PUT and PUT_ACK, and the order in which parts reach each shard.
///
/// Invariants: parts of one shard are sent in the order of their sequence numbers, each naming its
/// predecessor, so that a worker sees a gap; a version is superseded only after the one that
/// replaces it was accepted; a batch is acknowledged only when every part of it was
/// journaled by every in-sync replica or has failed for good; a batch that is sent again joins the
/// one under way.
/// Acknowledgements do not wait for older batches on other shards: a snapshot is the newest
/// acknowledged sequence number, and batches are not atomic over shards (decision 0004).
package struct WriteTable: Sendable {
    package enum Action: Sendable {
        case toWorker(WorkerID, Message)
        case toClient(SessionID, Message)
        /// A replica must leave the in-sync set before anything goes on in its shard.
        case exclude(WorkerID, ShardKey, Departure, because: String)
        /// A replica that catches up has everything.
        case caughtUp(WorkerID, ShardKey)
        /// A replica that catches up cannot take parts yet, or made something else of one.
        case fellBehind(WorkerID, ShardKey, because: String)
    }

    var batches: [BatchKey: PendingBatch] = [:]
    /// Unsettled parts per shard, in the order of their sequence numbers.
    var queues: [ShardKey: [PendingStep]] = [:]
    /// The replicas of every shard.
    var shards: [ShardKey: ShardLanes] = [:]
    /// The newest version of the cluster state that is on disk.
    var durable: UInt64 = 0
    /// Parts that were sent and given up.
    var doubtful = DoubtfulParts()
    /// The newest of them in each shard of several replicas, until all have spoken of it.
    var givenUp: [ShardKey: GivenUpPart] = [:]
    /// Shards that are not read yet although a replica is open, and since when.
    var unproven: [ShardKey: Instant] = [:]
    /// The newest sequence number given out per index.
    private(set) var given: [String: SequenceNumber] = [:]
    /// The newest acknowledged sequence number per index.
    package internal(set) var committed: [String: SequenceNumber] = [:]
    /// Acknowledgements of finished batches, for a resend that crossed its acknowledgement.
    var finished = FinishedBatches()
    /// What content each batch number stands for.
    private var names = BatchNames()
    /// Bytes of unacknowledged batches per client.
    private(set) var bytesInFlight: [SessionID: Int] = [:]

    package init() {}

    package var pendingCount: Int { batches.count }

    package func byteCount(of session: SessionID) -> Int { bytesInFlight[session] ?? 0 }

    /// Whether a batch of this name is under way, or ended, that had other content.
    func isNameTaken(_ key: BatchKey, from digest: UInt64) -> Bool {
        names.isTaken(key, from: digest)
    }

    /// Documents of an index were given up as lost: what was told of its batches counts no more.
    mutating func forgetBatches(of index: String) {
        finished.forget(index: index)
        names.forget(index: index) { batches[$0] != nil }
    }

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
        names.bind(batch.key, to: batch.digest)
        given[batch.key.index] = batch.lastSequence
        bytesInFlight[batch.session, default: 0] += batch.byteCount
        for part in batch.parts {
            queues[ShardKey(index: batch.key.index, shard: part.shard), default: []]
                .append(PendingStep(batch: batch.key, step: part.step))
        }
        let actions = pump(batch)
        noteSent(batch.key, at: batch.startedAt)
        return actions
    }

    /// The cluster state with this version is on disk.
    ///
    /// Returns the batches that an exclusion kept from being settled.
    mutating func persisted(version: UInt64) -> ([PendingBatch], [Action]) {
        let former = durable
        durable = max(durable, version)
        for shard in Array(unproven.keys) { prove(shard) }
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
        var settled: [PendingBatch] = []
        let opened = shards.filter { $0.value.gate > former && $0.value.gate <= durable }.keys
        for shard in opened.sorted() {
            let (batches, judged) = judgeAll(shard)
            settled += batches
            actions += judged + judgeGivenUp(shard) + pump(shard)
        }
        return (settled, actions)
    }

    /// A worker's word on try `attempt` of one part.
    ///
    /// Returns the batches that this settled.
    mutating func settle(
        _ ack: WirePartAck, _ name: PendingStep, from worker: WorkerID, attempt: UInt32
    ) -> ([PendingBatch], [Action]) {
        let shard = ShardKey(index: ack.index, shard: ShardID(ack.shard))
        guard let batch = batches[name.batch],
            let number = batch.place(of: shard.shard, name.step),
            batch.parts[number].state == .sent, let lane = shards[shard]?.lanes[worker],
            let sent = batch.parts[number].tries[worker],
            !ack.hasError || attempt == sent.attempt
        else { return ([], []) }
        guard !lane.isTailing || !ack.hasError else {
            return ([], drop(tail: worker, of: shard, because: ack.error.message))
        }
        if ack.hasError, let again = takeBack(name, after: ack, from: worker, of: shard) {
            return ([], again)
        }
        batches[name.batch]?.parts[number].tries[worker]?.answer = ack
        guard !ack.hasError else { return judgeAll(shard) }
        let last = SequenceNumber(ack.lastSequence)
        let sequence = batch.sequence(of: name.step)
        shards[shard]?.lanes[worker]?.stand(at: last, after: sequence)
        shards[shard]?.lanes[worker]?.acknowledged = max(lane.acknowledged, last)
        guard last < sequence else { return judgeAll(shard) }
        // It is there under another number; others may have waited to hear that.
        batches[name.batch]?.parts[number].places[worker] = nil
        let (settled, actions) = judgeAll(shard)
        return (settled, actions + pump(shard))
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
        for key in Array(batches.keys) { noteSent(key, at: now) }
        let order = shards.sorted()
        let over = pausedShards.filter { self.shards[$0]?.pausedUntil.map { now >= $0 } == true }
        return (
            settled,
            order.flatMap { judgeGivenUp($0) } + order.flatMap { pump($0) }
                + over.flatMap { resume($0, at: now) }
        )
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
                giveUp(part, under: batch.sequence(of: step), of: shard)
            }
            batch.fail(
                part: number,
                WireFailure(
                    .shardUnavailable,
                    "shard \(part.shard.number) did not journal it in time; send it again"))
        }
    }

    /// An index is gone: its batches fail, and nothing is known of it any more.
    mutating func forget(index: String, _ failure: WireFailure) -> [Action] {
        let under = inOrder(batches.keys.filter { $0.index == index })
        let actions = under.flatMap { acknowledge($0, error: failure) }
        queues = queues.filter { $0.key.index != index }
        shards = shards.filter { $0.key.index != index }
        givenUp = givenUp.filter { $0.key.index != index }
        unproven = unproven.filter { $0.key.index != index }
        doubtful.forget(index: index)
        forgetBatches(of: index)
        (given[index], committed[index]) = (nil, nil)
        return actions
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
    mutating func close(
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

    private mutating func pump(_ batch: PendingBatch) -> [Action] {
        Set(batch.parts.map { ShardKey(index: batch.key.index, shard: $0.shard) }).sorted()
            .flatMap { pump($0) }
    }
}
