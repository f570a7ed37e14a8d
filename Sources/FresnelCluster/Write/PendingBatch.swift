import FresnelModel
import FresnelWire

/// A batch between PUT and PUT_ACK.
///
/// It has one step or two: its operations and, where the index holds documents routed by relation,
/// the SUPERSEDE of what they moved. Both have their own sequence number from the beginning, and
/// their place in every shard's order: no later batch gets between them.
struct PendingBatch: Sendable {
    /// What the batch waits for.
    ///
    /// In this order; `preparing` and `committing` wait for the disk.
    enum Phase: Hashable, Sendable {
        /// The cluster state with this version must be on disk before a part is sent.
        case preparing(version: UInt64)
        case writing
        /// Every part is settled; the client state must be on disk before the acknowledgement.
        case committing(version: UInt64)

        var isCommitting: Bool {
            switch self {
            case .preparing, .writing: false
            case .committing: true
            }
        }
    }

    let key: BatchKey
    /// Who asked, and under which id; replaced when the batch is resent.
    var session: SessionID
    var request: Envelope
    let put: WirePut
    /// Of its content, as it came (`BatchCoding.digest`).
    let digest: UInt64
    let byteCount: Int
    let sequence: SequenceNumber
    /// That of the second step; nil when nothing can be moved.
    let supersedeSequence: SequenceNumber?
    let stamp: AgreedTime.Stamp
    let startedAt: Instant
    let deadline: Instant
    var phase: Phase
    var parts: [PendingPart]
    var verdicts: ItemVerdicts
    var deleted: UInt64 = 0
    /// Whether documents of its index were given up as lost while it was under way: its client
    /// state would say that they are there.
    var isForsaken = false
    /// Whether the second step's parts have their content.
    var hasSupersedes = false
    /// Former versions that the batch itself made of a document, by the position of the last one.
    var replaced: [UInt32: [WireOperation]] = [:]

    /// The newest sequence number that the batch uses.
    var lastSequence: SequenceNumber { supersedeSequence ?? sequence }

    var isSettled: Bool { parts.allSatisfy(\.state.isSettled) }

    var hasFailedPart: Bool { parts.contains { $0.state == .failed } }

    /// The answer to the client.
    var acknowledgement: WirePutAck {
        var ack = WirePutAck()
        ack.sequence = lastSequence.value
        ack.refusals = verdicts.results
        ack.applied = UInt64(put.operations.count - ack.refusals.count)
        ack.deleted = deleted
        return ack
    }
}

extension PendingBatch {
    /// Whether it sets or may remove the client state.
    var changesState: Bool {
        put.clientStateBytes != nil || put.operations.contains { $0.kind == .deleteAll }
    }

    /// Whether `other` is of the same client and index.
    func isSibling(of other: PendingBatch) -> Bool {
        key.index == other.key.index && key.clientHigh == other.key.clientHigh
            && key.clientLow == other.key.clientLow
    }

    /// The place of a shard's part in `parts`.
    func place(of shard: ShardID, _ step: PendingPart.Step) -> Int? {
        parts.firstIndex { $0.shard == shard && $0.step == step }
    }

    func sequence(of step: PendingPart.Step) -> SequenceNumber {
        switch step {
        case .operations: sequence
        case .supersedes: lastSequence
        }
    }

    /// Whether a step's parts may be sent.
    func mayStart(_ step: PendingPart.Step) -> Bool {
        phase == .writing && (step == .operations || hasSupersedes)
    }

    /// Takes in a shard's answer to its part.
    mutating func settle(part number: Int, _ ack: WirePartAck) {
        parts[number].state = .acknowledged
        let step = parts[number].step
        let claimed = ack.appliedSequence
        parts[number].appliedSequence =
            (1...sequence(of: step).value).contains(claimed)
            ? SequenceNumber(claimed) : sequence(of: step)
        settleItems(of: parts[number], ack.refusals)
        deleted = [deleted, ack.deleted].saturatingSum
    }

