import Foundation
import Testing

/// Brokers that come back with an older state, or with none: `FRESNEL_MEMORY_SEED=42` runs one
/// again.
@Suite("Simulation of lost states")
struct MemoryTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test(
        "A broker that forgot what its workers hold is honest, and gets everything back")
    func forgetting() {
        let one = Self.number("FRESNEL_MEMORY_SEED")
        let first = one ?? Self.number("FRESNEL_FIRST_SEED") ?? 1
        let count = one == nil ? Self.number("FRESNEL_SEEDS") ?? 150 : 1
        var failures = 0
        var tally = Tally()
        for seed in first..<first + count where failures < 5 {
            var simulation = Simulation(seed: seed, isTraced: false, losesState: true)
            simulation.run()
            tally.add(simulation.tally)
            guard let violation = simulation.violation else { continue }
            failures += 1
            var again = Simulation(seed: seed, isTraced: true, losesState: true)
            again.run()
            if failures == 1 { print(one == nil ? again.trace.ending : again.trace.text) }
            Issue.record("FRESNEL_MEMORY_SEED=\(seed): \(violation)")
        }
        print("\(count) seeds from \(first): \(tally.states), \(tally.text)")
        guard one == nil else { return }
        #expect(tally.honestAnswers > 0)
        for fate in StateFate.allCases where fate != .tidied {
            #expect(tally.states[fate, default: 0] > 0, "\(fate) never happened")
        }
    }

    @Test("What it forgot of indexes that come and go is there again, and what was removed is not")
    func passing() {
        let one = Self.number("FRESNEL_FORGOTTEN_SEED")
        let first = one ?? Self.number("FRESNEL_FIRST_SEED") ?? 1
        let count = one == nil ? Self.number("FRESNEL_SEEDS") ?? 150 : 1
        var failures = 0
        var tally = Tally()
        for seed in first..<first + count where failures < 5 {
            var simulation = Self.passing(seed, isTraced: false)
            simulation.run()
            tally.add(simulation.tally)
            guard let violation = simulation.violation else { continue }
            failures += 1
            var again = Self.passing(seed, isTraced: true)
            again.run()
            if failures == 1 { print(one == nil ? again.trace.ending : again.trace.text) }
            Issue.record("FRESNEL_FORGOTTEN_SEED=\(seed): \(violation)")
        }
        print("\(count) seeds from \(first): \(tally.states), \(tally.text)")
        guard one == nil else { return }
        for fate in StateFate.allCases {
            #expect(tally.states[fate, default: 0] > 0, "\(fate) never happened")
        }
        for change in IndexChange.allCases {
            #expect(tally.indexChanges[change, default: 0] > 0, "\(change) never happened")
        }
    }

    private static func passing(_ seed: UInt64, isTraced: Bool) -> Simulation {
        Simulation(seed: seed, isTraced: isTraced, losesState: true, changesIndexes: true)
    }
}
