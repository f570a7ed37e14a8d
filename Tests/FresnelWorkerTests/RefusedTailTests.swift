import FresnelModel
import FresnelSystem
import FresnelWire
import Testing
import ZeroMQ

@testable import FresnelWorker

@Suite("A part whose sync fails")
struct RefusedTailTests {
    private static func part(
        _ sequence: UInt64, after previous: UInt64, batch: UInt64
    ) -> WritePart {
        WorkerBench.part(
            sequence, after: previous, batch: batch,
            [WorkerBench.document("item-\(sequence)", title: "lens \(sequence)")])
    }

    private func found(_ bench: WorkerBench, at sequence: UInt64) -> [String] {
        bench.search("title == \"lens*\"", at: sequence).identifiers.sorted()
    }

    @Test("Is refused and gone: the next one follows what was there before, also after a restart")
    func isGone() throws {
        let bench = try WorkerBench()
        bench.host()
        #expect(try !bench.ingest(Self.part(1, after: 0, batch: 1)).hasError)
        bench.storage.inject(.sync(reason: .inputOutput))
        let refusal = try bench.ingest(Self.part(2, after: 1, batch: 2))
        #expect(refusal.error.code == ErrorCode.storageFailed.number)
        #expect(refusal.lastSequence == 1)
        // A part that was sent behind the refused one finds it missing.
        let behind = try bench.ingest(Self.part(3, after: 2, batch: 3))
        #expect(behind.error.code == ErrorCode.gap.number)
        #expect(try !bench.ingest(Self.part(3, after: 1, batch: 3)).hasError)
        #expect(found(bench, at: 3) == ["item-1", "item-3"])
        bench.restart()
        bench.host()
        #expect(found(bench, at: 3) == ["item-1", "item-3"])
    }

    @Test("Is refused although another thread waited for the disk", arguments: 0..<20)
    func beside(number: Int) async throws {
        let syncing = try await EventLoop<SyncHandler>.start(.init(name: "sync")) { _ in
            SyncHandler()
        }
        let bench = try WorkerBench(sync: { _ = syncing.post($0) })
        bench.host()
        var durable: UInt64 = 0
        for sequence in 1...12 as ClosedRange<UInt64> {
            let fails = (Int(sequence) + number).isMultiple(of: 5)
            if fails { bench.storage.inject(.sync(reason: .inputOutput)) }
            let part = Self.part(sequence, after: durable, batch: sequence)
            let ack = try bench.ingest(part)
            #expect(ack.hasError == fails, "part \(sequence)")
            if !fails { durable = sequence }
            #expect(ack.lastSequence == durable)
            let expected = (1...sequence).filter { !(Int($0) + number).isMultiple(of: 5) }
            #expect(found(bench, at: sequence) == expected.map { "item-\($0)" }.sorted())
        }
        try await syncing.stop()
        // A thread that has ended waits for nothing: the writing thread does.
        #expect(try !bench.ingest(Self.part(13, after: durable, batch: 13)).hasError)
    }

    @Test("Is gone although the replica could not be opened again at once")
    func opensLate() throws {
        let bench = try WorkerBench()
        bench.host()
        #expect(try !bench.ingest(Self.part(1, after: 0, batch: 1)).hasError)
        bench.storage.inject(.sync(reason: .inputOutput))
        bench.storage.inject(.read(reason: .inputOutput))
        #expect(try bench.ingest(Self.part(2, after: 1, batch: 2)).hasError)
        #expect(bench.table[WorkerBench.shard] == nil)
        bench.pass(seconds: 6)
        #expect(bench.table[WorkerBench.shard] != nil)
        #expect(found(bench, at: 2) == ["item-1"])
        #expect(try !bench.ingest(Self.part(3, after: 1, batch: 3)).hasError)
        #expect(found(bench, at: 3) == ["item-1", "item-3"])
    }
}
