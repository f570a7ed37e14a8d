import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelIndex

@Suite("Deleting many documents of a replica that holds related ones")
struct DeletionWorkTests {
    private static let now = Timestamp(wholeSeconds: 86_400)

    @Test(
        "costs one search and some steps for each of them",
        arguments: [10_000, 20_000],
        [.deleteQuery("uniqueIdentifier == \"*\""), .deleteDomain("shop"), .deleteAll]
            as [BatchOperation])
    func many(rootCount: Int, operation: BatchOperation) throws {
        let replica = try Self.replica(rootCount: rootCount)
        #expect(replica.holdsRelated)
        let work = Self.work([operation], on: replica)
        #expect(work.writer.outcome.refusals.isEmpty)
        #expect(work.writer.outcome.deleted == UInt64(rootCount + 1))
        #expect(work.writer.searchCount == 1)
        // One for the operation, and for each document one when found and one when it goes: the
        // related one goes with its root and is then no longer there.
        let steps = work.steps - rootCount * 2
        #expect((0...8).contains(steps), "\(work.steps) steps for \(rootCount) roots")
    }

    @Test("costs no search when each is named")
    func named() throws {
        let replica = try Self.replica(rootCount: 1000)
        let operations = (0..<1000).map { BatchOperation.deleteIdentifier("root \($0)") }
        let work = Self.work(operations, on: replica)
        #expect(work.writer.outcome.deleted == 1001)
        #expect(work.writer.searchCount == 0)
    }

    @Test("takes what hangs on a root with it, also what its own part hung on it")
    func sameBatch() throws {
        let replica = try Self.replica(rootCount: 3)
        let operations: [BatchOperation] = [
            .index(Self.document("late", of: "root 1")),
            .index(Self.document("gone", of: "root 1")),
            .deleteIdentifier("gone"),
            .index(Self.document("moved", of: "root 1")),
            .index(Self.document("moved", of: "root 2")),
            .index(Self.document("freed", of: "root 1")),
            .index(Self.document("freed")),
            .index(Self.document("related", of: "root 1")),
            .index(Self.document("late", of: "root 1")),
            .index(Self.document("new")),
            .index(Self.document("of new", of: "new")),
            .deleteIdentifier("root 1"),
            .deleteIdentifier("root 0"),
            .deleteIdentifier("new"),
        ]
        let work = Self.work(operations, on: replica)
        #expect(work.writer.outcome.refusals.isEmpty)
        // gone; root 1, late, related; root 0; new, of new.
        #expect(work.writer.outcome.deleted == 7)
        let identifiers = ["root 2", "moved", "freed"]
        for identifier in identifiers { #expect(work.writer.isLive(Array(identifier.utf8))) }
        for identifier in ["root 0", "root 1", "related", "late", "gone", "new", "of new"] {
            #expect(!work.writer.isLive(Array(identifier.utf8)), "\(identifier)")
        }
        #expect(work.writer.incoming.count == 2)
    }

    @Test("does what its operations say when many relations meet in one part", arguments: 0..<24)
    func relations(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(1300 + round)
        var chance = MatchingChance(seed: seed)
        var history = try ReplicaHistory()
        for batch in 1...8 {
            let note = "seed \(seed) batch \(batch)"
            history.wait(seconds: Double(chance.below(5)) * 86_400)
            let operations = (0..<24).map { _ in Self.operation(&chance, at: history.now) }
            try history.applyAsPart(operations, note)
            switch batch % 4 {
            case 1: try history.merge(PropertyReplicaTests.eager)
            case 3: try history.reopen()
            default: break
            }
            try history.compare("uniqueIdentifier == \"*\"", note)
        }
    }

    /// Mostly documents about a few others, some of which have expired before they come.
    private static func operation(
        _ chance: inout MatchingChance, at now: Timestamp
    ) -> BatchOperation {
        let identifier = "d\(chance.below(9))"
        switch chance.below(16) {
        case 0, 1: return .deleteIdentifier(identifier)
        case 2: return .deleteQuery("uniqueIdentifier == \"\(identifier)\" || title == \"a\"")
        case 3: return .deleteDomain(chance.pick(["shop", "shop.a", "store"]))
        case 4: return .supersede(identifier, by: SequenceNumber(.max))
        case 5: return PropertyReplicaTests.operation(&chance, at: now)
        default:
            // Small numbers are roots.
            var document = chance.document(identifier)
            if chance.chance(0.7) {
                document.attributes["relatedUniqueIdentifier"] = .string("d\(chance.below(4))")
            }
            if chance.chance(0.2) { document.expirationDate = chance.date(around: now) }
            return .index(document)
        }
    }

    private static func document(_ identifier: String, of root: String? = nil) -> Document {
        var document = Document(
            uniqueIdentifier: identifier, attributes: ["domainIdentifier": .string("shop")])
        if let root { document.attributes["relatedUniqueIdentifier"] = .string(root) }
        return document
    }

    /// A replica of many roots and one document that hangs on the first of them.
    private static func replica(rootCount: Int) throws -> ReplicaIndex {
        let replica = try ReplicaIndex(
            opening: "/data",
            settings: ReplicaSettings(
                index: "default", shard: ShardID(0), shardCount: 1, expiration: .never),
            environment: Environment(
                time: ManualTime(unixSeconds: 978_307_200), chance: SeededRandom(seed: 1),
                storage: MemoryStorage()))
        var operations = (0..<rootCount).map { BatchOperation.index(document("root \($0)")) }
        operations.append(.index(document("related", of: "root 0")))
        guard case .applied(let outcome) = replica.apply(part(operations, on: replica)) else {
            Issue.record("the replica's first part is a gap")
            return replica
        }
        #expect(outcome.refusals.isEmpty)
        return replica
    }

    /// What works operations out, when it has, and how many steps it took.
    private static func work(
        _ operations: [BatchOperation], on replica: ReplicaIndex
    ) -> (writer: PartWriter, steps: Int) {
        let snapshot = replica.snapshot
        var writer = PartWriter(
            part(operations, on: replica), settings: replica.settings, snapshot: snapshot,
            PlainTypes(snapshot.schema), holdsRelated: replica.holdsRelated)
        let time = CountedTime()
        writer.yieldPace = YieldPace(
            clock: { time.monotonicNanoseconds() }, yieldTurn: {}, standAside: {},
            telling: YieldBackoff(clock: { 0 }, yieldTurn: {}), continuing: nil)
        writer.run()
        return (writer, time.readCount)
    }

    private static func part(_ operations: [BatchOperation], on replica: ReplicaIndex) -> PartInput
    {
        var wires: [WireOperation] = []
        var payload: [UInt8] = []
        for (position, operation) in operations.enumerated() {
            var wire = operation.routed
            wire.position = UInt32(position)
            wire.bodyOffset = UInt32(payload.count)
            wire.bodyLength = UInt32(operation.body.count)
            wires.append(wire)
            payload += operation.body
        }
        let last = replica.lastSequence
        return PartInput(
            sequence: last.next, previous: last,
            batch: BatchIdentity(client: 7, number: last.next.value), operations: wires,
            payload: payload, stampedAt: now, context: QueryContext(now: now))
    }
}
