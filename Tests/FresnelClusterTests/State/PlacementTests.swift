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

    @Test(
        "Copies of a shard are on different workers, as many as there are, evenly",
        arguments: [(2, 1), (2, 5), (3, 2), (3, 3), (3, 7), (2, 2)])
    func copies(copies: Int, workerCount: Int) {
        let placement = Placement.place(
            index: "items", shardCount: 12, copies: UInt32(copies), on: workers(workerCount))
        let count = min(copies, workerCount)
        #expect(placement.allSatisfy { $0.count == count && Set($0).count == count })
        let loads = Dictionary(grouping: placement.joined()) { $0 }.mapValues(\.count)
        #expect(loads.values.allSatisfy { $0 <= (12 * count + workerCount - 1) / workerCount + 1 })
        let alone = Placement.place(index: "items", shardCount: 12, on: workers(workerCount))
        #expect(placement.map { Array($0.prefix(1)) } == alone)
    }

    @Test("Without workers there is no placement")
    func nobody() {
        #expect(Placement.place(index: "items", shardCount: 4, on: []) == [])
    }
}
