import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Deleting makes room on a full disk")
struct RoomAgainTests {
    private static let journal = "/worker/indexes/shop/0/journal"

    /// Fills the disk with documents that are in the journal and in memory only.
    ///
    /// - Returns: the number of the part that was refused.
    private func fill(_ bench: WorkerBench) throws -> UInt64 {
        for sequence in UInt64(1)... {
            let text = (0..<200).map { "word\(sequence * 7919 &* UInt64($0 + 1) % 99_991)" }
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [
                    WorkerBench.document(
                        "item-\(sequence)", title: text.joined(separator: " "))
                ])
            if try bench.ingest(part).hasError { return sequence }
        }
        preconditionFailure("the disk never filled")
    }

    /// Passes time, and merges what may be merged, as the merging thread does.
    private func pass(_ seconds: Int, _ bench: WorkerBench) throws {
        let index = try #require(bench.table[WorkerBench.shard])
        for _ in 0..<seconds {
            bench.pass(seconds: 1)
            while try index.merge(expiredBy: nil) {}
        }
        bench.pass(seconds: 3)
    }

    private func journalBytes(_ bench: WorkerBench) throws -> Int {
        try bench.storage.list(Self.journal).filter { $0 != "reserve" }.reduce(0) {
            $0 + (bench.storage.size(of: Self.journal + "/\($1)") ?? 0)
        }
    }

    @Test("Deleting everything empties the directory but for little, and documents are taken again")
    func all() throws {
        let bench = try WorkerBench(reserveBytes: 16 << 10)
        bench.host()
        bench.storage.setCapacity(400 << 10)
        let next = try fill(bench)
        #expect(try journalBytes(bench) > 200 << 10)
        let deletion = WorkerBench.part(next, after: next - 1, batch: next, [.deleteAll])
        #expect(try !bench.ingest(deletion).hasError)
        try pass(12, bench)
        #expect(try journalBytes(bench) < 4 << 10)
        #expect(bench.storage.size(of: Self.journal + "/reserve") == 16 << 10)
        let document = WorkerBench.part(
            next + 1, after: next, batch: next + 1, [WorkerBench.document("late")])
        #expect(try !bench.ingest(document).hasError)
        bench.restart()
        bench.host()
        #expect(bench.search("title == \"*\"", at: next + 1).identifiers == ["late"])
    }

    @Test("While one shard has given its reserve up, another one takes no documents either")
    func others() throws {
        let bench = try WorkerBench(reserveBytes: 4096)
        bench.host(shards: 2)
        bench.storage.setCapacity(64 << 10)
        let next = try fill(bench)
        // Deletions until none fits without the reserve.
        var last = next - 1
        while bench.storage.size(of: Self.journal + "/reserve") != nil {
            let deletion = WorkerBench.part(
                last + 1, after: last, batch: last + 1, [.deleteIdentifier("item-1")])
            #expect(try !bench.ingest(deletion).hasError)
            last += 1
        }
        let other = WorkerBench.part(
            1, after: 0, batch: 1, [WorkerBench.document("small")], shard: 1)
        #expect(try bench.ingest(other).error.code == ErrorCode.diskFull.number)
        bench.storage.setCapacity(nil)
        bench.pass(seconds: 2)
        #expect(try !bench.ingest(other).hasError)
    }
}
