import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging
import Synchronization
import Testing
import ZeroMQ

@testable import FresnelWorker

@Suite("Merging beside writing")
struct MergingTests {
    @Test("A writer that is ahead of the merging thread merges itself: segments do not pile up")
    func pace() throws {
        let bench = try WorkerBench()
        bench.host()
        for number in 1...400 as ClosedRange<UInt64> {
            _ = try bench.ingest(Self.rewrite(number, of: 50))
            let index = try #require(bench.table[WorkerBench.shard])
            #expect(index.snapshot.segments.count <= 25)
        }
        #expect(bench.search("title == \"lens*\"", at: 400).identifiers.count == 50)
    }

    @Test("Two threads that merge while a third one writes lose nothing and double nothing")
    func threads() async throws {
        let bench = try WorkerBench()
        bench.host()
        let index = try #require(bench.table[WorkerBench.shard])
        let loops = [try await Self.mergingThread(bench), try await Self.mergingThread(bench)]
        var (last, merges, segments) = (UInt64(0), 0, 0)
        // Until the threads had enough to merge: other tests may keep the processors from them.
        while last < 600 || (merges < 20 && last < 100_000) {
            last += 1
            for loop in loops { _ = loop.post(index) }
            _ = try bench.ingest(Self.rewrite(last, of: 40))
            #expect(index.documentCount(at: Timestamp(wholeSeconds: 86_400)) == min(last, 40))
            let count = index.snapshot.segments.count
            if count <= segments, segments < 20 { merges += 1 }
            segments = count
        }
        for loop in loops { try await loop.stop() }
        #expect(merges >= 20)
        #expect(
            bench.search("title == \"lens*\"", at: last).identifiers.sorted()
                == (0..<40).map { "d\($0)" }.sorted())
        for number in (last - 39)...last {
            #expect(
                bench.search("title == \"lens \(number)\"", at: last).identifiers
                    == ["d\(number % 40)"])
        }
    }

    @Test("A replica at rest becomes one segment in a file, and says nothing else than before")
    func rest() throws {
        let bench = try WorkerBench()
        bench.host()
        let index = try #require(bench.table[WorkerBench.shard])
        for number in 1...30 as ClosedRange<UInt64> {
            _ = try bench.ingest(Self.rewrite(number, of: 20))
        }
        let settled = Mutex<[ReplicaIndex]>([])
        let givenBack = Mutex(0)
        let merging = MergeHandler(
            time: bench.time, logger: Logger(label: "merge"),
            settle: { index in settled.withLock { $0.append(index) } },
            giveBackOutside: { givenBack.withLock { $0 += 1 } })
        merging.receive(index)
        var turns = 0
        while merging.finishTurn() == .zero { turns += 1 }
        #expect(index.snapshot.segments.count > 1)
        #expect(turns < 100)
        bench.time.advance(byNanoseconds: 3_000_000_001)
        while merging.finishTurn() == .zero {}
        #expect(index.snapshot.segments.count == 1)
        // Then it only waits to give memory back.
        #expect(merging.finishTurn() == .seconds(3))
        bench.time.advance(byNanoseconds: 3_000_000_001)
        #expect(merging.finishTurn() == nil)
        #expect(settled.withLock { $0.count } == 1)
        #expect(index.needsSealing)
        #expect(givenBack.withLock { $0 } == 1)
        bench.handler.receive(.settle(index))
        #expect(!index.needsSealing)
        // What its segments took in memory is free now, and goes back as well.
        merging.receive(index)
        #expect(merging.finishTurn() == .zero)
        #expect(merging.finishTurn() == .seconds(3))
        bench.time.advance(byNanoseconds: 3_000_000_001)
        #expect(merging.finishTurn() == nil)
        #expect(givenBack.withLock { $0 } == 2)
        #expect(
            bench.search("title == \"lens*\"", at: 30).identifiers.sorted()
                == (0..<20).map { "d\($0)" }.sorted())
    }

    private static func mergingThread(_ bench: WorkerBench) async throws -> EventLoop<MergeHandler>
    {
        let time = bench.time
        return try await EventLoop<MergeHandler>.start(.init(name: "merge")) { _ in
            MergeHandler(time: time, logger: Logger(label: "merge"))
        }
    }

    /// A part that writes one of so many documents anew.
    private static func rewrite(_ number: UInt64, of count: UInt64) -> WritePart {
        WorkerBench.part(
            number, after: number - 1, batch: number,
            [WorkerBench.document("d\(number % count)", title: "lens \(number)")])
    }
}
