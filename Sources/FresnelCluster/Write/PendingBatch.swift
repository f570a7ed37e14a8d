package import FresnelModel
package import FresnelWire

/// Names a shard of an index.
package struct ShardKey: Hashable, Comparable, Sendable {
    package let index: String
    package let shard: ShardID

    package init(index: String, shard: ShardID) {
        self.index = index
        self.shard = shard
    }

    package static func < (lhs: ShardKey, rhs: ShardKey) -> Bool {
        (lhs.index, lhs.shard) < (rhs.index, rhs.shard)
    }
}

/// Names a batch for ever: resending it changes nothing.
package struct BatchKey: Hashable, Sendable {
    package let index: String
    package let clientHigh: UInt64
    package let clientLow: UInt64
    package let number: UInt64

    package init(_ put: WirePut) {
        index = put.index
        clientHigh = put.clientHigh
        clientLow = put.clientLow
        number = put.batchNumber
    }
}

/// One shard's share of a batch on its way.
struct PendingPart: Sendable {
    enum State: Hashable, Sendable {
        /// The shard has no live worker, or the batch is not yet allowed to start.
        case held
        /// Sent; its place in the shard's journal chain is `previous`.
        case sent(previous: SequenceNumber)
        case acknowledged
        case failed
    }

    let shard: ShardID
    let operations: [WireOperation]
    let payload: [UInt8]
    var state = State.held
    /// How often it was sent: only a refusal of the newest try counts.
    var attempt: UInt32 = 0
}

/// A batch between PUT and PUT_ACK.
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
    let byteCount: Int
    let sequence: SequenceNumber
    let stampedAt: Timestamp
    let deadline: Instant
    var phase: Phase
    var parts: [PendingPart]
    /// By position; the first refusal of an operation counts.
    var refusals: [UInt32: WireItemResult] = [:]
    var deleted: UInt64 = 0

    var isSettled: Bool {
        parts.allSatisfy { $0.state == .acknowledged || $0.state == .failed }
    }

    /// Notes what happened to one part's operations.
    mutating func refuse(_ results: [WireItemResult]) {
        for result in results where refusals[result.position] == nil {
            refusals[result.position] = result
        }
    }

    /// The answer to the client.
    var acknowledgement: WirePutAck {
        var ack = WirePutAck()
        ack.sequence = sequence.value
        ack.refusals = refusals.values.sorted { $0.position < $1.position }
        ack.applied = UInt64(put.operations.count - refusals.count)
        ack.deleted = deleted
        return ack
    }
}

extension PendingPart.State {
    var isSettled: Bool {
        switch self {
        case .held, .sent: false
        case .acknowledged, .failed: true
        }
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

    var hasFailedPart: Bool { parts.contains { $0.state == .failed } }

    /// Gives a part up: each of its operations is reported with this reason, also one that only
    /// superseded: its document would be found twice.
    mutating func fail(part number: Int, code: Int32, because reason: String) {
        parts[number].state = .failed
        refuse(
            parts[number].operations.map { operation in
                var result = WireItemResult()
                result.position = operation.position
                result.code = code
                result.message = reason
                return result
            })
    }

    /// The PUT_PART that carries one part.
    func message(part number: Int, previous: SequenceNumber) -> Message {
        var part = WirePutPart()
        part.index = key.index
        part.shard = parts[number].shard.number
        part.previousSequence = previous.value
        part.clientHigh = key.clientHigh
        part.clientLow = key.clientLow
        part.batchNumber = key.number
        part.operations = parts[number].operations
        part.customKeys = put.customKeys
        part.stampedAt = stampedAt.seconds
        part.context = put.context
        var envelope = Envelope(id: request.id, attempt: parts[number].attempt)
        envelope.part = parts[number].shard.number
        envelope.sequence = sequence.value
        return Message(envelope, .putPart(part), payload: parts[number].payload)
    }
}
