@testable import FresnelCluster
import FresnelModel
import FresnelWire

/// What a worker's disk holds of one shard: every journaled part, and the documents they make.
///
/// Plain and exact: parts are named for ever, so a repeated one changes nothing, and a part that
/// does not follow the newest one, or lies before it in its client's order, is refused. Every
/// version of a document keeps the sequence numbers between which it lived.
struct StoredShard {
    struct Version {
        let document: Document
        let created: SequenceNumber
        var deleted: SequenceNumber?

        func isVisible(at snapshot: SequenceNumber) -> Bool {
            created <= snapshot && (deleted.map { $0 > snapshot } ?? true)
        }
    }

    let key: ShardKey
    /// Drawn when it was made.
    let identity: UInt64
    /// The index that it was made for, and how many shards that has; 0 where that was not said.
    var index = IndexIdentity.unknown
    var shardCount: UInt32 = 0
    /// Whether a bit flipped in a file that is read when it is opened.
    var isDamaged = false
    /// What changed in it where no query looks; 0 for nothing.
    var stain: UInt64 = 0
    private(set) var lastSequence = SequenceNumber.zero
    /// The numbers of all parts, in order.
    private(set) var chain: [SequenceNumber] = []
    private(set) var versions: [Version] = []
    private var answers: [BatchKey: WirePartAck] = [:]
    /// What each batch stands for, as its broker said.
    private var digests: [BatchKey: UInt64] = [:]
    /// The newest batch number of each client.
    private var newest: [UInt64: UInt64] = [:]
    private var holdsRelated = false

    init(_ key: ShardKey, identity: UInt64) {
        self.key = key
        self.identity = identity
    }

    /// Takes over everything but the identity.
    mutating func take(from other: StoredShard) {
        lastSequence = other.lastSequence
        chain = other.chain
        versions = other.versions
        answers = other.answers
        digests = other.digests
        newest = other.newest
        holdsRelated = other.holdsRelated
        stain = other.stain
    }

    func documents(at snapshot: SequenceNumber) -> [Document] {
        versions.filter { $0.isVisible(at: snapshot) }.map(\.document)
    }

    var inventory: WireShardInventory {
        var inventory = WireShardInventory()
        inventory.index = key.index
        inventory.shard = key.shard.number
        inventory.lastSequence = lastSequence.value
        inventory.documents = UInt64(versions.count { $0.deleted == nil })
        inventory.holdsRelated = holdsRelated
        inventory.identity = identity
        return inventory
    }

    /// Journals and applies a part, or says why not.
    mutating func ingest(
        _ part: WirePutPart, sequence: SequenceNumber, payload: [UInt8]
    ) -> WirePartAck {
        let name = BatchKey(part)
        if !part.superseding, var answer = answers[name] {
            if digests[name] != part.batchDigest {
                answer.error = WireFailure(
                    .batchNumberReused, "batch \(part.batchNumber) was another one")
            }
            answer.lastSequence = lastSequence.value
            return answer
        }
        var ack = WirePartAck()
        ack.index = key.index
        ack.shard = key.shard.number
        ack.lastSequence = lastSequence.value
        if part.superseding, sequence <= lastSequence { return ack }
        // A part that was refused here, and comes again although later ones of its client are
        // journaled, would put old documents over new ones.
        guard part.superseding || part.batchNumber > newest[part.clientLow] ?? 0 else {
            ack.error = WireFailure(
                .batchNumberReused, "batch \(part.batchNumber) lies before what is journaled")
            return ack
        }
        guard part.previousSequence == lastSequence.value, sequence > lastSequence else {
            ack.error = WireFailure(
                .gap, "at \(lastSequence.value), the part follows \(part.previousSequence)")
            return ack
        }
        lastSequence = sequence
        chain.append(sequence)
        if !part.superseding { newest[part.clientLow] = part.batchNumber }
        ack.appliedSequence = sequence.value
        ack.lastSequence = sequence.value
        for operation in part.operations {
            do {
                let change = try BatchOperation(operation, payload: payload)
                guard !Self.namesNothing(change) else {
                    ack.refusals.append(Self.refused(operation))
                    continue
                }
                ack.deleted += apply(change, at: sequence)
                if operation.routedByRelation { holdsRelated = true }
            } catch {
                var result = WireItemResult()
                result.position = operation.position
                result.code = error.code.number
                result.message = "\(error)"
                ack.refusals.append(result)
            }
        }
        ack.holdsRelated = holdsRelated
        if !part.superseding {
            answers[name] = ack
            digests[name] = part.batchDigest
        }
        return ack
    }

    /// What clients name as related when they want to be refused.
    static let nothing = "nothing"

    private static func namesNothing(_ change: BatchOperation) -> Bool {
        guard case .index(let document) = change else { return false }
        return document.relatedUniqueIdentifier?.hasPrefix(nothing) == true
    }

    private static func refused(_ operation: WireOperation) -> WireItemResult {
        var result = WireItemResult()
        result.position = operation.position
        result.code = ErrorCode.invalidItem.number
        result.message = "it names no stored document"
        return result
    }

    /// What an unwilling disk answers.
    func refusal(_ code: ErrorCode = .storageFailed) -> WirePartAck {
        var ack = WirePartAck()
        ack.index = key.index
        ack.shard = key.shard.number
        ack.lastSequence = lastSequence.value
        ack.error = WireFailure(code, "the simulated disk refuses")
        return ack
    }

    private mutating func apply(_ change: BatchOperation, at sequence: SequenceNumber) -> UInt64 {
        switch change {
        case .index(let document):
            remove(at: sequence) { $0.uniqueIdentifier == document.uniqueIdentifier }
            versions.append(Version(document: document, created: sequence))
            return 0
        case .deleteIdentifier(let identifier):
            return remove(at: sequence) { $0.uniqueIdentifier == identifier }
        case .supersede(let identifier, let newest):
            remove(at: sequence, upTo: newest) { $0.uniqueIdentifier == identifier }
            return 0
        case .deleteDomain(let domain):
            return remove(at: sequence) { $0.domainIdentifier == domain }
        case .deleteAll:
            return remove(at: sequence) { _ in true }
        case .update, .deleteQuery:
            preconditionFailure("the simulated clients do not send \(change.kind)")
        }
    }

    @discardableResult
    private mutating func remove(
        at sequence: SequenceNumber, upTo newest: SequenceNumber = SequenceNumber(.max),
        where isMeant: (Document) -> Bool
    ) -> UInt64 {
        var count: UInt64 = 0
        for number in versions.indices
        where versions[number].deleted == nil && versions[number].created <= newest
            && isMeant(versions[number].document)
        {
            versions[number].deleted = sequence
            count += 1
        }
        return count
    }
}

extension BatchKey {
    /// The name of the batch that a part belongs to.
    init(_ part: WirePutPart) {
        var put = WirePut()
        put.index = part.index
        put.clientHigh = part.clientHigh
        put.clientLow = part.clientLow
        put.batchNumber = part.batchNumber
        self.init(put)
    }
}
