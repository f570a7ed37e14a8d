import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire

/// One replica of one shard on this worker: its journal and its index, in step.
///
/// A part is journaled first and published after the fsync, so that what is visible is durable. On
/// opening, the journal's records behind the index's checkpoint are applied again.
final class Replica {
    let shard: ShardKey
    let index: ReplicaIndex
    let journal: JournalWriter
    var pace: SealPace
    /// What the sealing thread was asked for, until what came of it is taken in.
    var sealOrder: SealOrder?
    let location: JournalLocation
    let storage: any Storage
    /// The worker and its directory, for people.
    let home: String
    /// Room for deletions on a full disk.
    let reserve: JournalReserve
    /// Whether the reserve was given up, or could not be made yet: only deletions are taken.
    var isReserveSpent = false

    /// Opens a replica and brings its index up to its journal; makes both when they are missing.
    ///
    /// - Parameter tail: what a former try to sync refused, which is cut off.
    /// - Throws: `WorkerError.stopped` when `isStopping` turns true meanwhile: what was brought up
    ///   is in memory only, and the journal brings it up again.
    init(
        _ shard: ShardKey, in directory: WorkerDirectory, settings: ReplicaSettings,
        environment: Environment, sealThresholdBytes: Int, reserveBytes: Int = 0,
        cutting tail: RefusedTail? = nil, isStopping: () -> Bool
    ) throws(WorkerError) {
        self.shard = shard
        home = directory.description
        reserve = JournalReserve(
            in: directory.journalDirectory(of: shard), bytes: reserveBytes,
            storage: environment.storage)
        pace = SealPace(thresholdBytes: sealThresholdBytes)
        storage = environment.storage
        location = JournalLocation(
            directory: directory.journalDirectory(of: shard),
            identity: JournalIdentity(indexName: shard.index, shard: shard.shard))
        do throws(SystemError) {
            try directory.settle(shard)
        } catch {
            throw .storage(error)
        }
        try directory.refuseRemains(of: shard)
        do throws(IndexError) {
            index = try ReplicaIndex(
                opening: directory.segmentDirectory(of: shard), settings: settings,
                environment: environment, isStopping: isStopping)
        } catch .stopped {
            throw .stopped
        } catch {
            throw .index(error)
        }
        // What was made anew and could not be written.
        if index.needsSealing { pace.noteOwed() }
        do throws(JournalError) {
            journal = try JournalWriter(
                location, environment: environment, startingAfter: index.checkpoint)
        } catch {
            throw .journal(error)
        }
        if let tail { try cut(tail) }
        try replay(environment, isStopping)
        try restoreReserve()
    }

    var lastSequence: SequenceNumber { journal.lastSequence }

    /// Whether something was appended that is not durable yet.
    var hasUnsynced: Bool { journal.syncedSequence != journal.lastSequence }

    /// What opening found at the journal's end.
    var recovery: JournalRecovery { journal.recovery }

    /// The answer to a part of a batch that was applied here before; nil for a new batch.
    ///
    /// What it was then; or a refusal when the number stood for other content, or when newer
    /// batches of the client were applied since and this one is not remembered.
    func earlierAnswer(to part: WritePart) -> WirePartAck? {
        let input = part.input
        let batch = input.batch
        if part.put.superseding {
            // Parts of a shard come in their order, so what is not newer than the journal is in it.
            return part.sequence <= journal.lastSequence ? acknowledgement(of: part) : nil
        }
        if let outcome = index.outcome(of: batch) {
            guard input.isRepetition(of: outcome, in: index.settings) else {
                return refusal(
                    of: part,
                    because: WireFailure(
                        .batchNumberReused,
                        "batch \(batch.number) was applied with other content; send this one under "
                            + "a new number"))
            }
            return acknowledgement(of: part, outcome)
        }
        guard let newest = index.newestBatch(of: batch.client), batch.number < newest else {
            return nil
        }
        return refusal(
            of: part,
            because: WireFailure(
                .batchNumberReused,
                "batch \(batch.number) comes after batch \(newest) of the same client was applied; "
                    + "send it under a new number"))
    }

