import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

/// `fresnel verify` of a whole cluster's directory misses nothing that should be there.
@Suite("A cluster's directory is proved as a whole")
struct ClusterProofTests {
    private static let worker = "/data/workers/1"
    private static let state = "/data/broker/cluster-state"
    private static let lock = "/data/broker/broker.lock"
    private static let journalPath = worker + "/indexes/shop/0/journal"
    private static let identity: UInt64 = 0x5000

    /// What lies in a directory of `fresnel up` after six batches, four of them sealed.
    private struct Cluster {
        let storage = MemoryStorage()
        var identity = ReplicaIdentity.unknown

        init(copied: Bool = false) throws {
            let bench = try WorkerBench(sealThresholdBytes: 1)
            bench.host()
            for sequence in UInt64(1)...4 { try Self.write(sequence, to: bench) }
            bench.restart()
            bench.host()
            for sequence in UInt64(5)...6 { try Self.write(sequence, to: bench, seals: false) }
            for (path, bytes) in try bench.files() {
                storage.place(
                    bytes, at: path.replacing(WorkerBench.root, with: ClusterProofTests.worker))
            }
            storage.place(
                WorkerNameFile("east").encoded, at: ClusterProofTests.worker + "/worker-name")
            storage.place(ClusterFile(7).encoded, at: ClusterProofTests.worker + "/cluster")
            storage.place([], at: ClusterProofTests.lock)
            identity = try #require(report.replicas.first).identity
            try place(state())
        }

        private static func write(
            _ sequence: UInt64, to bench: WorkerBench, seals: Bool = true
        ) throws {
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [WorkerBench.document("item-\(sequence)")])
            guard !seals else { return _ = try bench.ingest(part) }
            bench.handler.receive(.ingest(PartTicket(sequence), part))
            bench.handler.ingestWaiting()
        }

        func state(
            acknowledged: UInt64 = 6, identity: ReplicaIdentity? = nil, cluster: UInt64 = 7,
            index: String? = "shop", worker: String = "east"
        ) -> ClusterState {
            var state = ClusterState(clusterID: cluster)
            guard let index else { return state }
            let replica = ReplicaState(
                worker: WorkerID(worker), identity: identity ?? self.identity, isInSync: true,
                since: Epoch(1))
            state.change(
                IndexState(
                    name: index, identity: IndexIdentity(high: 1, low: 2), shardCount: 1,
                    shards: [
                        ShardState(
                            epoch: Epoch(1), replicas: [replica],
                            acknowledged: SequenceNumber(acknowledged))
                    ], defaultExpirationSeconds: nil))
            return state
        }

        /// A state in which the index of the directory was removed.
        func removed() throws -> ClusterState {
            var state = state()
            state.remove(try #require(state.index(named: "shop")))
            return state
        }

        func place(_ state: ClusterState) throws {
            storage.place(state.encoded, at: ClusterProofTests.state)
        }

        var report: DirectoryVerifier.Report {
            DirectoryVerifier.verify(
                "/data",
                environment: Environment(
                    time: ManualTime(), chance: SeededRandom(seed: 1), storage: storage),
                now: Timestamp(wholeSeconds: 90_000))
        }

        var problems: [String] {
            let report = report
            return report.problems + report.replicas.flatMap(\.problems)
        }
    }

    @Test("A cluster's directory in which nothing is missing is sound")
    func sound() throws {
        let report = try Cluster().report
        #expect(report.isSound, "\(report.problems) \(report.replicas.flatMap(\.problems))")
        #expect(report.notes.isEmpty, "\(report.notes)")
    }

    @Test(
        "Every file that is removed is missed",
        arguments: [
            (state, "cluster-state is missing"),
            (worker + "/worker-name", "worker-name is missing"),
            (journalPath + "/reserve", "reserve is missing"),
        ])
    func removed(path: String, words: String) throws {
        let cluster = try Cluster()
        if path.hasSuffix("reserve") { cluster.storage.place([0, 0], at: path) }
        #expect(cluster.report.isSound)
        try cluster.storage.remove(path)
        let report = cluster.report
        let told = report.problems + report.notes + report.replicas.flatMap(\.notes)
        #expect(told.contains { $0.contains(words) }, "\(told)")
        #expect(report.isSound == path.hasSuffix("reserve"))
    }

