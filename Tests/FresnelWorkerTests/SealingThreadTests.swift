import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Sealing on a thread of its own")
struct SealingThreadTests {
    @Test("Parts are acknowledged while files are written, and the journal has what came meanwhile")
    func beside() throws {
        let bench = try WorkerBench(sealThresholdBytes: 1, sealsOutside: true)
        bench.host()
        let seals = try #require(bench.seals)
        try Self.write(1...3, to: bench)
        let index = try #require(bench.table[WorkerBench.shard])
        // One at a time: the first was asked for by the first part and is still under way.
        #expect(seals.take().count == 1)
        bench.handler.receive(.sealed(index, Self.sealed(index)))
        #expect(index.checkpoint.value == 3)
        #expect(try bench.files().keys.filter { $0.hasSuffix(".seg") }.count == 3)
        try Self.write(4...4, to: bench)
        #expect(seals.take().count == 1)
        #expect(bench.search("title == \"lens\"", at: 4).identifiers.count == 4)
        bench.restart()
        bench.host()
        #expect(bench.search("title == \"lens\"", at: 4).identifiers.count == 4)
    }

    @Test("What could not be written is told, and sealed with the next part")
    func failure() throws {
        let bench = try WorkerBench(sealThresholdBytes: 20_000, sealsOutside: true)
        bench.host()
        let seals = try #require(bench.seals)
        try Self.write(1...400, to: bench)
        var asked = seals.take()
        let last = bench.handler.replicas.values.first?.lastSequence.value ?? 0
        #expect(asked.count == 1)
        let index = asked.removeFirst()
        let full = SystemError.failed(call: "write", path: "/worker/x", reason: .noSpace)
        bench.handler.receive(.sealed(index, .storage(full)))
        #expect(bench.log.lines.contains { $0.contains("/worker/x") })
        #expect(index.checkpoint == .zero)
        try Self.write(last + 1...last + 1, to: bench)
        #expect(seals.take().count == 1)
    }

    @Test("A replica that is removed meanwhile is left alone by a seal that comes late")
    func removed() throws {
        let bench = try WorkerBench(sealThresholdBytes: 1, sealsOutside: true)
        bench.host()
        try Self.write(1...1, to: bench)
        let index = try #require(bench.seals?.take().first)
        bench.handler.receive(.transfer(.drop(WorkerBench.shard, .init(9))))
        let files = try bench.storage.list(WorkerBench.root)
        bench.handler.receive(.sealed(index, Self.sealed(index)))
        #expect(try bench.storage.list(WorkerBench.root) == files)
        #expect(throws: SystemError.self) {
            try bench.storage.list(bench.directory.segmentDirectory(of: WorkerBench.shard))
        }
    }

    private static func sealed(_ index: ReplicaIndex) -> IndexError? {
        do throws(IndexError) {
            try index.seal()
            return nil
        } catch {
            return error
        }
    }

    private static func write(_ numbers: ClosedRange<UInt64>, to bench: WorkerBench) throws {
        for number in numbers {
            let ack = try bench.ingest(
                WorkerBench.part(
                    number, after: number - 1, batch: number,
                    [WorkerBench.document("d\(number)")]))
            #expect(!ack.hasError)
        }
    }
}
