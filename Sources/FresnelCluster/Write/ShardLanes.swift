import FresnelModel
import FresnelWire

/// How the parts of one shard reach its replicas.
///
/// Every replica gets the same parts in the same order, each behind the same former one. A part is
/// settled when all that are in sync have answered, and have answered the same; one that has not,
/// or has answered something else, is taken out of the in-sync set first (`BrokerCore.exclude`).
struct ShardLanes: Sendable {
    /// The workers whose answers count, in the cluster state's order, also those that are away.
    var inSync: [WorkerID] = []
    /// The replicas that can take parts now: those in sync, and those that catch up.
    var lanes: [WorkerID: ReplicaLane] = [:]
    /// The version of the cluster state that must be durable before anything goes on: that of the
    /// newest exclusion.
    var gate: UInt64 = 0
    /// The newest part that all in-sync replicas have: acknowledged, or there when they opened.
    var agreed = SequenceNumber.zero
    /// The newest part that was acknowledged for certain, also by former processes: whoever comes
    /// back without it lost something.
    var acknowledged = SequenceNumber.zero
    /// Whether a replica was open here before.
    var wasOpen = false
    /// Until when no new part is sent, so that a replica that catches up can come to have
    /// everything; nil where nobody is waited for.
    var pausedUntil: Instant?
    /// When that was over last: what waited was late for no fault of a replica.
    var resumedAt: Instant?
    /// Parts that were settled while replicas catch up; nil while none does.
    var backlog: PartBacklog?

    /// The in-sync replicas that can take parts now.
    var openInSync: [WorkerID] { inSync.filter { lanes[$0] != nil } }

    /// The replicas that catch up, in a fixed order.
    var tailing: [WorkerID] { lanes.keys.filter { lanes[$0]?.isTailing == true }.sorted() }

    /// The newest part of the in-sync replicas, where they all have, or were sent, the same.
    var commonHead: SequenceNumber? {
        let heads = inSync.map { lanes[$0]?.head }
        guard let head = heads.first, heads.allSatisfy({ $0 == head }) else { return nil }
        return head
    }
}

/// The way to one replica.
struct ReplicaLane: Sendable {
    /// The newest part that it has, or was sent.
    var head: SequenceNumber
    /// The replica's epoch in the cluster state, which its parts name.
    let epoch: Epoch
    /// Whether it catches up: its answers are no acknowledgement yet.
    var isTailing = false
    /// The newest part that it is known to have.
    var acknowledged: SequenceNumber
    /// Of one that catches up: settled parts that it has not answered, with what the others said.
    var owed: [SequenceNumber: PartVote] = [:]
    /// The newest part that it has from before, under another number, and was sent others behind:
    /// it journals nothing under this one, and refuses those.
    private(set) var repeated: SequenceNumber?

    /// The replica took a part, and its journal ends with `last`.
    ///
    /// What was applied before under another number is in no journal under this one.
    mutating func stand(at last: SequenceNumber, after sequence: SequenceNumber) {
        if last < sequence, head > sequence { repeated = sequence }
        head = head == sequence ? last : max(head, last)
    }
}

/// What replicas must agree upon: a replica that answers otherwise is another one.
enum PartVote: Hashable, Sendable {
    /// Journaled, with these operations refused, and so many documents deleted.
    case taken(refusals: [UInt32: Int32], deleted: UInt64)
    /// The whole part was refused by a replica that stands there.
    case refused(last: UInt64)
    /// It has the part from before; what it said then is not known any more.
    case repeated

    /// Whether the part was journaled now, with what came of it.
    var isTaken: Bool {
        if case .taken = self { true } else { false }
    }

    init(_ ack: WirePartAck, isSuperseding: Bool) {
        if ack.hasError {
            self = .refused(last: ack.lastSequence)
        } else if isSuperseding {
            self = .repeated
        } else {
            let codes = ack.refusals.map { ($0.position, $0.code) }
            self = .taken(
                refusals: Dictionary(codes) { first, _ in first }, deleted: ack.deleted)
        }
    }

    /// The workers whose vote is not the one that counts.
    ///
    /// What was journaled counts before what was refused, then what more replicas say, then who
    /// has more, then who comes first.
    static func losers(_ votes: [(worker: WorkerID, vote: PartVote)]) -> [WorkerID] {
        guard let first = votes.first?.vote, votes.contains(where: { $0.vote != first }) else {
            return []
        }
        let count = { (vote: PartVote) in votes.count { $0.vote == vote } }
        var best = first
        for (_, vote) in votes where vote.rank != best.rank || count(vote) > count(best) {
            if (vote.rank, UInt64(count(vote))) > (best.rank, UInt64(count(best))) { best = vote }
        }
        return votes.filter { $0.vote != best }.map(\.worker)
    }

    /// Why a replica that said this is not like the others.
    static func departure(after answer: WirePartAck) -> Departure {
        guard answer.hasError else { return .differing }
        return switch ErrorCode(number: answer.error.code) {
        case .diskFull: .diskFull
        case .storageFailed: .storageFailed
        default: .refusing
        }
    }

    /// The same for people.
    static func reason(_ answer: WirePartAck, on sequence: UInt64) -> String {
        answer.hasError
            ? "it refused part \(sequence), which others took: \(answer.error.message)"
            : "it made something else of part \(sequence) than the others"
    }

    private var rank: UInt64 {
        switch self {
        case .taken, .repeated: .max
        case .refused(let last): last
        }
    }
}

/// The newest settled parts of a shard, for replicas that catch up; bounded in bytes.
struct PartBacklog: Sendable {
    /// What a part takes beside its payload, about: deletions have none.
    private static let overheadBytes = 1 << 10

    struct Part: Sendable {
        let message: Message
        let previous: SequenceNumber
        let vote: PartVote

        var sequence: SequenceNumber { SequenceNumber(message.envelope.sequence) }
    }

    private(set) var parts: ArraySlice<Part> = []
    private var bytes = 0

    mutating func add(_ part: Part) {
        parts.append(part)
        bytes += Self.size(of: part)
        while bytes > Limits.replicaBacklogBytes, let oldest = parts.first {
            bytes -= Self.size(of: oldest)
            parts.removeFirst()
        }
    }

    private static func size(of part: Part) -> Int {
        overheadBytes + (part.message.payload?.count ?? 0)
    }

    /// How many parts are behind one; nil when some between are missing.
    func count(after last: SequenceNumber) -> Int? {
        let later = parts.drop { $0.sequence <= last }
        return later.first.map { $0.previous == last } ?? true ? later.count : nil
    }

    /// The parts behind one, if none between is missing; nil when some is.
    func parts(after last: SequenceNumber) -> [Part]? {
        let later = parts.drop { $0.sequence <= last }
        return later.first.map { $0.previous == last } ?? true ? Array(later) : nil
    }
}
