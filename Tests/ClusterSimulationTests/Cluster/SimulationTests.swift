import Foundation
import Testing

/// Runs seeded simulations: `make simulate SEEDS=1000`, or one again: `make simulate SEED=42`.
@Suite("Simulation")
struct SimulationTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test("Every invariant holds for every seed, whatever goes wrong")
    func seeds() {
        if let seed = Self.number("FRESNEL_SEED") {
            var simulation = Simulation(seed: seed, isTraced: true)
            simulation.run()
            print(simulation.trace.text)
            print("seed \(seed), digest \(simulation.trace.digest): \(simulation.tally.text)")
            #expect(simulation.violation == nil, "SEED=\(seed) make simulate")
            return
        }
        let first = Self.number("FRESNEL_FIRST_SEED") ?? 1
        let count = Self.number("FRESNEL_SEEDS") ?? 300
        var failures = 0
        var tally = Tally()
        for seed in first..<first + count where failures < 5 {
            var simulation = Simulation(seed: seed, isTraced: false)
            simulation.run()
            tally.add(simulation.tally)
            guard let violation = simulation.violation else { continue }
            failures += 1
            var again = Simulation(seed: seed, isTraced: true)
            again.run()
            if failures == 1 { print(again.trace.ending) }
            Issue.record("SEED=\(seed) make simulate  # \(violation)")
        }
        print("\(count) seeds from \(first): \(tally.text)")
        #expect(tally.completions["complete"] ?? 0 > 0 && tally.acknowledgements > 0)
        guard count >= 100 else { return }
        #expect(tally.cachedAnswers > 0 && tally.keptAnswers > 0)
        #expect(
            tally.rounds > 0 && tally.changes > 0 && tally.namesakes > 0 && tally.reusedNumbers > 0)
        #expect(tally.singleRounds > 0 && tally.secondRounds > 0 && tally.brokenRounds > 0)
        for misfortune in Misfortune.allCases {
            #expect(tally.misfortunes[misfortune, default: 0] > 0, "\(misfortune) never happened")
        }
        #expect(tally.clockJumps > 0)
        for mishap in Mishap.allCases {
            #expect(tally.mishaps[mishap, default: 0] > 0, "\(mishap) never happened")
        }
        #expect(tally.loneBounds > 0 && tally.leftOut > 0 && tally.exactOrders > 0)
        guard count >= 1500 else { return }
        #expect(tally.agedDisks > 0 && tally.statesCompared > 0)
        for fault in DiskFault.allCases {
            #expect(tally.disks[fault, default: 0] > 0, "\(fault) never happened")
        }
    }

    @Test("With two replicas no query fails when one worker dies, and nothing acknowledged is lost")
    func oneWorker() {
        let first = Self.number("FRESNEL_FIRST_SEED") ?? 1
        let count = Self.number("FRESNEL_SEEDS") ?? 100
        var failures = 0
        var tally = Tally()
        for seed in first..<first + count where failures < 3 {
            var simulation = Simulation(seed: seed, isTraced: false, losesOneWorker: true)
            simulation.run()
            tally.add(simulation.tally)
            guard let violation = simulation.violation else { continue }
            failures += 1
            var again = Simulation(seed: seed, isTraced: true, losesOneWorker: true)
            again.run()
            if failures == 1 { print(again.trace.ending) }
            Issue.record("seed \(seed), one worker dies: \(violation)")
        }
        print("\(count) seeds with one worker dying: \(tally.text)")
        #expect(tally.moves > 0 && tally.exclusions > 0 && tally.copies > 0)
    }

    @Test(
        "A query that is asked again of the next broker is compared with what that one told",
        arguments: [495, 778] as [UInt64])
    func askedAgain(seed: UInt64) {
        var simulation = Simulation(seed: seed, isTraced: false, disks: .plain)
        simulation.run()
        #expect(simulation.violation == nil, "SEED=\(seed) make simulate")
    }

    @Test(
        "Clusters in which copies once differed, or an acknowledged document was not seen",
        arguments: [1130, 2656, 3228, 4741, 6787, 7186] as [UInt64])
    func copies(seed: UInt64) {
        var simulation = Simulation(seed: seed, isTraced: false, disks: .plain)
        simulation.run()
        #expect(simulation.violation == nil, "SEED=\(seed) make simulate")
    }

    @Test(
        "Clusters whose disks once kept a copy from joining",
        arguments: [1150, 2512] as [UInt64])
    func disks(seed: UInt64) {
        var simulation = Simulation(seed: seed, isTraced: false)
        simulation.run()
        #expect(simulation.violation == nil, "SEED=\(seed) make simulate")
    }

    @Test("The same seed gives the same run, step by step", arguments: [1, 2, 3, 77] as [UInt64])
    func determinism(seed: UInt64) {
        var first = Simulation(seed: seed, isTraced: true)
        first.run()
        var second = Simulation(seed: seed, isTraced: true)
        second.run()
        #expect(first.trace.digest == second.trace.digest)
        #expect(first.tally.steps == second.tally.steps)
    }
}
