import FresnelModel
import FresnelWire

/// One shard's share of one step of a batch.
struct PendingPart: Sendable {
    /// The steps of a batch, one after the other.
    enum Step: Hashable, Sendable {
        /// What the client asked for.
        case operations
        /// What shards must forget because the new versions stand in others.
        case supersedes
    }

    enum State: Hashable, Sendable {
        /// The shard has no live worker, or the part is not yet allowed to start.
        case held
        /// Sent to some replica.
        case sent
        case acknowledged
        case failed

        var isSettled: Bool {
            switch self {
            case .held, .sent: false
            case .acknowledged, .failed: true
            }
        }
    }

    let shard: ShardID
    let step: Step
    private(set) var operations: [WireOperation]
    private(set) var payload: [UInt8]
    var state = State.held
    /// How often it was sent, to all replicas together.
    var attempt: UInt32 = 0
    /// Since when it is on its way: as its batch began, or as the next tick saw it; nil while
    /// nobody was sent it who may still answer.
    var sentAt: Instant?
    /// What the replicas that were sent it made of it.
    var tries: [WorkerID: PartTry] = [:]
    /// Behind which part each replica would journal it: as it was sent last to one that did not
    /// have it, kept when its worker goes.
    var places: [WorkerID: SequenceNumber] = [:]
    /// Under which the operations were applied: an earlier batch's if this one repeats it.
    var appliedSequence = SequenceNumber.zero

    init(_ part: BatchPart, step: Step) {
        shard = part.shard
        self.step = step
        operations = part.operations
        payload = part.payload
    }

    /// Keeps a place in the shard's order for what the first step may make necessary.
    init(reserving shard: ShardID) {
        self.shard = shard
        step = .supersedes
        operations = []
        payload = []
    }

    /// Whether it was sent, and nobody has noted when.
    var isSentUnnoted: Bool { state == .sent && sentAt == nil }

    /// Forgets that it was sent to a replica, and what that one said.
    mutating func forget(_ worker: WorkerID) {
        tries[worker] = nil
        if tries.isEmpty { (state, sentAt) = (.held, nil) }
    }

    /// Gives a reserved place its content.
    mutating func fill(_ part: BatchPart) {
        operations = part.operations
        payload = part.payload
    }
}

/// The newest time that a part was sent to one replica.
struct PartTry: Sendable {
    /// Only a refusal of the newest try counts.
    let attempt: UInt32
    /// Its place in the shard's journal chain.
    let previous: SequenceNumber
    var answer: WirePartAck?

    /// Whether the replica has it from before, under another number, and journaled nothing now.
    func isRepeated(under sequence: SequenceNumber) -> Bool {
        answer.map { !$0.hasError && $0.lastSequence < sequence.value } ?? false
    }
}

/// Names one step of a batch in a shard's queue.
struct PendingStep: Hashable, Sendable {
    let batch: BatchKey
    let step: PendingPart.Step
}
