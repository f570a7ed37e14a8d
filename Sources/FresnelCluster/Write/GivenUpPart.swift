import FresnelModel
import FresnelWire

/// The newest part that was given up in a shard, and what its replicas made of it.
///
/// Its client is answered; the replicas must still come to agree, for nothing may be written behind
/// it for hours. Older ones need no memory: who lacks one of them refuses this one.
struct GivenUpPart: Sendable {
    let sequence: SequenceNumber
    let isSuperseding: Bool
    /// The attempts whose answers are awaited.
    private var awaited: [WorkerID: UInt32] = [:]
    private var votes: [WorkerID: PartVote] = [:]
    /// Why those that refused it did.
    private var departures: [WorkerID: Departure] = [:]
    /// The number under which one that journaled nothing has it from before: so has whoever stands
    /// there or beyond.
    private var applied: SequenceNumber?

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
        if !ack.hasError, ack.appliedSequence > 0, ack.appliedSequence <= ack.lastSequence,
            ack.lastSequence < sequence.value
        {
            applied = SequenceNumber(ack.appliedSequence)
        }
        departures[worker] = PartVote.departure(after: ack)
    }

    /// A replica opens and shows what it has.
    mutating func note(_ worker: WorkerID, opensAt last: SequenceNumber) {
        votes[worker] = last >= sequence ? .repeated : .refused(last: last.value)
        departures[worker] = .outOfStep
    }

    /// A replica went: what it says when it opens again counts.
    mutating func forget(_ worker: WorkerID) {
        awaited[worker] = nil
        votes[worker] = nil
    }

    /// What these replicas make of it together; nil while one has not spoken.
    ///
    /// - Parameter head: the newest part that an open replica was sent. One that was open when this
    ///   part was given up, and never got it, lacks it wherever it stands now.
    func verdict(of workers: [WorkerID], head: (WorkerID) -> SequenceNumber?) -> Verdict? {
        let known = workers.compactMap { worker -> (WorkerID, PartVote)? in
            if let vote = votes[worker] { return (worker, counted(vote)) }
            guard awaited[worker] == nil, let head = head(worker) else { return nil }
            return (worker, counted(.refused(last: head.value)))
        }
        guard known.count == workers.count, !known.isEmpty else { return nil }
        // Who has it from before says nothing about what came of it.
        let taken = known.lazy.map(\.1).first { $0.isTaken }
        let comparable = known.map {
            (worker: $0.0, vote: $0.1 == .repeated ? taken ?? $0.1 : $0.1)
        }
        let losers = PartVote.losers(comparable)
        guard losers.isEmpty else { return .differ(losers) }
        if case .refused(let last) = comparable[0].vote {
            return .refused(last: SequenceNumber(last))
        }
        return .taken
    }

    /// A vote, knowing that what was refused may be there from before.
    private func counted(_ vote: PartVote) -> PartVote {
        guard let applied, case .refused(let last) = vote, last >= applied.value else {
            return vote
        }
        return .repeated
    }

    /// Why a replica that must leave is not like the others.
    func departure(of worker: WorkerID) -> Departure { departures[worker] ?? .outOfStep }

    /// Whether a replica has spoken.
    func hasVote(of worker: WorkerID) -> Bool { votes[worker] != nil }

    enum Verdict: Hashable, Sendable {
        case taken
        /// By all, which stand there.
        case refused(last: SequenceNumber)
        /// These must leave.
        case differ([WorkerID])
    }
}

// What becomes of parts whose batch was given up: an answer that comes late still counts among
// replicas, since the part may be the last one for hours.
extension WriteTable {
    /// Remembers a part that was sent and is given up.
    mutating func giveUp(
        _ part: PendingPart, under sequence: SequenceNumber, of shard: ShardKey
    ) {
        guard sequence > givenUp[shard]?.sequence ?? .zero else { return }
        givenUp[shard] = GivenUpPart(part, under: sequence)
    }

