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

    @Test(
        "No worker has more than its share, and every shard has a worker",
        arguments: [(1, 6), (2, 6), (3, 7), (5, 5), (8, 3), (7, 24)])
    func balance(workerCount: Int, shardCount: Int) {
        let placement = Placement.place(
            index: "items", shardCount: UInt32(shardCount), on: workers(workerCount))
        #expect(placement.count == shardCount)
        let share = (shardCount + workerCount - 1) / workerCount
        let loads = Dictionary(grouping: placement) { $0 }.mapValues(\.count)
        #expect(loads.values.allSatisfy { $0 <= share })
    }

    @Test("Without workers there is no placement")
    func nobody() {
        #expect(Placement.place(index: "items", shardCount: 4, on: []) == [])
    }
}
