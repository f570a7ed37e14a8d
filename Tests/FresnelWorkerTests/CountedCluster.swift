@testable import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire

/// Three shards on two workers and a broker's query table, without sessions, network or threads.
struct CountedCluster {
    /// What a client was sent.
    struct Answer {
        var done = WireDone()
        var bodies: [[UInt8]] = []
        var keys: [[UInt8]] = []
        /// Whether a worker found the statistics that it was given old.
        var hadObjection = false
    }

    static let start = Instant(nanoseconds: 1_000_000_000)
    private let settings: [ReplicaSettings]
    private let replicas: [ReplicaIndex]
    private let time = ManualTime()
    private(set) var sequence = SequenceNumber.zero
    private var requests: UInt64 = 0
    private var holdsRelated = false
    /// Whether workers keep what they matched while they counted.
    var keepsMatches = false
    private var kept: [UInt32: CountedMatches] = [:]

    init() throws {
        let environment = Environment(
            time: time, chance: SeededRandom(seed: 1), storage: MemoryStorage())
        let settings = (0..<3).map {
            ReplicaSettings(
                index: "items", shard: ShardID(UInt32($0)), shardCount: 3, customKeys: [])
        }
        self.settings = settings
        replicas = try settings.map {
            try ReplicaIndex(
                opening: "/\($0.shard.number)", settings: $0, environment: environment)
        }
    }

    /// The newest part of each shard.
    var sequences: [SequenceNumber] { replicas.map(\.lastSequence) }

    /// Applies a batch to the shards that it concerns.
    mutating func apply(_ operations: [BatchOperation], at now: Timestamp) throws {
        var builder = PutBuilder(WirePut())
        for operation in operations { _ = try builder.append(operation) }
        sequence = sequence.next
        let put = builder.message
        holdsRelated = holdsRelated || put.operations.contains(where: \.routedByRelation)
        let parts = try BatchCoding.split(
            put, payload: builder.payload, shardCount: 3, holdsRelated: holdsRelated)
        for part in parts {
            let replica = replicas[Int(part.shard.number)]
            _ = replica.apply(
                PartInput(
                    sequence: sequence, previous: replica.lastSequence,
                    batch: BatchIdentity(client: 7, number: sequence.value),
                    operations: part.operations, payload: part.payload, stampedAt: now,
                    context: QueryContext(now: now)))
        }
    }

    func merge(at now: Timestamp) throws {
        var policy = MergePolicy()
        (policy.tinyWidth, policy.tinyRatio) = (2, 1 << 20)
        let expired = Timestamp(seconds: now.seconds - 3600)
        for replica in replicas { _ = try replica.merge(expiredBy: expired, policy: policy) }
    }

    /// Asks at a snapshot; `known` is what the broker believes to be each shard's newest part.
    mutating func ask(
        _ search: WireSearch, at snapshot: SequenceNumber, known: [SequenceNumber],
        through table: inout QueryTable
    ) throws -> Answer {
        let shards = known.indices.map { number in
            SearchableShard(
                index: "items", shard: ShardID(UInt32(number)),
                worker: WorkerID(number < 2 ? "a" : "b"), snapshot: snapshot, documents: 0,
                settledSequence: known[number])
        }
        let plan = try QueryPlan(
            search, shards: shards, schema: AttributeSchema(),
            at: Moment(instant: Self.start, wall: Timestamp(wholeSeconds: 0)))
        requests += 1
        let envelope = Envelope(id: RequestID(high: 9, low: requests))
        var due = table.start(
            plan, request: envelope, client: SessionID(1), at: Self.start,
            deadline: Self.start + .seconds(10))
        var answer = Answer()
        while !due.isEmpty {
            switch due.removeFirst() {
            case .toWorker(let worker, let message):
                for reply in try replies(to: message, &answer) {
                    due += table.receive(reply, from: worker, at: Self.start) ?? []
                }
            case .toClient(_, let message): try Self.note(message, in: &answer)
            }
        }
        return answer
    }

    private static func note(_ message: Message, in answer: inout Answer) throws {
        if case .done(let done) = message.command { answer.done = done }
        guard case .found = message.command else { return }
        let batch = try HitBatchReader(message.payload ?? [])
        for place in 0..<batch.count {
            answer.keys.append(Array(batch.key(place)))
            answer.bodies.append(Array(batch.body(place)))
        }
    }

    /// What a worker answers to one message.
    private mutating func replies(to message: Message, _ answer: inout Answer) throws -> [Message] {
        switch message.command {
        case .statistics(let subquery):
            return [try counted(subquery, message.envelope)]
        case .subquery(let subquery):
            guard subquery.statistics.isTrue(of: targets(of: subquery)) else {
                answer.hadObjection = true
                return [try counted(subquery, message.envelope)]
            }
            return try found(subquery, message.envelope)
        default: return []
        }
    }

    private mutating func counted(
        _ subquery: WireSubquery, _ envelope: Envelope
    ) throws -> Message {
        let plan = try SearchPlan(search: subquery.search, schema: AttributeSchema())
        let counted = try ShardStatistics.matches(
            of: plan, in: targets(of: subquery), control: SearchControl(time: time))
        kept[envelope.part] = keepsMatches ? counted : nil
        return Message(envelope, .statisticsReply(counted.statistics))
    }

    private mutating func found(
        _ subquery: WireSubquery, _ envelope: Envelope
    ) throws -> [Message] {
        let counted = kept.removeValue(forKey: envelope.part)
        let plan = try SearchPlan(search: subquery.search, schema: AttributeSchema())
        let search = ShardSearch(
            plan, counts: MatchCounts(subquery.statistics), control: SearchControl(time: time),
            counted: counted)
        var matched = search.run(counted?.targets ?? targets(of: subquery))
        var messages: [Message] = []
        while matched.hits.remaining > 0 {
            let batch = try matched.hits.nextBatch(maximumItems: 10, maximumBytes: 1 << 16)
            var found = WireFound()
            found.items = UInt64(batch.items)
            var numbered = envelope
            numbered.sequence = UInt64(messages.count)
            messages.append(Message(numbered, .found(found), payload: batch.payload))
        }
        var done = WirePartDone()
        done.shards = matched.reports
        return messages + [Message(envelope, .partDone(done))]
    }

    private func targets(of subquery: WireSubquery) -> [SearchTarget] {
        subquery.targets.map { target in
            SearchTarget(
                index: "items", shard: ShardID(target.shard),
                snapshot: replicas[Int(target.shard)].snapshot,
                sequence: SequenceNumber(target.snapshot))
        }
    }
}
