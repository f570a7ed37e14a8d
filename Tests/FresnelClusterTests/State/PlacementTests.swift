import FresnelModel
import Testing

@testable import FresnelCluster

@Suite("Placement")
struct PlacementTests {
    private func workers(_ count: Int) -> [WorkerID] { (0..<count).map { WorkerID("w\($0)") } }

    @Test("The same workers give the same placement, whatever order they came in")
    func order() {
        let workers = workers(7)
        let placement = Placement.place(index: "items", shardCount: 24, on: workers)
        let turned = Placement.place(index: "items", shardCount: 24, on: workers.reversed())
        #expect(placement == turned)
        #expect(placement != Placement.place(index: "notes", shardCount: 24, on: workers))
    }

    /// The most that one of the workers has more than another.
    private func difference(_ placed: [WorkerID], among workers: [WorkerID]) -> Int {
        let loads = workers.map { worker in placed.count { $0 == worker } }
        return (loads.max() ?? 0) - (loads.min() ?? 0)
    }

    @Test(
        "Copies of a shard are on different workers, as many as there are; nobody has two more",
        arguments: 1...3, 1...9)
    func even(copies: Int, workerCount: Int) {
        let workers = workers(workerCount)
        let count = min(copies, workerCount)
        for index in ["items", "notes", "debian", "x"] {
            for shardCount in 1...17 {
                let placement = Placement.place(
                    index: index, shardCount: UInt32(shardCount), copies: UInt32(copies),
                    on: workers)
                #expect(placement.count == shardCount)
                #expect(placement.allSatisfy { $0.count == count && Set($0).count == count })
                let all = difference(Array(placement.joined()), among: workers)
                #expect(all <= 1, "\(shardCount) shards of \(index): \(placement)")
                let first = difference(placement.map { $0[0] }, among: workers)
                #expect(first <= 1, "\(shardCount) shards of \(index): \(placement)")
            }
        }
    }

    @Test(
        "Indexes that come one after the other are even together, as far as each is",
        arguments: 1...6)
    func together(workerCount: Int) {
        let workers = workers(workerCount)
        for (shardCount, copies) in [(1, 1), (2, 1), (3, 1), (6, 1), (1, 2), (3, 2), (5, 3)] {
            var load: [WorkerID: Int] = [:]
            for number in 1...8 {
                let placement = Placement.place(
                    index: "index-\(number)", shardCount: UInt32(shardCount),
                    copies: UInt32(copies), on: workers, load: load)
                for worker in placement.joined() { load[worker, default: 0] += 1 }
                // Copies of a shard cannot share the worker that has the fewest.
                let counts = workers.map { load[$0] ?? 0 }
                let difference = (counts.max() ?? 0) - (counts.min() ?? 0)
                #expect(
                    difference <= min(copies, 2),
                    "\(number) indexes of \(shardCount) x \(copies): \(counts)")
            }
        }
    }

    @Test("Without workers there is no placement")
    func nobody() {
        #expect(Placement.place(index: "items", shardCount: 4, on: []) == [])
    }
}
