import FresnelKernels
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelIndex

@Suite("Documents with irregular characters are read")
struct IrregularReadingTests {
    private static let now = Timestamp(wholeSeconds: 86_400)

    @Test("some at a time, once a segment, and by a merge only where a query asked for them")
    func reading() throws {
        let replica = try Self.replica()
        try Self.apply(1, of: 100, to: replica)
        var turns = 0
        while replica.prepareForSearches() { turns += 1 }
        #expect(turns == 3, "100 documents, 32 at a time")
        #expect(!replica.prepareForSearches())

        // Nobody asked: what a merge makes is left for the next rest.
        try Self.apply(2, of: 100, to: replica)
        #expect(try replica.merge(now: Self.now, policy: Self.gathering))
        #expect(replica.prepareForSearches())
        while replica.prepareForSearches() {}

        let found = try Self.documents(touchedBy: "kindletm", replica)
        #expect(found.count == 200)
        #expect(try Self.documents(touchedBy: "kindle", replica).isEmpty)
        try Self.apply(3, of: 100, to: replica)
        #expect(try replica.merge(now: Self.now, policy: Self.gathering))
        #expect(!replica.prepareForSearches())
        #expect(try Self.documents(touchedBy: "kindletm", replica).count == 300)
    }

    @Test("by the first query as well, which leaves what it read where it is stopped")
    func stopped() throws {
        let replica = try Self.replica()
        try Self.apply(1, of: 100, to: replica)
        let control = SearchControl(time: ManualTime())
        control.cancel()
        let view = try #require(replica.snapshot.segments.first).view
        #expect(throws: SearchStop.cancelled) {
            try view.irregular.documents(
                touchedBy: [Array("kindletm".utf8)], in: view.segment, control)
        }
        var turns = 0
        while replica.prepareForSearches() { turns += 1 }
        #expect(turns == 2, "a run was read by the query")
    }

    private static var gathering: MergePolicy {
        var policy = MergePolicy()
        policy.gathersAll = true
        policy.gatheringRatio = 1 << 20
        return policy
    }

    private static func replica() throws -> ReplicaIndex {
        try ReplicaIndex(
            opening: "/data/default/0",
            settings: ReplicaSettings(
                index: "default", shard: ShardID(0), shardCount: 1, retention: .standard),
            environment: Environment(
                time: ManualTime(), chance: SeededRandom(seed: 1), storage: MemoryStorage()))
    }

    private static func documents(
        touchedBy key: String, _ replica: ReplicaIndex
    ) throws -> [DocumentNumber] {
        let control = SearchControl(time: ManualTime())
        return try replica.snapshot.segments.flatMap { published in
            try published.view.irregular.documents(
                touchedBy: [Array(key.utf8)], in: published.segment, control)
        }
    }

    private static func apply(_ number: Int, of count: Int, to replica: ReplicaIndex) throws {
        var builder = PutBuilder(WirePut())
        for document in 0..<count {
            var item = Document(uniqueIdentifier: "\(number)-\(document)")
            item.attributes["title"] = .string("Kindle™ \(document)")
            _ = try builder.append(.index(item))
        }
        let part = PartInput(
            sequence: SequenceNumber(UInt64(number)), previous: SequenceNumber(UInt64(number - 1)),
            batch: BatchIdentity(client: 7, number: UInt64(number)),
            operations: builder.message.operations, payload: builder.payload, stampedAt: now,
            context: QueryContext(now: now))
        guard case .applied = replica.apply(part) else { throw Unexpected() }
    }

    private struct Unexpected: Error {}
}