    @Test(
        "A state that cannot be read is told once, and what workers hold is proved all the same",
        arguments: [[], Array("FRESNELC and something else".utf8)] as [[UInt8]])
    func unreadableState(bytes: [UInt8]) throws {
        let cluster = try Cluster()
        cluster.storage.place(bytes, at: Self.state)
        let report = cluster.report
        #expect(report.problems.count == 1 && report.replicas.count == 1, "\(report.problems)")
        #expect(report.problems.first?.contains("--adopt") == true, "\(report.problems)")
    }

    @Test("A journal without files is noted, and a loss where the broker knows of more")
    func emptiedJournal() throws {
        let cluster = try Cluster()
        // As on a full disk: the directory stays, with its reserve.
        cluster.storage.place([0], at: Self.journalPath + "/reserve")
        try removeJournal(of: cluster)
        let problems = cluster.problems
        #expect(problems.count == 1, "\(problems)")
        #expect(problems.first?.contains("up to part 4, and part 6 was") == true, "\(problems)")
        try cluster.place(cluster.state(acknowledged: 4))
        let report = cluster.report
        #expect(report.isSound, "\(cluster.problems)")
        let notes = report.replicas.flatMap(\.notes)
        #expect(notes.contains { $0.contains("holds no journal file") }, "\(notes)")
    }

    @Test("A journal's directory that is gone is missed, with and without the broker's state")
    func removedJournal() throws {
        let cluster = try Cluster()
        try removeJournal(of: cluster)
        for name in try cluster.storage.list(Self.journalPath) {
            try cluster.storage.remove(FilePath.join(Self.journalPath, name))
        }
        try cluster.storage.remove(Self.journalPath)
        #expect(cluster.problems.contains { $0.contains("journal is missing, and parts") })
        try cluster.storage.remove(Self.lock)
        try cluster.storage.remove(Self.state)
        #expect(cluster.problems.contains { $0.contains("journal is missing, and parts") })
    }

    private func removeJournal(of cluster: Cluster) throws {
        for name in try cluster.storage.list(Self.journalPath) where name.hasSuffix(".fj") {
            try cluster.storage.remove(FilePath.join(Self.journalPath, name))
        }
    }

    @Test("A directory that lacks what was acknowledged is told, with both numbers")
    func acknowledged() throws {
        let cluster = try Cluster()
        try cluster.place(cluster.state(acknowledged: 7))
        let problems = cluster.problems
        #expect(problems.count == 1, "\(problems)")
        for words in ["up to part 6, and part 7 was acknowledged", "--accept-loss"] {
            #expect(problems.first?.contains(words) == true, "\(problems)")
        }
    }

    @Test("What is left of a removed index is no problem: its worker removes it")
    func removedIndex() throws {
        let cluster = try Cluster()
        try cluster.place(cluster.removed())
        let report = cluster.report
        #expect(report.isSound, "\(cluster.problems)")
        #expect(
            report.notes.contains { $0.contains("is of an index that was removed") },
            "\(report.notes)")
    }

    @Test("What the state knows and is not there, and what is there and it does not know, is told")
    func differences() throws {
        let cluster = try Cluster()
        func expect(_ state: ClusterState, _ words: String...) throws {
            try cluster.place(state)
            let problems = cluster.problems
            for words in words {
                #expect(problems.contains { $0.contains(words) }, "\(words) in \(problems)")
            }
        }
        try expect(cluster.state(index: nil), "does not know", "--adopt")
        try expect(
            cluster.state(index: "other"), "does not know",
            "indexes/other/0 is missing: shard 0 of index other is to be there")
        try expect(
            cluster.state(identity: ReplicaIdentity(9)), "knows 9 there")
        try expect(
            cluster.state(acknowledged: 5, worker: "west"), "worker west", "older than a move")
        try expect(cluster.state(cluster: 8), "belongs to another cluster")
        var file = RemovedFile()
        let known = try #require(cluster.state().indexes.first)
        _ = file.add(.init(name: known.name, identity: known.identity))
        cluster.storage.place(file.encoded, at: Self.worker + "/removed-indexes")
        try expect(cluster.state(), "index \(known.name) was removed")
        cluster.storage.place([1], at: Self.worker + "/removed-indexes")
        try expect(cluster.state(), "removed-indexes is damaged")
    }
}
