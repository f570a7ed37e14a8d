import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Replaying a journal after a restart")
struct ReplayTests {
    /// Each changes a document of the one before it, so that no two of them share a segment.
    private static let parts = (1...70).map { number in
        WorkerBench.part(
            number, after: number - 1, batch: number,
            [WorkerBench.document("d\(number)"), WorkerBench.document("d0")])
    }

    @Test("merges as it goes, so that the last part costs no more than the first")
    func merging() throws {
        let bench = try WorkerBench()
        bench.host()
        for part in Self.parts { _ = try bench.ingest(part) }
        let before = try #require(bench.table[WorkerBench.shard])
        let count = before.snapshot.segments.count
        bench.restart()
        #expect(bench.host().isEmpty)
        let index = try #require(bench.table[WorkerBench.shard])
        #expect(count < 30 && index.snapshot.segments.count < 30)
        #expect(index.lastSequence == SequenceNumber(70))
        #expect(bench.search("title == \"lens\"", at: 70).identifiers.count == 71)
    }

    @Test("makes one segment of what many small parts add")
    func gathering() throws {
        let bench = try WorkerBench()
        bench.host()
        for number in UInt64(1)...20 {
            _ = try bench.ingest(
                WorkerBench.part(
                    number, after: number - 1, batch: number, [WorkerBench.document("d\(number)")])
            )
        }
        bench.restart()
        #expect(bench.host().isEmpty)
        let index = try #require(bench.table[WorkerBench.shard])
        #expect(index.snapshot.segments.count == 1)
        #expect(index.lastSequence == SequenceNumber(20))
        #expect(bench.search("title == \"lens\"", at: 20).identifiers.count == 20)
    }

    @Test("stops with a typed error at a record the index cannot follow, and opens nothing")
    func gap() throws {
        let bench = try WorkerBench(sealThresholdBytes: 1)
        bench.host()
        // Sealed: the index reaches 3. The journal then goes on from 2, as no writer would.
        for part in Self.parts[..<3] { _ = try bench.ingest(part) }
        try bench.replaceJournal(
            with: [2, 4].map { number in
                WorkerBench.part(
                    number, after: number == 2 ? 1 : 2, batch: 90 + number,
                    [WorkerBench.document("x\(number)")])
            })
        bench.restart()
        let failures = bench.host()
        #expect(failures.count == 1)
        #expect(failures[0].reason.contains("does not follow 3"), "\(failures[0].reason)")
        #expect(bench.table[WorkerBench.shard] == nil)
        #expect(throws: WorkerError.self) { try bench.openReplica() }
    }

    @Test("A torn tail is cut with a warning that says how much, after what, and where it is")
    func tornTail() throws {
        let bench = try WorkerBench()
        bench.host()
        for part in Self.parts[..<3] { _ = try bench.ingest(part) }
        let path = try #require(try bench.journalFiles().first)
        let whole = try bench.storage.read(path)
        bench.storage.place(Array(whole.dropLast(9)), at: path)
        bench.restart()
        #expect(bench.host().isEmpty)
        let warning = try #require(bench.log.warnings.first)
        let kept = try bench.storage.read(path + ".torn")
        #expect(warning.contains("\(kept.count) bytes"), "\(warning)")
        #expect(warning.contains("after sequence 2"), "\(warning)")
        #expect(warning.contains(path + ".torn"), "\(warning)")
        #expect(try bench.storage.read(path) + kept == Array(whole.dropLast(9)))
        // A clean journal gives none.
        bench.restart()
        bench.host()
        #expect(bench.log.warnings.count == 1)
    }

    @Test("A journal cut below what the segments hold is refused and left as it is")
    func behind() throws {
        let bench = try WorkerBench(sealThresholdBytes: 1)
        bench.host()
        for part in Self.parts[..<3] { _ = try bench.ingest(part) }
        let path = try #require(try bench.journalFiles().first)
        let cut = Array(try bench.storage.read(path).dropLast(9))
        bench.storage.place(cut, at: path)
        bench.restart()
        let failures = bench.host()
        #expect(failures.first?.reason.contains("ends at 2") == true, "\(failures)")
        #expect(failures.first?.reason.contains("up to 3") == true, "\(failures)")
        #expect(try bench.storage.read(path) == cut)
        #expect(try bench.journalFiles() == [path])
    }
}

extension WorkerBench {
    private static let journal = root + "/indexes/shop/0/journal"

    /// Every file in the shard's journal directory.
    func journalFiles() throws -> [String] {
        try storage.list(Self.journal).map { FilePath.join(Self.journal, $0) }
    }

    /// Writes a journal of other parts in the place of the shard's.
    func replaceJournal(with parts: [WritePart]) throws {
        for path in try journalFiles() { try storage.remove(path) }
        let location = JournalLocation(
            directory: Self.journal,
            identity: JournalIdentity(indexName: Self.shard.index, shard: Self.shard.shard))
        let writer = try JournalWriter(
            location, environment: environment, startingAfter: parts[0].previous)
        for part in parts { try writer.append(part.record) }
        try writer.sync()
    }

    /// Opens the replica without the writing thread.
    func openReplica() throws -> Replica {
        try Replica(
            Self.shard, in: directory,
            settings: ReplicaSettings(index: "shop", shard: ShardID(0), shardCount: 1),
            environment: environment, sealThresholdBytes: 1, isStopping: { false })
    }
}
