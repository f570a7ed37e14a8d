import FresnelModel
import Testing

@testable import FresnelCluster

@Suite("Parts in doubt")
struct DoubtfulPartsTests {
    private let shard = ShardKey(index: "items", shard: ShardID(1))

    @Test("Q-37: a shard is read below the first part in doubt, and never below one it has applied")
    func spans() {
        var parts = DoubtfulParts()
        func first() -> UInt64? { parts.first(of: shard)?.value }
        parts.settle(shard, through: SequenceNumber(5))
        parts.add(SequenceNumber(5), of: shard)
        #expect(first() == nil)
        for number in [9, 7, 12] as [UInt64] { parts.add(SequenceNumber(number), of: shard) }
        #expect(first() == 7)
        #expect(parts.first(of: ShardKey(index: "items", shard: ShardID(2))) == nil)
        parts.settle(shard, through: SequenceNumber(6))
        #expect(first() == 7)
        // What was applied is final, and nothing acknowledged lies above.
        parts.settle(shard, through: SequenceNumber(8))
        #expect(first() == 9)
        parts.settle(shard, through: SequenceNumber(9))
        #expect(first() == 10)
        parts.settle(shard, through: SequenceNumber(12))
        #expect(first() == nil)
    }
}
