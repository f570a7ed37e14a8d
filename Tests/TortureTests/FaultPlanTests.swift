import FresnelSystem
import Testing
import TortureHistory

@Suite("The plan of faults")
struct FaultPlanTests {
    private func plan(seed: UInt64, _ means: FaultPlan.Means, count: Int) -> [PlannedFault] {
        var generator = SeededGenerator(seed: seed)
        var plan = FaultPlan(workers: 3, means: means)
        return (0..<count).map { _ in plan.next(using: &generator) }
    }

    private static let all = FaultPlan.Means(network: true, disk: true, freeze: true)

    @Test("The same seed gives the same faults, another seed others")
    func seeded() {
        #expect(plan(seed: 1, Self.all, count: 40) == plan(seed: 1, Self.all, count: 40))
        #expect(plan(seed: 1, Self.all, count: 40) != plan(seed: 2, Self.all, count: 40))
    }

    @Test(
        "Every kind comes in each turn, with a target that there is",
        arguments: 1...5 as ClosedRange<UInt64>)
    func turns(seed: UInt64) {
        let count = FaultKind.allCases.count
        let faults = plan(seed: seed, Self.all, count: 2 * count)
        #expect(Set(faults.prefix(count).map(\.kind)).count == count)
        #expect(Set(faults.suffix(count).map(\.kind)).count == count)
        for fault in faults {
            #expect(fault.kind.hasWorker ? (1...3).contains(fault.target) : fault.target < 2)
            #expect((1...3).contains(fault.other) && fault.other != fault.target)
        }
    }

    @Test("What cannot be done here is not planned")
    func means() {
        let none = FaultPlan.Means(network: false, disk: false, freeze: false)
        let kinds = Set(plan(seed: 1, none, count: 60).map(\.kind))
        #expect(kinds.allSatisfy { !$0.needsNetwork })
        #expect(kinds.isDisjoint(with: [.diskFull, .diskFrozen]) && kinds.contains(.brokerKill))
    }
}
