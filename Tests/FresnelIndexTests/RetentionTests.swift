import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@Suite("What a replica still answers after merges, and how it refuses")
struct RetentionTests {
    private let time: ManualTime
    private let environment: Environment
    private let settings = ReplicaSettings(
        index: "default", shard: ShardID(0), shardCount: 1, expiration: .never)
    private static let now = Timestamp(wholeSeconds: 86_400)

    init() {
        time = ManualTime(unixSeconds: 978_307_200)
        environment = Environment(
            time: time, chance: SeededRandom(seed: 1), storage: MemoryStorage())
    }

    private func open() throws -> ReplicaIndex {
        try ReplicaIndex(opening: "/data", settings: settings, environment: environment)
    }

    /// Applies one operation at a sequence number.
    private func apply(
        _ operation: BatchOperation, at sequence: UInt64? = nil, as changed: WireOperation? = nil,
        to replica: ReplicaIndex
    ) throws -> PartOutcome {
        let sequence = sequence ?? replica.lastSequence.value + 1
        var wire = changed ?? operation.routed
        wire.bodyLength = UInt32(operation.body.count)
        let result = replica.apply(
            PartInput(
                sequence: SequenceNumber(sequence), previous: replica.lastSequence,
                batch: BatchIdentity(client: 7, number: sequence), operations: [wire],
                payload: operation.body, stampedAt: Self.now,
                context: QueryContext(now: Self.now)))
        guard case .applied(let outcome) = result else {
            Issue.record("a gap at \(sequence)")
            return PartOutcome()
        }
        return outcome
    }

    private func search(_ replica: ReplicaIndex, at sequence: UInt64) throws -> (
        report: WireShardReport?, identifiers: [String]
    ) {
        var search = MatchingCorpus.search(
            "title == \"lens\"", context: QueryContext(now: Self.now))
        search.allAttributes = true
        let target = SearchTarget(
            index: "default", shard: ShardID(0), snapshot: replica.snapshot,
            sequence: SequenceNumber(sequence))
        let plan = try SearchPlan(search: search, schema: replica.snapshot.schema)
        let control = SearchControl(time: ManualTime())
        var matched = ShardSearch(plan, counts: nil, control: control).run([target])
        var identifiers: [String] = []
        if matched.hits.remaining > 0 {
            let batch = try matched.hits.nextBatch(maximumItems: 99, maximumBytes: 1 << 20)
            let reader = try HitBatchReader(batch.payload)
            for place in 0..<reader.count {
                let body = try HitBody(reader.bytes, in: reader.bodyRange(place))
                identifiers.append(try body.decodeDocument().uniqueIdentifier)
            }
        }
        return (matched.reports.first, identifiers.sorted())
    }

    private func document(_ identifier: String) -> BatchOperation {
        .index(Document(uniqueIdentifier: identifier, attributes: ["title": .string("lens")]))
    }

    /// A document made at 1 and deleted at 3, then a batch far above, then a merge.
    private func merged(after wait: Double = 301) throws -> ReplicaIndex {
        let replica = try open()
        _ = try apply(document("old"), at: 1, to: replica)
        _ = try apply(document("new"), at: 2, to: replica)
        _ = try apply(.deleteIdentifier("old"), at: 3, to: replica)
        _ = try apply(document("late"), at: 9000, to: replica)
        #expect(try search(replica, at: 2).identifiers == ["new", "old"])
        var eager = MergePolicy()
        (eager.tinyWidth, eager.tierWidth, eager.deadShare) = (2, 2, 0.01)
        eager.tinyRatio = 1 << 20
        time.advance(byNanoseconds: Int64(wait * 1e9))
        while try replica.merge(expiredBy: nil, policy: eager) {}
        return replica
    }

    @Test(
        "A query below what merges dropped is refused, not answered with less",
        arguments: [false, true])
    func oldestReadable(isReopened: Bool) throws {
        var replica = try merged()
        if isReopened {
            _ = try replica.seal()
            replica = try open()
        }
        let oldest = replica.snapshot.oldestReadable.value
        #expect(oldest > 3)
        for sequence in [2, oldest - 1] {
            let answer = try search(replica, at: sequence)
            #expect(answer.report?.status == .failed)
            #expect(answer.report?.message.contains("merged away") == true)
            #expect(answer.identifiers.isEmpty)
        }
        #expect(try search(replica, at: oldest).identifiers == ["new"])
        #expect(try search(replica, at: 9000).identifiers == ["late", "new"])
    }

    @Test("Within the retention a replaced version is readable, however many batches follow")
    func withinRetention() throws {
        let replica = try merged(after: 299)
        #expect(replica.snapshot.oldestReadable == .zero)
        #expect(try search(replica, at: 2).identifiers == ["new", "old"])
    }

    @Test("Reopening refuses nothing that can be read")
    func reopening() throws {
        let replica = try merged(after: 299)
        _ = try replica.seal()
        let again = try open()
        #expect(again.snapshot.oldestReadable == .zero)
        #expect(try search(again, at: 2).identifiers == ["new", "old"])
    }

    @Test(
        "A refusal's text is capped, so that a thousand fit one answer",
        arguments: ["a", "\u{e9}", "\u{6f22}", "\u{1F468}\u{200D}\u{1F469}", "\u{301}"])
    func refusalTexts(letter: String) throws {
        let replica = try open()
        for length in [1, 40, 500] {
            // A text of both identifiers, each of at most 512 bytes.
            let name = String(repeating: letter, count: min(length, 500 / letter.utf8.count))
            let operation = document("x" + name)
            var wire = operation.routed
            wire.identifier = "y" + name
            wire.bodyLength = UInt32(operation.body.count)
            let outcome = try apply(operation, as: wire, to: replica)
            let text = try #require(outcome.refusals.first?.message)
            #expect(text.contains("identifier"))
            #expect(text.utf8.count <= 203, "\(text)")
            #expect(length < 40 || text.hasSuffix("\u{2026}") || text.contains(name))
        }
    }
}
