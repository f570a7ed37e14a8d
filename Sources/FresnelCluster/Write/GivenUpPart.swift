import FresnelModel
import FresnelWire

/// The newest part that was given up in a shard of several replicas, and what they made of it.
///
/// Its client is answered; its replicas must still come to agree, for nothing may be written behind
/// it for hours. Older ones need no memory: who lacks one of them refuses this one.
struct GivenUpPart: Sendable {
    let sequence: SequenceNumber
    let isSuperseding: Bool
    /// The attempts whose answers are awaited.
    private var awaited: [WorkerID: UInt32] = [:]
    private var votes: [WorkerID: PartVote] = [:]

    init(_ part: PendingPart, under sequence: SequenceNumber) {
        self.sequence = sequence
        isSuperseding = part.step == .supersedes
        for (worker, sent) in part.tries {
            awaited[worker] = sent.attempt
            if let answer = sent.answer { note(answer, from: worker, attempt: sent.attempt) }
        }
    }

    /// A replica answers; a refusal counts as the answer to its newest attempt only.
    mutating func note(_ ack: WirePartAck, from worker: WorkerID, attempt: UInt32) {
        guard let sent = awaited[worker], !ack.hasError || sent == attempt else { return }
        votes[worker] = PartVote(ack, isSuperseding: isSuperseding)
    }

    /// A replica opens and shows what it has.
    mutating func note(_ worker: WorkerID, opensAt last: SequenceNumber) {
        votes[worker] = last >= sequence ? .repeated : .refused(last: last.value)
    }

    /// A replica went: what it says when it opens again counts.
    mutating func forget(_ worker: WorkerID) {
        awaited[worker] = nil
        votes[worker] = nil
    }

    /// What these replicas make of it together; nil while one has not spoken.
    func verdict(of workers: [WorkerID]) -> Verdict? {
        let known = workers.compactMap { worker in votes[worker].map { (worker, $0) } }
        guard known.count == workers.count, !known.isEmpty else { return nil }
        // Who has it from before says nothing about what came of it.
        let taken = known.lazy.map(\.1).first { $0.isTaken }
        let comparable = known.map {
            (worker: $0.0, vote: $0.1 == .repeated ? taken ?? $0.1 : $0.1)
        }
        let losers = PartVote.losers(comparable)
        guard losers.isEmpty else { return .differ(losers) }
        if case .refused = comparable[0].vote { return .refused }
        return .taken
    }

    enum Verdict: Hashable, Sendable {
        case taken
        case refused
        /// These must leave.
        case differ([WorkerID])
    }
}

// What becomes of parts whose batch was given up: an answer that comes late still counts among
// replicas, since the part may be the last one for hours.
extension WriteTable {
    /// Remembers a part that was sent to several replicas and is given up.
    mutating func giveUp(
        _ part: PendingPart, under sequence: SequenceNumber, of shard: ShardKey
    ) {
        guard let state = shards[shard], state.inSync.count > 1,
            sequence > givenUp[shard]?.sequence ?? .zero
        else { return }
        givenUp[shard] = GivenUpPart(part, under: sequence)
    }

    /// Takes in an answer to a part which no client waits for any more.
    mutating func settleLate(
        _ ack: WirePartAck, sequence: SequenceNumber, from worker: WorkerID, attempt: UInt32
    ) -> [Action] {
        let shard = ShardKey(index: ack.index, shard: ShardID(ack.shard))
        if givenUp[shard]?.sequence == sequence {
            givenUp[shard]?.note(ack, from: worker, attempt: attempt)
            return judgeGivenUp(shard)
        }
        // What one of several has the others may not have.
        guard !ack.hasError, shards[shard]?.inSync.count == 1 else { return [] }
        let applied = min(SequenceNumber(ack.appliedSequence), sequence)
        doubtful.settle(shard, through: applied == .zero ? sequence : applied)
        return []
    }

    /// Looks whether the in-sync replicas have all spoken of the part that was given up.
    mutating func judgeGivenUp(_ shard: ShardKey) -> [Action] {
        guard let state = shards[shard], state.gate <= durable, let part = givenUp[shard],
            let verdict = part.verdict(of: state.inSync)
        else { return [] }
        switch verdict {
        case .differ(let losers):
            let text = "it has not got part \(part.sequence.value) as the others have"
            return losers.map { .exclude($0, shard, because: text) }
        case .taken: doubtful.settle(shard, through: part.sequence)
        case .refused: break
        }
        givenUp[shard] = nil
        return []
    }
}
