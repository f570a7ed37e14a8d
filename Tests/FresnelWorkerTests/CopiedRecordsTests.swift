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
    /// Short records of the first bite.
    private static let first = CopiedRecords.firstBiteBytes / CopiedRecords.leastRecordBytes
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
        let last = UInt64(20 * Self.first)
        bench.handler.receive(
            .transfer(.append(Self.copy, WorkerBench.shard, Self.entries(1...last))))
        #expect(bench.handler.finishTurn() == .zero)
        let part = WorkerBench.part(
            1, after: 0, batch: 1, [WorkerBench.document("other")], shard: 1)
        #expect(try !bench.ingest(part).hasError)
        let index = try #require(bench.table[WorkerBench.shard])
        // On a disk in memory, whose clock stands still, the second is twice as large.
        #expect(index.lastSequence.value == UInt64(3 * Self.first))
        #expect(bench.transfers.take().isEmpty, "nothing is told before all are there")
        while bench.handler.finishTurn() == .zero {}
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
        let records = Self.first
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
        let record = [UInt8](repeating: 7, count: CopiedRecords.firstBiteBytes)
        copied.add(
            (1...3).map { TransferEntry(sequence: $0, record: record) }, to: WorkerBench.shard,
            Self.copy)
        #expect(copied.next()?.entries.map(\.sequence) == [1])
    }

    @Test("Bites grow where they are quick, and shrink where parts would wait for long")
    func sizes() {
        var copied = CopiedRecords()
        let range = CopiedRecords.biteBytesRange
        for _ in 0..<20 { copied.note(nanoseconds: CopiedRecords.quickBite - 1) }
        #expect(copied.biteBytes == range.upperBound)
        copied.note(nanoseconds: CopiedRecords.slowBite)
        #expect(copied.biteBytes == range.upperBound)
        copied.note(nanoseconds: CopiedRecords.slowBite + 1)
        #expect(copied.biteBytes == range.upperBound / 2)
        for _ in 0..<20 { copied.note(nanoseconds: CopiedRecords.slowBite + 1) }
        #expect(copied.biteBytes == range.lowerBound)
    }

    @Test("A new copy of the shard goes on from what is here, and hears of nothing that is older")
    func newCopy() throws {
        let bench = try WorkerBench()
        bench.host()
        bench.handler.receive(
            .transfer(
                .append(Self.copy, WorkerBench.shard, Self.entries(1...UInt64(3 * Self.first)))))
        _ = bench.handler.finishTurn()
        bench.handler.receive(.transfer(.look(CopyID(2), WorkerBench.shard)))
        #expect(bench.handler.finishTurn() != .zero)
        let told = bench.transfers.take()
        #expect(told.count == 1)
        guard case .progressed(CopyID(2), .looked(let newest, _, _)) = told.first else {
            Issue.record("the new copy was not told what is here")
            return
        }
        #expect(newest.value == UInt64(Self.first))
    }

    /// A worker that has taken the first bite of three, and told nothing of it.
    private static func begun() throws -> WorkerBench {
        let bench = try WorkerBench()
        bench.host()
        bench.handler.receive(
            .transfer(.append(copy, WorkerBench.shard, entries(1...UInt64(4 * first)))))
        #expect(bench.handler.finishTurn() == .zero && bench.transfers.take().isEmpty)
        return bench
    }

    @Test("A shard that is removed meanwhile takes what waited for it along")
    func removed() throws {
        let bench = try Self.begun()
        bench.handler.receive(
            .transfer(.drop(WorkerBench.shard, Epoch(9), DropTarget(index: .unknown))))
        #expect(bench.handler.finishTurn() != .zero)
        let told = bench.transfers.take()
        guard case .dropped(WorkerBench.shard, nil) = told.first else {
            Issue.record("that the replica is gone was not told")
            return
        }
        #expect(told.count == 1 && bench.table[WorkerBench.shard] == nil)
    }

    @Test("A copy whose shard is closed meanwhile is told so, and does not wait for ever")
    func closed() throws {
        let bench = try Self.begun()
        bench.handler.close(WorkerBench.shard)
        #expect(bench.handler.finishTurn() != .zero)
        let told = bench.transfers.take()
        guard case .progressed(Self.copy, .failed(let failure)) = told.first else {
            Issue.record("the copy was not told")
            return
        }
        #expect(told.count == 1 && failure.code == ErrorCode.shardUnavailable.number)
    }

    @Test("Of a copy that is over nothing is journaled any more")
    func withdrawn() throws {
        let bench = try Self.begun()
        bench.handler.receive(.transfer(.forget(Self.copy)))
        #expect(bench.handler.finishTurn() != .zero && bench.transfers.take().isEmpty)
        #expect(bench.table[WorkerBench.shard]?.lastSequence.value == UInt64(Self.first))
    }

    @Test("A record that does not follow ends what came with it", arguments: [4, first + 4])
    func fork(missing: Int) throws {
        let bench = try WorkerBench()
        bench.host()
        var entries = Self.entries(1...UInt64(4 * Self.first))
        entries.remove(at: missing)
        bench.handler.receive(.transfer(.append(Self.copy, WorkerBench.shard, entries)))
        while bench.handler.finishTurn() == .zero {}
        let told = bench.transfers.take()
        guard case .progressed(Self.copy, .forked(let failure)) = told.first else {
            Issue.record("the gap was not told")
            return
        }
        #expect(told.count == 1 && failure.code == ErrorCode.gap.number)
    }
}
