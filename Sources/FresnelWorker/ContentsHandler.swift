import FresnelCluster
import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelWire
import ZeroMQ

/// The worker's thread that sums up what replicas contain, so that the broker can compare them.
///
/// What it has summed up of a segment it keeps, so that the next question costs what changed.
final class ContentsHandler: LoopHandler {
    private let table: ReplicaTable
    private let report: @Sendable (WireReplicaDigest) -> Void
    private var known: [ShardKey: Known] = [:]

    /// What was summed up of one open replica; of one that was closed it means nothing.
    private struct Known {
        weak var index: ReplicaIndex?
        var memory: ContentDigestMemory
    }

    init(table: ReplicaTable, report: @escaping @Sendable (WireReplicaDigest) -> Void) {
        self.table = table
        self.report = report
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: WireCheckReplica) { report(answer(mail)) }

    func finishTurn() -> Duration? { nil }

    func stop() {}

    /// What a replica contains as of a part, or why that cannot be said.
    func answer(_ question: WireCheckReplica) -> WireReplicaDigest {
        let shard = ShardKey(index: question.index, shard: ShardID(question.shard))
        var answer = WireReplicaDigest()
        answer.index = question.index
        answer.shard = question.shard
        answer.epoch = question.epoch
        answer.round = question.round
        answer.sequence = question.sequence
        guard let index = table[shard] else {
            known[shard] = nil
            answer.failure = WireFailure(.shardUnavailable, "the shard is not open here")
            return answer
        }
        let snapshot = index.snapshot
        if snapshot.oldestInstant.isFinite { answer.droppedUntil = snapshot.oldestInstant }
        let sequence = SequenceNumber(question.sequence)
        guard let now = Timestamp(seconds: question.now), sequence <= snapshot.sequence,
            snapshot.oldestReadable <= sequence, snapshot.oldestInstant <= now.seconds
        else {
            answer.failure = WireFailure(
                .gap,
                "the shard can be read from \(snapshot.oldestReadable.value) to "
                    + "\(snapshot.sequence.value) here, as of what had expired by then or later")
            return answer
        }
        let digest: ContentDigest
        if question.salt == 0 {
            var memory = ContentDigestMemory()
            if let former = known[shard], former.index === index { memory = former.memory }
            digest = memory.digest(of: snapshot, at: sequence, now: now)
            known[shard] = Known(index: index, memory: memory)
        } else {
            // What was summed up before says nothing of a salt: every document is read.
            var memory = ContentDigestMemory(salt: question.salt)
            digest = memory.digest(of: snapshot, at: sequence, now: now)
            answer.salt = question.salt
        }
        answer.documents = digest.documents
        answer.hashHigh = digest.hash.high
        answer.hashLow = digest.hash.low
        return answer
    }
}