    /// Appends a part to the journal, not yet durable.
    ///
    /// - Returns: nil, or what to tell the broker when the part does not follow the last one.
    func append(_ part: WritePart) -> WireFailure? {
        guard part.previous == journal.lastSequence else {
            return WireFailure(
                .gap,
                "shard \(shard.shard.number) of index \(shard.index) is at "
                    + "\(journal.lastSequence.value), the part follows \(part.previous.value)")
        }
        return append(part.record)
    }

    /// Appends a record that follows the last one, not yet durable.
    func append(_ record: JournalRecord) -> WireFailure? {
        do throws(JournalError) {
            try journal.append(record)
            pace.note(bytes: record.body.count)
            return nil
        } catch {
            return failure(error)
        }
    }

    /// Drops what was appended and is not durable.
    func forgetAppended() { journal.forgetPending() }

    /// Whether the journal gave up after an fsync failed: only opening it again makes it whole.
    var isPoisoned: Bool { journal.isPoisoned }

    /// Makes every appended part durable.
    func sync() -> WireFailure? {
        do throws(JournalError) {
            try journal.sync()
            return nil
        } catch {
            return failure(error)
        }
    }

    /// The answer to a part that was not journaled.
    func refusal(of part: WritePart, because failure: WireFailure) -> WirePartAck {
        var ack = acknowledgement(of: part)
        ack.error = failure
        return ack
    }

    /// What the broker is told about the replica.
    ///
    /// - Parameters:
    ///   - replacesLost: whether the operator said that what was here before is lost.
    ///   - acceptsLoss: whether the operator said that what is missing here is lost.
    func inventory(
        now: Timestamp, replacesLost: Bool, acceptsLoss: Bool
    ) -> WireShardInventory {
        var inventory = WireShardInventory()
        inventory.index = shard.index
        inventory.shard = shard.shard.number
        inventory.lastSequence = journal.lastSequence.value
        inventory.documents = index.documentCount(at: now)
        inventory.holdsRelated = index.holdsRelated
        let snapshot = index.snapshot
        inventory.oldestReadable = snapshot.oldestReadable.value
        if snapshot.oldestInstant.isFinite { inventory.droppedUntil = snapshot.oldestInstant }
        inventory.identity = index.identity.value
        inventory.storedBytes = snapshot.segmentBytes
        inventory.replacesLost = replacesLost && journal.lastSequence == .zero
        inventory.acceptsLoss = acceptsLoss
        return inventory
    }

    func acknowledgement(of part: WritePart) -> WirePartAck {
        var ack = WirePartAck()
        ack.index = shard.index
        ack.shard = shard.shard.number
        ack.lastSequence = journal.lastSequence.value
        return ack
    }

    func acknowledgement(of part: WritePart, _ outcome: PartOutcome) -> WirePartAck {
        var ack = acknowledgement(of: part)
        ack.refusals = outcome.refusals
        ack.deleted = outcome.deleted
        ack.appliedSequence = outcome.sequence.value
        return ack
    }

    /// What a client is told.
    ///
    /// An acknowledgement repeats it for every operation of a batch and has to fit into one control
    /// frame: few bytes, and the worker's directory only where it is short enough.
    func failure(_ error: JournalError) -> WireFailure {
        let code: ErrorCode = error.isDiskFull ? .diskFull : .storageFailed
        return switch error {
        case .storage(.failed(let call, _, let reason)),
            .notWritten(_, _, .failed(let call, _, let reason)),
            .notSynced(_, _, .failed(let call, _, let reason)):
            failure(
                code, "shard \(shard.shard.number) of index \(shard.index)",
                ": \(call) failed: \(reason.name), \(reason.advice)")
        default: failure(code, "", error.description)
        }
    }

    /// What a client is told of a shard here: where that is stands behind it, unless it is long.
    func failure(_ code: ErrorCode, _ what: String, _ reason: String) -> WireFailure {
        let place = what.isEmpty ? "" : " (\(home))"
        var text = what + place + reason
        if text.utf8.count > Self.failureBytes {
            text = what + (what.isEmpty ? "" : " (the worker's log says where)") + reason
        }
        while text.utf8.count > Self.failureBytes { text.removeLast() }
        return WireFailure(code, text)
    }

    /// A thousand of them are four fifths of a control frame.
    private static let failureBytes = 200
}
