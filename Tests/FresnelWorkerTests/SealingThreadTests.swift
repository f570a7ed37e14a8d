import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Sealing on a thread of its own")
struct SealingThreadTests {
    /// Bytes of journal that a part of one document takes.
    private static let partBytes = WorkerBench.part(
        1, after: 0, batch: 1, [WorkerBench.document("d1")]
    ).record.body.count

    @Test("Parts are acknowledged while files are written, and the journal has what came meanwhile")
    func beside() throws {
        let bench = try WorkerBench(sealThresholdBytes: Self.partBytes, sealsOutside: true)
        bench.host()
        let seals = try #require(bench.seals)
        try Self.write(1...3, to: bench)
        let index = try #require(bench.table[WorkerBench.shard])
        // One at a time: the first was asked for by the first part and is still under way.
        let order = try #require(seals.take().only)
        order.carryOut()
        bench.handler.receive(.sealed)
        #expect(index.checkpoint.value == 3)
        #expect(try bench.files().keys.filter { $0.hasSuffix(".seg") }.count == 3)
        // The parts that came since the first.
        #expect(seals.take().only?.index === index)
        try Self.write(4...4, to: bench)
        #expect(seals.take().isEmpty)
        #expect(bench.search("title == \"lens\"", at: 4).identifiers.count == 4)
        bench.restart()
        bench.host()
        #expect(bench.search("title == \"lens\"", at: 4).identifiers.count == 4)
    }

    @Test("Writing waits where more gathers than memory shall take while files are written")
    func slow() throws {
        let bench = try WorkerBench(sealThresholdBytes: Self.partBytes, sealsOutside: true)
        bench.host()
        let seals = try #require(bench.seals)
        try Self.write(1...1, to: bench)
        let order = try #require(seals.take().only)
        try Self.write(2...4, to: bench)
        #expect(order.index.checkpoint == .zero)
        try Self.write(5...5, to: bench)
        #expect(order.index.checkpoint.value == 5)
        // The order is still there, and has little left to do.
        order.carryOut()
        bench.handler.receive(.sealed)
        #expect(seals.take().isEmpty)
    }

    @Test("What could not be written is told, and sealed after a pause, with nothing written since")
    func failure() throws {
        let bench = try WorkerBench(sealThresholdBytes: 20_000, sealsOutside: true)
        bench.host()
        let seals = try #require(bench.seals)
        try Self.write(1...400, to: bench)
        let order = try #require(seals.take().only)
        let full = SystemError.failed(call: "write", path: "/worker/x", reason: .noSpace)
        order.finish(.failed(.storage(full)))
        bench.handler.receive(.sealed)
        #expect(bench.log.lines.contains { $0.contains("/worker/x") })
        #expect(order.index.checkpoint == .zero)
        #expect(seals.take().isEmpty)
        bench.pass(seconds: 1)
        #expect(seals.take().isEmpty)
        bench.pass(seconds: 1)
        #expect(seals.take().count == 1)
    }

    @Test("That files are written is seen although the word of it was lost")
    func lostWord() throws {
        let bench = try WorkerBench(sealThresholdBytes: Self.partBytes, sealsOutside: true)
        bench.host()
        let seals = try #require(bench.seals)
        try Self.write(1...1, to: bench)
        try #require(seals.take().only).carryOut()
        bench.pass(seconds: 1)
        try Self.write(2...2, to: bench)
        #expect(seals.take().count == 1)
    }

    @Test("A worker that ends seals what the sealing thread was asked for and has not done")
    func ending() throws {
        let bench = try WorkerBench(sealThresholdBytes: Self.partBytes, sealsOutside: true)
        bench.host()
        try Self.write(1...1, to: bench)
        let order = try #require(bench.seals?.take().only)
        bench.handler.stop()
        #expect(order.index.checkpoint.value == 1)
    }

    @Test("A replica that is removed meanwhile is left alone by a seal that comes late")
    func removed() throws {
        let bench = try WorkerBench(sealThresholdBytes: 1, sealsOutside: true)
        bench.host()
        try Self.write(1...1, to: bench)
        let order = try #require(bench.seals?.take().only)
        bench.handler.receive(
            .transfer(.drop(WorkerBench.shard, .init(9), DropTarget(index: .unknown))))
        let files = try bench.storage.list(WorkerBench.root)
        order.carryOut()
        bench.handler.receive(.sealed)
        #expect(try bench.storage.list(WorkerBench.root) == files)
        #expect(throws: SystemError.self) {
            try bench.storage.list(bench.directory.segmentDirectory(of: WorkerBench.shard))
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

extension Array {
    /// The element of an array of one.
    fileprivate var only: Element? { count == 1 ? first : nil }
}
