import FresnelCluster
import FresnelIndex
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("A data directory is proved")
struct DirectoryVerifierTests {
    private static let segments = "/worker/indexes/shop/0/segments"
    private static let journal = "/worker/indexes/shop/0/journal"
    private static let now = Timestamp(wholeSeconds: 90_000)

    /// A worker's files after some batches, half of them sealed; nobody runs there.
    private func directory() throws -> [String: [UInt8]] {
        let bench = try WorkerBench(sealThresholdBytes: 1)
        bench.host()
        for sequence in UInt64(1)...8 {
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [WorkerBench.document("item-\(sequence)", title: "lens number \(sequence)")])
            _ = try bench.ingest(part)
        }
        bench.restart()
        bench.host()
        let late = (UInt64(9)...12).map { sequence in
            WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [WorkerBench.document("late-\(sequence)"), .deleteIdentifier("item-\(sequence)")])
        }
        // Journaled and not sealed: the process ends before it could.
        for part in late { bench.handler.receive(.ingest(PartTicket(part.sequence.value), part)) }
        bench.handler.ingestWaiting()
        var files = ["/worker/worker-name": WorkerNameFile("east").encoded]
        files["/worker/worker-identity"] =
            WorkerIdentityFile(DirectoryIdentity(high: 1, low: 2)).encoded
        let reserve = FilePath.join(Self.journal, JournalReserve.fileName)
        files[reserve] = [UInt8](repeating: 0, count: 1024)
        for folder in [Self.segments, Self.journal] {
            for name in try bench.storage.list(folder) {
                let path = FilePath.join(folder, name)
                files[path] = try bench.storage.read(path)
            }
        }
        return files
    }

    private func verify(
        _ files: [String: [UInt8]]
    ) -> (report: DirectoryVerifier.Report, isUntouched: Bool) {
        let storage = MemoryStorage()
        for (path, bytes) in files { storage.place(bytes, at: path) }
        let environment = Environment(
            time: ManualTime(), chance: SeededRandom(seed: 1), storage: storage)
        let report = DirectoryVerifier.verify(
            "/worker", environment: environment, now: Self.now)
        let isUntouched = files.allSatisfy { path, bytes in
            (try? storage.read(path)) == bytes
        }
        return (report, isUntouched)
    }

    @Test("A sound directory is sound, and equal contents have equal digests")
    func sound() throws {
        let files = try directory()
        let (report, isUntouched) = verify(files)
        #expect(report.isSound && isUntouched)
        let proof = try #require(report.replicas.first)
        #expect(proof.problems == [] && proof.last.value == 12 && proof.segments > 0)
        #expect(proof.journalRecords >= 4 && proof.checkpoint.value < 12)
        #expect(proof.digest?.documents == 12)
        let again = try #require(verify(try directory()).report.replicas.first)
        #expect(again.digest?.hash == proof.digest?.hash)
    }

    @Test("Workers' directories are found side by side, and nothing found is not sound")
    func layouts() throws {
        let files = try directory()
        func verify(_ prefix: String, _ more: [String: [UInt8]] = [:]) -> DirectoryVerifier.Report {
            let storage = MemoryStorage()
            for (path, bytes) in files {
                storage.place(bytes, at: prefix + path.dropFirst("/worker".count))
            }
            for (path, bytes) in more { storage.place(bytes, at: path) }
            let environment = Environment(
                time: ManualTime(), chance: SeededRandom(seed: 1), storage: storage)
            return DirectoryVerifier.verify("/data", environment: environment, now: Self.now)
        }
        for prefix in ["/data", "/data/east"] {
            let report = verify(prefix)
            #expect(report.isSound && report.replicas.count == 1, "\(prefix)")
        }
        let orphaned = verify("/data/workers/1")
        #expect(orphaned.replicas.count == 1)
        #expect(orphaned.problems.count == 1, "\(orphaned.problems)")
        #expect(orphaned.problems.first?.contains("/data/broker/cluster-state is missing") == true)
        let deep = verify("/data/a/b")
        #expect(!deep.isSound && deep.replicas.isEmpty)
        let state = ClusterState(clusterID: 1).encoded
        let alone = verify("/other", ["/data/broker/cluster-state": state])
        #expect(!alone.isSound)
        #expect(alone.problems.contains { $0.contains("holds no replica") })
    }

    @Test("A flipped bit anywhere is found, and nothing is changed", arguments: [0, 1, 2, 3])
    func flips(start: Int) throws {
        let files = try directory()
        let before = try #require(verify(files).report.replicas.first)
        for (path, bytes) in files.sorted(by: { $0.key < $1.key }) {
            let step = path.contains("/0/") ? 61 : 4
            for position in stride(from: start, to: bytes.count, by: step) {
                var damaged = files
                damaged[path]?[position] ^= 1 << UInt8((position + start) % 8)
                let (report, isUntouched) = verify(damaged)
                let proof = report.replicas.first
                // In the very last record it cannot be told from a torn write, and is noted.
                let isFound = !report.isSound || proof?.notes != before.notes
                #expect(isFound, "bit at \(position) of \(path)")
                #expect(isUntouched)
            }
        }
    }

    @Test("What is missing, foreign or in use is told with its path, and nothing is changed")
    func badInput() throws {
        let files = try directory()
        func expect(_ files: [String: [UInt8]], _ words: [String]) {
            let (report, isUntouched) = verify(files)
            let problems = report.problems + report.replicas.flatMap(\.problems)
            #expect(!report.isSound && isUntouched)
            for word in words {
                #expect(problems.contains { $0.contains(word) }, "\(word) in \(problems)")
            }
        }
        let segment = try #require(files.keys.first { $0.hasSuffix(".seg") })
        expect(files.filter { $0.key != segment }, [segment, "is not there"])
        expect(
            files.filter { !$0.key.hasSuffix("MANIFEST") }, [Self.segments, "MANIFEST"])
        let moved = files.map { path, bytes in
            (path.replacing("/shop/0/", with: "/shop/3/"), bytes)
        }
        expect(Dictionary(uniqueKeysWithValues: moved), ["/shop/3", "put it back"])
        expect([:].merging(["/worker/readme": [1]]) { $1 }, ["/worker", "check --data"])
        expect(files.filter { $0.key != "/worker/worker-name" }, ["worker-name"])
        let manifest = FilePath.join(Self.segments, "MANIFEST")
        var newer = files
        newer[manifest]?[8] = 99
        expect(newer, [manifest])
    }

    @Test("A journal with a hole is told, with the numbers on both sides")
    func hole() throws {
        let storage = MemoryStorage()
        let environment = Environment(
            time: ManualTime(), chance: SeededRandom(seed: 1), storage: storage)
        let bench = try directory()
        for (path, bytes) in bench where !path.hasSuffix(".fj") { storage.place(bytes, at: path) }
        let location = JournalLocation(
            directory: Self.journal,
            identity: JournalIdentity(indexName: "shop", shard: ShardID(0)))
        let writer = try JournalWriter(
            location, environment: environment, settings: .init(fileBytes: 1))
        for sequence in UInt64(1)...3 {
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence, [WorkerBench.document("x")])
            try writer.append(part.record)
            try writer.sync()
        }
        try storage.remove(
            FilePath.join(Self.journal, "journal-00000000000000000002.fj"))
        let report = DirectoryVerifier.verify(
            "/worker", environment: environment, now: Self.now)
        let problems = report.replicas.flatMap(\.problems)
        #expect(problems.contains { $0.contains("records are missing") }, "\(problems)")
    }

    @Test("A directory that a process uses is refused")
    func locked() throws {
        let bench = try WorkerBench()
        bench.storage.place(Array("east".utf8), at: "/worker/worker-name")
        let report = DirectoryVerifier.verify(
            "/worker", environment: bench.environment, now: Self.now)
        #expect(!report.isSound && report.problems.contains { $0.contains("worker.lock") })
    }

    @Test("A segment whose index is not that of its documents is found, though checksums are right")
    func forged() throws {
        let document = { (title: String) in
            Document(uniqueIdentifier: "a", attributes: ["title": .string(title)])
        }
        // The index of one document over the bytes of another, as a faulty writer would leave it.
        let incoming = IncomingDocument(
            encoded: DocumentCoding.encode(document("lens")), document: document("lamp"),
            createdSequence: 1)
        let segment = try SegmentBuilder.build(documents: [incoming]).open()
        guard case .different(let reason) = SegmentRebuilder.compare(segment) else {
            Issue.record("the forged segment passed")
            return
        }
        #expect(reason.contains("give another index"))
        try SegmentVerifier.verify(segment.bytes)
    }
}