    /// Takes in an answer to a part which no client waits for any more.
    mutating func settleLate(
        _ ack: WirePartAck, sequence: SequenceNumber, from worker: WorkerID, attempt: UInt32
    ) -> [Action] {
        let shard = ShardKey(index: ack.index, shard: ShardID(ack.shard))
        if !ack.hasError {
            // It stands there now, also where it refused the part before.
            shards[shard]?.lanes[worker]?
                .stand(at: SequenceNumber(ack.lastSequence), after: sequence)
        }
        // What one of several has the others may not have.
        if !ack.hasError, shards[shard]?.inSync.count == 1 {
            let applied = min(SequenceNumber(ack.appliedSequence), sequence)
            doubtful.settle(shard, through: applied == .zero ? sequence : applied)
        }
        guard givenUp[shard]?.sequence == sequence else { return pump(shard) }
        givenUp[shard]?.note(ack, from: worker, attempt: attempt)
        return judgeGivenUp(shard) + pump(shard)
    }

    /// A replica in sync shows that it has more than it said: a part that it refused is there.
    ///
    /// The next part follows what is there. Where others are open that refused it as well, it
    /// goes: parts of a shard reach all of them behind the same former one.
    mutating func stand(
        _ shard: ShardKey, on worker: WorkerID, at last: SequenceNumber
    ) -> [Action] {
        guard let state = shards[shard], state.gate <= durable, let lane = state.lanes[worker],
            !lane.isTailing, last > lane.head, last <= lastSequence(of: shard.index) ?? .zero
        else { return [] }
        guard state.openInSync == [worker] else {
            let text = "it has part \(last.value), which it refused, and the others have not"
            return [.exclude(worker, shard, .outOfStep, because: text)]
        }
        shards[shard]?.lanes[worker]?.head = last
        shards[shard]?.agreed = max(state.agreed, last)
        if state.inSync.count == 1 {
            shards[shard]?.acknowledged = max(state.acknowledged, last)
            doubtful.settle(shard, through: last)
        }
        givenUp[shard]?.note(worker, opensAt: last)
        return judgeGivenUp(shard) + pump(shard)
    }

    /// Looks whether the replicas have all spoken of the part that was given up.
    mutating func judgeGivenUp(_ shard: ShardKey) -> [Action] {
        guard let state = shards[shard], state.gate <= durable, let part = givenUp[shard],
            let verdict = verdict(on: part, shard, of: state.inSync)
        else { return [] }
        switch verdict {
        case .differ(let losers):
            let text = "it has not got part \(part.sequence.value) as the others have"
            return losers.map { .exclude($0, shard, part.departure(of: $0), because: text) }
        case .taken: doubtful.settle(shard, through: part.sequence)
        case .refused(let last):
            // The next part follows what is there.
            for worker in state.inSync where state.lanes[worker]?.head == part.sequence {
                shards[shard]?.lanes[worker]?.head = last
            }
        }
        var actions: [Action] = []
        for worker in state.tailing where part.hasVote(of: worker) {
            let isSame = self.verdict(on: part, shard, of: state.inSync + [worker]) == verdict
            actions +=
                isSame
                ? announce(worker, shard)
                : drop(tail: worker, of: shard, because: "it made something else of a part")
        }
        if state.tailing.allSatisfy(part.hasVote) { givenUp[shard] = nil }
        return actions
    }

    /// Whether a replica that catches up has made of the part that was given up what the others
    /// have, or there is none.
    func agreesOnGivenUp(_ shard: ShardKey, _ worker: WorkerID) -> Bool {
        // One that is away is measured by what it has when it comes back.
        guard let part = givenUp[shard], let present = shards[shard]?.openInSync else {
            return true
        }
        switch verdict(on: part, shard, of: present + [worker]) {
        case .taken, .refused: return true
        case .differ, nil: return false
        }
    }

    private func verdict(
        on part: GivenUpPart, _ shard: ShardKey, of workers: [WorkerID]
    ) -> GivenUpPart.Verdict? {
        part.verdict(of: workers) { shards[shard]?.lanes[$0]?.head }
    }
}
