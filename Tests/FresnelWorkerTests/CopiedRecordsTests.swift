import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Records of another replica are taken a few at a time")
struct CopiedRecordsTests {
    private static let copy = CopyID(1)
    private static let other = ShardKey(index: WorkerBench.shard.index, shard: ShardID(1))

    /// Records of a donor, one document a part.
    private static func entries(_ sequences: ClosedRange<UInt64>) -> [TransferEntry] {
        sequences.map { sequence in
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [WorkerBench.document("item-\(sequence)")])
            return TransferEntry(sequence: sequence, record: part.record.portableBytes)
        }
    }

    @Test("A part of another shard that arrives meanwhile waits for one bite, not for all of them")
    func between() throws {
        let bench = try WorkerBench()
        bench.host(shards: 2)
        let bites = 10
        let last = UInt64(bites * CopiedRecords.biteRecords)
        bench.handler.receive(
            .transfer(.append(Self.copy, WorkerBench.shard, Self.entries(1...last))))
        #expect(bench.handler.finishTurn() == .zero)
        let part = WorkerBench.part(
            1, after: 0, batch: 1, [WorkerBench.document("other")], shard: 1)
        #expect(try !bench.ingest(part).hasError)
        let index = try #require(bench.table[WorkerBench.shard])
        #expect(index.lastSequence.value == UInt64(2 * CopiedRecords.biteRecords))
        #expect(bench.transfers.take().isEmpty, "nothing is told before all are there")
        for _ in 2..<bites { _ = bench.handler.finishTurn() }
        #expect(bench.handler.finishTurn() != .zero)
        guard case .progressed(Self.copy, .appended(let newest)) = bench.transfers.take().last
        else {
            Issue.record("the copy was not told that its records are there")
            return
        }
        #expect(newest.value == last)
        #expect(index.lastSequence.value == last)
    }

    @Test("Copies of several shards take turns")
    func turns() throws {
        var copied = CopiedRecords()
        let records = CopiedRecords.biteRecords
        copied.add(Self.entries(1...UInt64(2 * records)), to: WorkerBench.shard, CopyID(1))
        copied.add(Self.entries(1...UInt64(records)), to: Self.other, CopyID(2))
        let bites = (0..<3).compactMap { _ in copied.next() }
        #expect(bites.map(\.id) == [CopyID(1), CopyID(2), CopyID(1)])
        #expect(bites.map(\.isLast) == [false, true, true])
        #expect(bites.map(\.entries.count) == [records, records, records])
        #expect(copied.isEmpty && copied.next() == nil)
    }

    @Test("Large records end a bite before there are many")
    func large() throws {
        var copied = CopiedRecords()
        let record = [UInt8](repeating: 7, count: CopiedRecords.biteBytes)
        copied.add(
            (1...3).map { TransferEntry(sequence: $0, record: record) }, to: WorkerBench.shard,
            Self.copy)
        #expect(copied.next()?.entries.map(\.sequence) == [1])
    }

    @Test("A new copy of the shard goes on from what is here, and hears of nothing that is older")
    func newCopy() throws {
        let bench = try WorkerBench()
        bench.host()
        let last = UInt64(3 * CopiedRecords.biteRecords)
        bench.handler.receive(
            .transfer(.append(Self.copy, WorkerBench.shard, Self.entries(1...last))))
        _ = bench.handler.finishTurn()
        bench.handler.receive(.transfer(.look(CopyID(2), WorkerBench.shard)))
        #expect(bench.handler.finishTurn() != .zero)
        let told = bench.transfers.take()
        #expect(told.count == 1)
        guard case .progressed(CopyID(2), .looked(let newest, _, _)) = told.first else {
            Issue.record("the new copy was not told what is here")
            return
        }
        #expect(newest.value == UInt64(CopiedRecords.biteRecords))
    }

    @Test("A shard that is removed meanwhile takes what waited for it along")
    func removed() throws {
        let bench = try WorkerBench()
        bench.host()
        let last = UInt64(3 * CopiedRecords.biteRecords)
        bench.handler.receive(
            .transfer(.append(Self.copy, WorkerBench.shard, Self.entries(1...last))))
        _ = bench.handler.finishTurn()
        bench.handler.receive(.transfer(.drop(WorkerBench.shard, Epoch(9))))
        #expect(bench.handler.finishTurn() != .zero)
        #expect(bench.table[WorkerBench.shard] == nil)
    }

    @Test("A record that does not follow ends the copy's bite, and nothing of it comes after")
    func fork() throws {
        let bench = try WorkerBench()
        bench.host()
        var entries = Self.entries(1...UInt64(3 * CopiedRecords.biteRecords))
        entries.remove(at: 4)
        bench.handler.receive(.transfer(.append(Self.copy, WorkerBench.shard, entries)))
        #expect(bench.handler.finishTurn() != .zero)
        let told = bench.transfers.take()
        guard case .progressed(Self.copy, .forked(let failure)) = told.first else {
            Issue.record("the gap was not told")
            return
        }
        #expect(told.count == 1 && failure.code == ErrorCode.gap.number)
    }
}
