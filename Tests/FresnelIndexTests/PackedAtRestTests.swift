import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelIndex

@Suite("What is packed at rest")
struct PackedAtRestTests {
    @Test("stays packed when it is merged while parts come")
    func merging() throws {
        let replica = try ReplicaIndex(
            opening: "/data/default/0",
            settings: ReplicaSettings(
                index: "default", shard: ShardID(0), shardCount: 1, retention: .standard),
            environment: Environment(
                time: ManualTime(), chance: SeededRandom(seed: 1), storage: MemoryStorage()))
        let now = Timestamp(wholeSeconds: 86_400)
        for number in 1...10 {
            let part = try Self.part(number, of: 900, at: now)
            guard case .applied = replica.apply(part) else { throw Unexpected() }
        }
        var coming = MergePolicy()
        coming.gathersAll = true
        coming.gatheringRatio = 1 << 20
        #expect(try replica.merge(now: now, policy: coming))
        #expect(replica.snapshot.segments.map(\.segment.postings.isPacked) == [false])
        #expect(try replica.merge(now: now, policy: .calm))
        #expect(try !replica.merge(now: now, policy: .calm))
        #expect(replica.snapshot.segments.map(\.segment.postings.isPacked) == [true])
        guard case .applied = replica.apply(try Self.part(11, of: 1, at: now)) else {
            throw Unexpected()
        }
        #expect(try replica.merge(now: now, policy: coming))
        #expect(replica.snapshot.segments.map(\.segment.postings.isPacked) == [true])
        #expect(replica.documentCount(at: now) == 9001)
    }

    private struct Unexpected: Error {}

    private static func part(_ number: Int, of count: Int, at now: Timestamp) throws -> PartInput {
        var builder = PutBuilder(WirePut())
        for document in 0..<count {
            let identifier = "\(number)-\(document)"
            _ = try builder.append(.index(Document(uniqueIdentifier: identifier)))
        }
        return PartInput(
            sequence: SequenceNumber(UInt64(number)), previous: SequenceNumber(UInt64(number - 1)),
            batch: BatchIdentity(client: 7, number: UInt64(number)),
            operations: builder.message.operations, payload: builder.payload, stampedAt: now,
            context: QueryContext(now: now))
    }
}
