import FresnelKernels
import FresnelModel
package import FresnelWire

// The side that takes. What it does next depends on what it has:
//
//   looking ── last sequence ──► journal ── end of the run: caught up, asks on ──► a part came
//                                │     ▲
//     308: not held, or forked   ▼     │
//                             manifest ──► files ──► installing
//
// One number of a request is one question; an answer that is late, doubled, damaged or out of
// place is dropped, and the question asked again. Files and the replica itself are effects of other
// threads. A copy that ends early leaves its files for the next one.

/// One copy of a replica that this worker receives.
package struct ReplicaReceiver: Sendable {
    package enum Effect: Hashable, Sendable {
        /// Send a request to the donor.
        case ask(number: UInt64, WireFetchReplica)
        /// What is here of the shard? Report `looked`.
        case look
        /// Read a manifest, and what of its files is here; report `manifestRead`.
        case readManifest([UInt8])
        /// Write at the end of an unfinished file; report `stored`.
        case store(file: String, offset: UInt64, bytes: [UInt8])
        /// Sync a file and compare it with its name; report `finished`.
        case finish(file: String)
        /// Put the copy in the replica's place; report `installed`. What is there is set aside if
        /// it is known to be wrong.
        case install(settingAside: Bool)
        /// Journal and apply records that follow; report `appended`.
        case append([TransferEntry])
        /// Remove what was copied.
        case discard
        /// Tell the broker.
        case report(WireReplicaState)
        /// The copy is over: close the connection.
        case end
    }

    enum Phase: Hashable, Sendable {
        case looking
        case journal(JournalRun)
        /// Records were handed over to be journaled.
        case appending(JournalRun)
        case manifest(name: String, bytes: [UInt8], total: UInt64?)
        case examining
        case files(FileCopies)
        case installing
        case ended
    }

    /// A question without an answer.
    struct Request: Hashable, Sendable {
        let fetch: WireFetchReplica
        let askedAt: Instant
    }

    package let order: WireCatchUp
    package let shard: ShardKey
    let sizes: TransferSizes
    var phase = Phase.looking
    var requests: [UInt64: Request] = [:]
    var lastNumber: UInt64 = 0
    /// Nothing is asked before this, since the donor refused or damaged something.
    var pausedUntil: Instant
    /// When something new came last, or waiting began.
    var heardAt: Instant
    private var tickedAt: Instant
    var reportedAt: Instant
    var reportedSequence: UInt64 = 0
    /// Whether the donor had nothing newer when it was last asked.
    var isFollowing = false
    /// When a record came last.
    var grewAt: Instant
    private var reported: WireReplicaPhase = .unspecified
    /// What is here of the shard.
    var lastSequence: UInt64 = 0
    var identity: UInt64 = 0
    /// The newest part that the donor is known to have.
    var donorSequence: UInt64 = 0
    /// The digest of the record at `lastSequence`, until the donor has compared it; else 0.
    var lastDigest: UInt64 = 0
    var totalBytes: UInt64 = 0
    var manifestCount = 0
    var damagedFiles = 0
    /// Answers that were dropped.
    package var droppedChunks: UInt64 = 0

    /// Begins; the first effect is `look`.
    init(_ order: WireCatchUp, of shard: ShardKey, sizes: TransferSizes, at now: Instant) {
        self.sizes = sizes
        self.order = order
        self.shard = shard
        pausedUntil = now
        heardAt = now
        tickedAt = now
        reportedAt = now
        grewAt = now
    }

    package var hasEnded: Bool { phase == .ended }

    /// Takes in what is here: the newest journaled part and the identity, 0 for no replica.
    mutating func looked(
        last: SequenceNumber, identity: ReplicaIdentity, digest: UInt64 = 0, at now: Instant
    ) -> [Effect] {
        guard phase == .looking else { return [] }
        lastSequence = last.value
        self.identity = identity.value
        lastDigest = digest
        return identity == .unknown || order.afresh ? beginManifest(at: now) : beginJournal(at: now)
    }

    /// Takes in an answer of the donor.
    mutating func receive(
        _ chunk: WireReplicaChunk, number: UInt64, payload: [UInt8], at now: Instant
    ) -> [Effect] {
        guard let request = requests[number], answers(chunk, payload, request.fetch) else {
            droppedChunks += 1
            return []
        }
        requests[number] = nil
        if chunk.hasFailure { return refused(request.fetch, chunk.failure, at: now) }
        guard chunk.lastSequence >= order.leastSequence else {
            return fail(
                WireFailure(
                    .gap,
                    "worker \(order.donorWorker) has parts up to \(chunk.lastSequence), and "
                        + "\(order.leastSequence) was acknowledged"))
        }
        heardAt = now
        donorSequence = max(donorSequence, chunk.lastSequence)
        switch phase {
        case .journal(let run):
            lastDigest = 0
            return take(chunk, payload, into: run, at: now)
        case .manifest: return takeManifest(chunk, payload, at: now)
        case .files(let copies):
            return takeFile(chunk, payload, request.fetch, into: copies, at: now)
        case .looking, .appending, .examining, .installing, .ended: return []
        }
    }

    /// Asks again what was not answered, gives up on a silent donor, and reports.
    mutating func tick(at now: Instant) -> [Effect] {
        guard phase != .ended else { return [] }
        // Who slept forgives the donor the time that it could not be heard.
        if now - tickedAt > .seconds(1) { heardAt = heardAt + (now - tickedAt) }
        tickedAt = now
        let waits = !requests.isEmpty || pausedUntil > now
        if waits, now - heardAt >= Limits.transferPatience {
            return fail(
                WireFailure(
                    .shardUnavailable,
                    "worker \(order.donorWorker) at \(order.donorEndpoint) gave nothing for "
                        + "\(Limits.transferPatience)"))
        }
        for (number, request) in requests where now - request.askedAt >= Limits.transferRetry {
            requests[number] = nil
            forget(request.fetch)
        }
        var effects = pump(at: now)
        if now - reportedAt >= .seconds(1), !isFollowing || reportedSequence != lastSequence {
            reportedAt = now
            reportedSequence = lastSequence
            effects.append(.report(state))
        }
        return effects
    }

    /// A question was not sent: it is asked again with the next tick.
    ///
    /// A new connection does not stand yet when the first one is asked, and that is no reason to
    /// wait for as long as an answer may take.
    mutating func unsent(_ number: UInt64, at now: Instant) -> [Effect] {
        guard let request = requests[number] else { return [] }
        let overdue = now + (.zero - Limits.transferRetry)
        requests[number] = Request(fetch: request.fetch, askedAt: overdue)
        return []
    }

    /// Ends the copy without a word: the broker does not want it any more.
    mutating func withdraw() -> [Effect] {
        guard phase != .ended else { return [] }
        phase = .ended
        requests = [:]
        return [.end]
    }

    /// Ends the copy and says why.
    mutating func fail(_ failure: WireFailure) -> [Effect] {
        guard phase != .ended else { return [] }
        phase = .ended
        requests = [:]
        var state = state
        state.phase = .failed
        state.failure = failure
        // What fills the disk would keep everything else from it.
        let isFull = failure.code == ErrorCode.diskFull.number
        return (isFull ? [.discard] : []) + [.report(state), .end]
    }

    /// Asks whatever may be asked now.
    mutating func pump(at now: Instant) -> [Effect] {
        guard now >= pausedUntil else { return [] }
        switch phase {
        case .journal(let run):
            guard requests.isEmpty else { return [] }
            return [ask(.journal, offset: run.offset, after: run.after, at: now)]
        case .manifest(let name, let bytes, _):
            guard requests.isEmpty else { return [] }
            return [ask(.manifest, file: name, offset: UInt64(bytes.count), at: now)]
        case .files(var copies):
            var effects: [Effect] = []
            while let wanted = copies.next() {
                effects.append(
                    ask(
                        .file, file: wanted.file, offset: wanted.offset, length: wanted.length,
                        at: now))
            }
            phase = .files(copies)
            return effects
        case .looking, .appending, .examining, .installing, .ended: return []
        }
    }

    /// Reports a phase that the broker does not know of yet.
    mutating func reportPhase() -> [Effect] {
        guard state.phase != reported else { return [] }
        reported = state.phase
        reportedSequence = lastSequence
        return [.report(state)]
    }

    /// What the broker is told.
    var state: WireReplicaState {
        var state = WireReplicaState()
        state.index = shard.index
        state.shard = shard.shard.number
        state.epoch = order.epoch
        state.ticketHigh = order.ticketHigh
        state.ticketLow = order.ticketLow
        state.lastSequence = lastSequence
        state.identity = identity
        state.bytesTotal = totalBytes
        switch phase {
        case .looking, .manifest, .examining, .installing: state.phase = .copying
        case .files(let copies):
            state.phase = .copying
            state.bytesDone = copies.doneBytes
        case .journal, .appending:
            state.phase = isFollowing ? .caughtUp : .tailing
            state.bytesDone = totalBytes
        case .ended: state.phase = .failed
        }
        return state
    }

    private mutating func ask(
        _ piece: WireReplicaPiece, file: String = "", offset: UInt64,
        length: UInt32? = nil, after: UInt64 = 0, at now: Instant
    ) -> Effect {
        var fetch = WireFetchReplica()
        fetch.ticketHigh = order.ticketHigh
        fetch.ticketLow = order.ticketLow
        fetch.piece = piece
        fetch.file = file
        fetch.offset = offset
        fetch.length = length ?? UInt32(sizes.requestBytes)
        fetch.afterSequence = after
        if piece == .journal, after == lastSequence { fetch.afterDigest = lastDigest }
        lastNumber += 1
        requests[lastNumber] = Request(fetch: fetch, askedAt: now)
        return .ask(number: lastNumber, fetch)
    }

    /// Whether a chunk can be the answer to a question.
    private func answers(
        _ chunk: WireReplicaChunk, _ payload: [UInt8], _ fetch: WireFetchReplica
    ) -> Bool {
        guard TransferTicket(chunk) == TransferTicket(order), chunk.piece == fetch.piece,
            chunk.offset == fetch.offset, chunk.afterSequence == fetch.afterSequence
        else { return false }
        if chunk.hasFailure { return true }
        guard fetch.file.isEmpty || chunk.file == fetch.file else { return false }
        return payload.count <= Int(fetch.length)
            && Hash.checksum(of: payload) == chunk.checksum
    }
}
