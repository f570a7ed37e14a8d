import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Synchronization
import Testing
import ZeroMQ

@testable import FresnelWorker

@Suite("Journals of several shards are synced at once")
struct SyncThreadTests {
    /// The first part of a batch in each of so many shards.
    private func parts(_ shards: UInt32) -> [WritePart] {
        (0..<shards).map { shard in
            WorkerBench.part(
                1, after: 0, batch: 1, [WorkerBench.document("item-\(shard)")], shard: shard)
        }
    }

    @Test("The disk is asked for all of them before any is waited for")
    func handedOver() throws {
        let shards = (0..<3).map { ShardKey(index: WorkerBench.shard.index, shard: ShardID($0)) }
        let table = Mutex<ReplicaTable?>(nil)
        let appliedBefore = Mutex<[Int]>([])
        let bench = try WorkerBench(sync: { _ in
            let applied = shards.count { shard in
                table.withLock { $0?[shard]?.lastSequence ?? .zero } > .zero
            }
            appliedBefore.withLock { $0.append(applied) }
        })
        bench.host(shards: 3)
        table.withLock { $0 = bench.table }
        let acks = bench.ingest(parts(3))
        #expect(acks.count == 3 && acks.allSatisfy { !$0.hasError && $0.lastSequence == 1 })
        #expect(appliedBefore.withLock(\.self) == [0, 0, 0])
        #expect(shards.allSatisfy { bench.table[$0]?.lastSequence == SequenceNumber(1) })
    }

    @Test("One that fails refuses the parts of its shard alone", arguments: 0..<20)
    func oneFails(number: Int) async throws {
        let threads = try await SyncThreads.start(3)
        let bench = try WorkerBench(sync: { threads.post($0) })
        bench.host(shards: 4)
        bench.storage.inject(.sync(reason: .inputOutput))
        let refused = bench.ingest(parts(4)).filter(\.hasError)
        #expect(refused.count == 1)
        #expect(refused.allSatisfy { $0.error.code == ErrorCode.storageFailed.number })
        // It is open again, and takes the part.
        let again = bench.ingest(parts(4).filter { $0.put.shard == refused.first?.shard })
        #expect(again.count == 1 && again.allSatisfy { !$0.hasError })
        try await threads.stop()
    }
}
