import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

/// The replicas of an index, one a shard, and their model, led through the same batches as a broker
/// would lead them.
struct ReplicaHistory {
    private let environment: Environment
    private let time: ManualTime
    let settings: [ReplicaSettings]
    private(set) var replicas: [ReplicaIndex]
    private(set) var model: ReplicaModel
    /// When the newest batch was stamped.
    private(set) var now = Timestamp(wholeSeconds: 86_400)
    private(set) var sequence = SequenceNumber.zero
    private var holdsRelated = false

    init(shardCount: UInt32 = 1, retention: Retention = .standard) throws {
        let schema = try MatchingChance.schema()
        time = ManualTime(unixSeconds: 978_307_200 + 86_400)
        environment = Environment(
            time: time, chance: SeededRandom(seed: 1), storage: MemoryStorage())
        settings = (0..<shardCount).map {
            ReplicaSettings(
                index: "default", shard: ShardID($0), shardCount: shardCount,
                expiration: .after(.seconds(Int(ReplicaModel.life))),
                customKeys: schema.sortedCustomKeys, retention: retention)
        }
        replicas = []
        model = ReplicaModel(schema: schema)
        try open()
    }

    private mutating func open() throws {
        replicas = try settings.map { settings in
            try ReplicaIndex(
                opening: "/data/default/\(settings.shard.number)", settings: settings,
                environment: environment)
        }
    }

    /// Lets time pass.
    mutating func wait(seconds: Double) {
        now = Timestamp(seconds: now.seconds + seconds) ?? now
        time.advance(byNanoseconds: Int64(seconds * 1e9))
    }

    /// Applies a batch in its two steps, and compares what it says of itself.
    mutating func apply(_ operations: [BatchOperation], _ note: String) throws {
        var builder = PutBuilder(WirePut())
        for operation in operations { #expect(try builder.append(operation)) }
        sequence = sequence.next
        let expected = try model.apply(operations, sequence, in: QueryContext(now: now))
        try apply(builder, expected, note)
    }

    private mutating func apply(
        _ builder: PutBuilder, _ expected: (refused: [Int], deleted: Int), _ note: String
    ) throws {
        let put = builder.message
        holdsRelated = holdsRelated || put.operations.contains(where: \.routedByRelation)
        let parts = try BatchCoding.split(
            put, payload: builder.payload, shardCount: UInt32(settings.count),
            holdsRelated: holdsRelated)
        var verdicts = ItemVerdicts(put.operations, holdsRelated: holdsRelated)
        var deleted: UInt64 = 0
        for part in parts {
            let outcome = try #require(apply(part, isSuperseding: false), "\(note)")
            verdicts.settle(part.operations, refusals: outcome.refusals)
            deleted += outcome.deleted
        }
        #expect(verdicts.results.map { Int($0.position) } == expected.refused, "\(note)")
        #expect(deleted == UInt64(expected.deleted), "\(note)")
        guard holdsRelated else { return }
        let accepted = put.operations.filter { $0.kind == .index && !verdicts.isRefused($0) }
            .map { BatchCoding.AcceptedVersion($0, at: sequence) }
        sequence = sequence.next
        for part in BatchCoding.supersedes(accepted, shardCount: UInt32(settings.count)) {
            let outcome = try #require(apply(part, isSuperseding: true), "\(note)")
            #expect(outcome.refusals.isEmpty && outcome.deleted == 0, "\(note)")
        }
    }

    /// Applies operations to the only shard as they are, also those that brokers alone send.
    mutating func applyAsPart(_ operations: [BatchOperation], _ note: String) throws {
        var part = WirePutPart()
        var payload: [UInt8] = []
        for (position, operation) in operations.enumerated() {
            var wire = operation.routed
            wire.position = UInt32(position)
            wire.bodyOffset = UInt32(payload.count)
            wire.bodyLength = UInt32(operation.body.count)
            part.operations.append(wire)
            payload += operation.body
        }
        sequence = sequence.next
        let expected = try model.apply(operations, sequence, in: QueryContext(now: now))
        let outcome = try #require(
            apply(part.operations, payload, to: replicas[0], isSuperseding: false), "\(note)")
        #expect(outcome.refusals.map { Int($0.position) } == expected.refused, "\(note)")
        #expect(outcome.deleted == UInt64(expected.deleted), "\(note)")
    }

    private func apply(_ part: BatchPart, isSuperseding: Bool) -> PartOutcome? {
        apply(
            part.operations, part.payload, to: replicas[Int(part.shard.number)],
            isSuperseding: isSuperseding)
    }

    private func apply(
        _ operations: [WireOperation], _ payload: [UInt8], to replica: ReplicaIndex,
        isSuperseding: Bool
    ) -> PartOutcome? {
        let result = replica.apply(
            PartInput(
                sequence: sequence, previous: replica.lastSequence,
                batch: BatchIdentity(client: 7, number: sequence.value),
                isSuperseding: isSuperseding, operations: operations, payload: payload,
                stampedAt: now, context: QueryContext(now: now)))
        guard case .applied(let outcome) = result else { return nil }
        return outcome
    }

    /// Merges what a policy chooses.
    func merge(_ policy: MergePolicy) throws {
        for replica in replicas { _ = try replica.merge(now: now, policy: policy) }
    }

    /// Seals, forgets the replicas and opens their directories again.
    mutating func reopen() throws {
        for replica in replicas { _ = try replica.seal() }
        try open()
    }

    /// Compares what a query finds now.
    func compare(_ query: String, _ note: String) throws {
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: model.schema))
        let context = QueryContext(now: now)
        let matcher = ReferenceMatcher(
            expression: try parsed.expression.resolved(in: context), schema: model.schema,
            index: "default")
        let expected = model.visible(at: now).filter(matcher.matches)
        var search = MatchingCorpus.search(query, context: context)
        search.allAttributes = true
        let targets = zip(settings, replicas).map { settings, replica in
            SearchTarget(
                index: "default", shard: settings.shard, snapshot: replica.snapshot,
                sequence: replica.lastSequence)
        }
        let answer = try MatchingCorpus.run(search, over: targets, schema: model.schema)
        let found = try answer.hits.map { try $0.decodeDocument() }
        #expect(
            Set(found) == Set(expected) && found.count == expected.count,
            """
            \(note) query \(query)
            missing \(expected.filter { !found.contains($0) }.map(\.uniqueIdentifier))
            surplus \(found.filter { !expected.contains($0) }.map(\.uniqueIdentifier))
            """)
    }
}