    /// Gives a part up: each of its operations is reported with this reason.
    mutating func fail(part number: Int, _ failure: WireFailure) {
        parts[number].state = .failed
        let operations = parts[number].operations
        verdicts.fail(operations + formerVersions(under: operations, parts[number].step), failure)
    }

    /// Takes in a shard's word on single operations: what is said of a SUPERSEDE holds for every
    /// version that the batch made of the document.
    private mutating func settleItems(of part: PendingPart, _ refusals: [WireItemResult]) {
        verdicts.settle(part.operations, refusals: refusals)
        let reasons = Dictionary(refusals.map { ($0.position, $0) }) { first, _ in first }
        for operation in part.operations {
            guard let reason = reasons[operation.position] else { continue }
            var failure = WireFailure()
            failure.code = reason.code
            failure.message = reason.message
            verdicts.fail(formerVersions(under: [operation], part.step), failure)
        }
    }

    /// The earlier INDEX operations of the documents that a second step was about: one that was
    /// acknowledged would promise that what stood before it is found no more.
    private func formerVersions(
        under operations: [WireOperation], _ step: PendingPart.Step
    ) -> [WireOperation] {
        guard step == .supersedes, !replaced.isEmpty else { return [] }
        return operations.flatMap { replaced[$0.position] ?? [] }
    }

    /// Decides what must be superseded, once every shard has answered the first step.
    ///
    /// Places for which there is nothing to do are given up; returns their shards, nil when it is
    /// too early or was done.
    mutating func fillSupersedes() -> [ShardID]? {
        guard supersedeSequence != nil, !hasSupersedes,
            parts.allSatisfy({ $0.step == .supersedes || $0.state.isSettled })
        else { return nil }
        hasSupersedes = true
        let shards = parts.filter { $0.step == .supersedes }.map(\.shard)
        let accepted = accepted
        replaced = BatchCoding.replacedVersions(of: accepted)
        let needed = BatchCoding.supersedes(accepted, shardCount: UInt32(shards.count))
        for part in needed {
            if let number = place(of: part.shard, .supersedes) { parts[number].fill(part) }
        }
        parts.removeAll { $0.step == .supersedes && $0.operations.isEmpty }
        return shards.filter { place(of: $0, .supersedes) == nil }
    }

    /// The versions that their shards accepted, in the order of the batch.
    private var accepted: [BatchCoding.AcceptedVersion] {
        parts.flatMap { part in
            guard part.state == .acknowledged else { return [BatchCoding.AcceptedVersion]() }
            return part.operations.filter { $0.kind == .index && !verdicts.isRefused($0) }
                .map { BatchCoding.AcceptedVersion($0, at: part.appliedSequence) }
        }.sorted { $0.operation.position < $1.operation.position }
    }

    /// The PUT_PART that carries one part to a replica which stands since `epoch`.
    func message(part number: Int, previous: SequenceNumber, epoch: Epoch) -> Message {
        let pending = parts[number]
        var part = WirePutPart()
        part.index = key.index
        part.shard = pending.shard.number
        part.previousSequence = previous.value
        part.clientHigh = key.clientHigh
        part.clientLow = key.clientLow
        part.batchNumber = key.number
        part.batchDigest = pending.step == .operations ? digest : 0
        part.operations = pending.operations
        part.superseding = pending.step == .supersedes
        part.customKeys = put.customKeys
        part.stampedAt = stamp.latest
        if stamp.earliest < stamp.latest { part.expiredBy = stamp.earliest }
        part.context = put.context
        part.epoch = epoch.value
        var envelope = Envelope(id: request.id, attempt: pending.attempt)
        envelope.part = pending.shard.number
        envelope.sequence = sequence(of: pending.step).value
        return Message(envelope, .putPart(part), payload: pending.payload)
    }
}
