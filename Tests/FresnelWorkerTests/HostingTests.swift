import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@testable import FresnelWorker

@Suite("Opening a worker's shards and directory")
struct HostingTests {
    @Test("A shard whose files came back is opened without being assigned again")
    func reopening() throws {
        let bench = try WorkerBench()
        bench.host()
        _ = try bench.ingest(
            WorkerBench.part(1, after: 0, batch: 1, [WorkerBench.document("lamp")]))
        let path = try #require(try bench.journalFiles().first)
        let whole = try bench.storage.read(path)
        bench.storage.place([UInt8](repeating: 7, count: 8) + whole[8...], at: path)
        bench.restart()
        #expect(bench.host().count == 1)
        #expect(bench.table[WorkerBench.shard] == nil)
        bench.storage.place(whole, at: path)
        bench.pass(seconds: 6)
        let inventories = bench.takeEvents().compactMap { event -> [WireShardInventory]? in
            guard case .hosted(let inventory, failures: _) = event else { return nil }
            return inventory
        }
        #expect(inventories.map { $0.map(\.lastSequence) } == [[1]])
        #expect(bench.search("title == \"lens\"", at: 1).identifiers == ["lamp"])
    }

    @Test("A worker's directory keeps its name, and another name for it is refused")
    func renamed() throws {
        let storage = MemoryStorage()
        let directory = try WorkerDirectory("/worker", storage: storage)
        let chance = SeededRandom(seed: 1)
        #expect(try directory.name(wanted: "east", chance: chance).name == "east")
        #expect(try directory.name(wanted: nil, chance: chance).name == "east")
        let error = #expect(throws: WorkerError.self) {
            try directory.name(wanted: "west", chance: chance)
        }
        guard case .renamed("/worker", "east", "west") = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(try directory.name(wanted: "east", chance: chance).name == "east")
    }
}
