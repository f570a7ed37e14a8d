import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelCluster

/// Broker and workers with their real decisions, over the replicas of a history.
///
/// Everything but sessions, network and threads. Messages of different workers arrive in random
/// order.
final class AnsweringCluster {
    /// What a client was sent.
    struct Answer {
        var hits: [HitBody] = []
        var keys: [[UInt8]] = []
        var done = WireDone()
        /// Why the query never ran.
        var refusal: WireFailure?
    }

    private static let client = SessionID(1)
    private var table = QueryTable()
    private var workers: [WorkerID: AnsweringWorker] = [:]
    private var generator: SeededGenerator
    private var requests: UInt64 = 0
    /// What each worker sent and the broker has not received.
    private var inbox: [WorkerID: [Message]] = [:]

    /// - Parameter shards: how many there are; workers hold two each.
    init(shards: UInt32, seed: UInt64) {
        generator = SeededGenerator(seed: seed)
        for shard in 0..<shards {
            let name = Self.worker(of: ShardID(shard))
            let windowHits = Int.random(in: 1...12, using: &generator)
            workers[name] = workers[name] ?? AnsweringWorker(name, windowHits: windowHits)
        }
    }

    private static func worker(of shard: ShardID) -> WorkerID { WorkerID("w\(shard.number / 2)") }

    /// Asks for an answer and takes it, one to four hits at a time.
    func answer(_ search: WireSearch, _ history: ReplicaHistory) throws -> Answer {
        var search = search
        search.coverage = 1
        search.creditBytes = 1 << 24
        search.creditItems = search.countOnly ? 0 : 1 + UInt64.random(in: 0..<4, using: &generator)
        for (settings, replica) in zip(history.settings, history.replicas) {
            let key = ShardKey(index: settings.index, shard: settings.shard)
            workers[Self.worker(of: settings.shard)]?.host(key, replica)
        }
        let moment = Moment(instant: AnsweringWorker.now, wall: history.now)
        let plan = try QueryPlan(
            search, shards: shards(of: history), schema: history.model.schema, at: moment)
        requests += 1
        let envelope = Envelope(id: RequestID(high: 9, low: requests))
        var answer = Answer()
        var granted = search.creditItems
        try carryOut(
            table.start(
                plan, request: envelope, client: Self.client, at: moment.instant,
                deadline: moment.instant + .seconds(10)), &answer)
        while table.count > 0 {
            if let (worker, message) = nextMessage() {
                try carryOut(
                    table.receive(message, from: worker, at: moment.instant) ?? [], &answer)
            } else {
                try #require(answer.hits.count == granted, "nobody has anything to do")
                granted += 1 + UInt64.random(in: 0..<4, using: &generator)
                var credit = WireCredit()
                (credit.items, credit.bytes) = (granted, granted << 20)
                try carryOut(
                    table.grant(
                        credit, to: envelope.id, of: Self.client, at: moment.instant), &answer)
            }
        }
        return answer
    }

    private func shards(of history: ReplicaHistory) -> [SearchableShard] {
        zip(history.settings, history.replicas).map { settings, replica in
            SearchableShard(
                index: settings.index, shard: settings.shard,
                worker: Self.worker(of: settings.shard), snapshot: history.sequence,
                documents: 0, settledSequence: replica.lastSequence)
        }
    }

    /// A message of any worker that sent one; those of one worker in their order.
    private func nextMessage() -> (WorkerID, Message)? {
        let ready = inbox.filter { !$0.value.isEmpty }.keys.sorted()
        guard let worker = ready.randomElement(using: &generator),
            let message = inbox[worker]?.removeFirst()
        else { return nil }
        return (worker, message)
    }

    private func carryOut(_ actions: [QueryTable.Action], _ answer: inout Answer) throws {
        for action in actions {
            switch action {
            case .toWorker(let worker, let message):
                inbox[worker, default: []] += workers[worker]?.answers(to: message) ?? []
            case .toClient(_, let message): try Self.note(message, in: &answer)
            }
        }
    }

    private static func note(_ message: Message, in answer: inout Answer) throws {
        switch message.command {
        case .done(let done): answer.done = done
        case .found:
            let batch = try HitBatch(message.payload ?? [], mayBeFrontCoded: true).whole
            for place in 0..<batch.count {
                answer.keys.append(Array(batch.key(place)))
                answer.hits.append(try HitBody(batch.bytes, in: batch.bodyRange(place)))
            }
        default: break
        }
    }
}
