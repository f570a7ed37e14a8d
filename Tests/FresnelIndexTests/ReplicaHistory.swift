import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

/// A replica and its model, led through the same batches.
struct ReplicaHistory {
    private let environment: Environment
    private let settings: ReplicaSettings
    private(set) var replica: ReplicaIndex
    private(set) var model: ReplicaModel
    /// When the newest batch was stamped.
    private(set) var now = Timestamp(wholeSeconds: 86_400)

    init() throws {
        let schema = try MatchingChance.schema()
        environment = Environment(
            time: ManualTime(), chance: SeededRandom(seed: 1), storage: MemoryStorage())
        settings = ReplicaSettings(
            index: "default", shard: ShardID(0), shardCount: 1,
            customKeys: schema.sortedCustomKeys)
        replica = try ReplicaIndex(
            opening: "/data/default/0", settings: settings, environment: environment)
        model = ReplicaModel(schema: schema)
    }

    /// Lets time pass.
    mutating func wait(seconds: Double) {
        now = Timestamp(seconds: now.seconds + seconds) ?? now
    }

    /// Applies a batch, and compares what it says of itself.
    mutating func apply(_ operations: [BatchOperation], _ note: String) throws {
        var wires: [WireOperation] = []
        var payload: [UInt8] = []
        for (position, operation) in operations.enumerated() {
            var wire = operation.routed
            let body = operation.body
            wire.position = UInt32(position)
            wire.bodyOffset = UInt32(payload.count)
            wire.bodyLength = UInt32(body.count)
            wires.append(wire)
            payload += body
        }
        let context = QueryContext(now: now)
        let expected = try model.apply(operations, at: now, context)
        let last = replica.lastSequence
        let result = replica.apply(
            PartInput(
                sequence: last.next, previous: last,
                batch: BatchIdentity(client: 7, number: last.next.value), operations: wires,
                payload: payload, stampedAt: now, context: context))
        guard case .applied(let outcome) = result else {
            Issue.record("a part that follows was taken for a gap: \(note)")
            return
        }
        #expect(outcome.refusals.map { Int($0.position) } == expected.refused, "\(note)")
        #expect(outcome.deleted == UInt64(expected.deleted), "\(note)")
    }

    /// Seals, forgets the replica and opens its directory again.
    mutating func reopen() throws {
        _ = try replica.seal()
        replica = try ReplicaIndex(
            opening: "/data/default/0", settings: settings, environment: environment)
    }

    /// Compares what a query finds now.
    func compare(_ query: String, _ note: String) throws {
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: model.schema))
        let context = QueryContext(now: now)
        let matcher = ReferenceMatcher(
            expression: try parsed.expression.resolved(in: context), schema: model.schema)
        let expected = model.visible(at: now).filter(matcher.matches)
        var search = MatchingCorpus.search(query, context: context)
        search.allAttributes = true
        let target = SearchTarget(
            index: "default", shard: ShardID(0), snapshot: replica.snapshot,
            sequence: replica.lastSequence)
        let answer = try MatchingCorpus.run(search, over: [target], schema: model.schema)
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
