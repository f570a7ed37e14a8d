import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("A worker tells what lies in its directory")
struct SurveyTests {
    /// What the newest survey found.
    private func found(_ events: [WorkerEvent]) -> [WireFoundReplica]? {
        events.compactMap { event in
            if case .surveyed(let found, _) = event { found } else { nil }
        }.last
    }

    private func written() throws -> WorkerBench {
        let bench = try WorkerBench(sealThresholdBytes: 1)
        bench.host(keys: [WireCustomKey(try CustomAttributeKey("com_a", .string))])
        for sequence in UInt64(1)...3 {
            let part = WorkerBench.part(
                sequence, after: sequence - 1, batch: sequence,
                [WorkerBench.document("item-\(sequence)")])
            _ = try bench.ingest(part)
        }
        return bench
    }

    @Test("A replica that no ASSIGN names is told of, open or not, with all that is needed of it")
    func unassigned() throws {
        let bench = try written()
        let identity = try #require(bench.handler.replicas.values.first).index.identity
        for isOpen in [true, false] {
            if !isOpen { bench.restart() }
            bench.handler.receive(.host([]))
            let found = try #require(self.found(bench.takeEvents()))
            #expect(found.count == 1, "open: \(isOpen)")
            let replica = try #require(found.first)
            #expect(replica.index == "shop" && replica.shard == 0 && replica.shardCount == 1)
            #expect(replica.identity == identity.value && replica.lastSequence == 3)
            #expect(replica.customKeys.map(\.name) == ["com_a"])
        }
    }

    @Test("Indexes that the directory remembers to be removed are told of")
    func removed() throws {
        let bench = try written()
        var file = RemovedFile()
        _ = file.add(.init(name: "notes", identity: IndexIdentity(high: 3, low: 4)))
        bench.storage.place(file.encoded, at: WorkerBench.root + "/removed-indexes")
        _ = bench.takeEvents()
        bench.handler.receive(.host([]))
        let marks = bench.takeEvents().compactMap { event in
            if case .surveyed(_, let removed) = event { removed } else { nil }
        }.last
        let mark = try #require(marks?.first)
        #expect(mark.index == "notes" && mark.identityHigh == 3 && mark.identityLow == 4)
    }

    @Test("What an ASSIGN names is not told of, nor is a folder that holds nothing of a replica")
    func assigned() throws {
        let bench = try written()
        bench.storage.place([1], at: WorkerBench.root + "/indexes/other/0/notes.txt")
        bench.storage.place([1], at: WorkerBench.root + "/indexes/..odd/0/segments/MANIFEST")
        _ = bench.takeEvents()
        var assignment = WireIndexAssignment()
        assignment.index = "shop"
        assignment.shards = [0]
        assignment.shardCount = 1
        bench.handler.receive(.host([assignment]))
        #expect(found(bench.takeEvents()) == [])
    }

    @Test("A replica whose manifest cannot be read is told of all the same")
    func damaged() throws {
        let bench = try written()
        bench.restart()
        bench.storage.place(
            [1, 2, 3],
            at: FilePath.join(bench.directory.segmentDirectory(of: WorkerBench.shard), "MANIFEST"))
        bench.handler.receive(.survey)
        let replica = try #require(found(bench.takeEvents())?.first)
        #expect(replica.index == "shop" && replica.shardCount == 0 && replica.identity == 0)
    }

    @Test("Of which cluster a directory is stays with it, and a damaged note binds nobody")
    func cluster() throws {
        let bench = try written()
        #expect(bench.directory.membership.cluster == 0)
        bench.handler.receive(.join(cluster: 0xABC))
        let membership = bench.directory.membership
        #expect(membership.cluster == 0xABC && membership.holdsReplicas)
        let path = WorkerBench.root + "/cluster"
        let bytes = try bench.storage.read(path)
        for position in bytes.indices {
            var damaged = bytes
            damaged[position] ^= 4
            bench.storage.place(damaged, at: path)
            #expect(bench.directory.membership.cluster == 0, "byte \(position)")
        }
    }

    @Test("A replica that is open is not served as that of another index of its name")
    func reassigned() throws {
        let bench = try WorkerBench(sealThresholdBytes: 1)
        var assignment = WireIndexAssignment()
        assignment.index = "shop"
        assignment.shards = [0]
        assignment.shardCount = 1
        assignment.indexIdentityLow = 5
        bench.handler.receive(.host([assignment]))
        bench.handler.receive(.host([assignment]))
        #expect(bench.handler.replicas[WorkerBench.shard] != nil)
        assignment.indexIdentityLow = 6
        bench.handler.receive(.host([assignment]))
        #expect(bench.handler.replicas[WorkerBench.shard] == nil)
        assignment.indexIdentityLow = 5
        bench.handler.receive(.host([assignment]))
        #expect(bench.handler.replicas[WorkerBench.shard] != nil)
    }

    @Test(
        "A replica of another index of that name is not removed by a drop, nor set aside",
        arguments: [
            .any, .known(ReplicaIdentity(77)), .unseen,
        ] as [DropTarget.Replica])
    func drop(replica: DropTarget.Replica) throws {
        let bench = try WorkerBench(sealThresholdBytes: 1)
        var assignment = WireIndexAssignment()
        assignment.index = "shop"
        assignment.shards = [0]
        assignment.shardCount = 1
        assignment.indexIdentityLow = 5
        bench.handler.receive(.host([assignment]))
        let folder = bench.directory.folder(of: WorkerBench.shard)
        let other = DropTarget(index: IndexIdentity(high: 0, low: 6), replica: replica)
        bench.handler.receive(.transfer(.drop(WorkerBench.shard, Epoch(9), other)))
        #expect(try bench.storage.isDirectory(folder))
        #expect(bench.handler.replicas[WorkerBench.shard] != nil)
        #expect(!isEmptied(bench.takeEvents()))
        let meant = DropTarget(index: IndexIdentity(high: 0, low: 5))
        bench.handler.receive(.transfer(.drop(WorkerBench.shard, Epoch(9), meant)))
        #expect(try !bench.storage.isDirectory(folder))
        #expect(isEmptied(bench.takeEvents()), "it goes to any cluster now")
        #expect(!bench.directory.membership.holdsReplicas)
    }

    private func isEmptied(_ events: [WorkerEvent]) -> Bool {
        events.contains { event in
            if case .emptied = event { true } else { false }
        }
    }
}
