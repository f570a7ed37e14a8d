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
        /// Sent; its place in the shard's journal chain is `previous`.
        case sent(previous: SequenceNumber)
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
    /// How often it was sent: only a refusal of the newest try counts.
    var attempt: UInt32 = 0
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

    /// Gives a reserved place its content.
    mutating func fill(_ part: BatchPart) {
        operations = part.operations
        payload = part.payload
    }
}

/// Names one step of a batch in a shard's queue.
struct PendingStep: Hashable, Sendable {
    let batch: BatchKey
    let step: PendingPart.Step
}
