import Foundation
import Testing

/// Indexes that come and go in the middle: `FRESNEL_INDEXES_SEED=42` runs one again.
@Suite("Simulation of indexes that come and go")
struct IndexChangeTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test(
        "What was acknowledged stays as long as its index, and goes with it, whatever goes wrong",
        arguments: [Membership.fixed, .changing])
    func seeds(membership: Membership) {
        let one = Self.number("FRESNEL_INDEXES_SEED")
        let first = one ?? Self.number("FRESNEL_FIRST_SEED") ?? 1
        let count = one == nil ? Self.number("FRESNEL_SEEDS") ?? 100 : 1
        var failures = 0
        var tally = Tally()
        for seed in first..<first + count where failures < 3 {
            var simulation = Self.simulation(seed, membership, isTraced: false)
            simulation.run()
            tally.add(simulation.tally)
            guard let violation = simulation.violation else { continue }
            failures += 1
            var again = Self.simulation(seed, membership, isTraced: true)
            again.run()
            if failures == 1 { print(one == nil ? again.trace.ending : again.trace.text) }
            Issue.record("FRESNEL_INDEXES_SEED=\(seed) \(membership): \(violation)")
        }
        print("\(count) seeds from \(first), membership \(membership): \(tally.text)")
        guard one == nil else { return }
        #expect(tally.drops > 0 && tally.acknowledgements > 0)
        for change in IndexChange.allCases {
            #expect(tally.indexChanges[change, default: 0] > 0, "\(change) never happened")
        }
    }

    private static func simulation(
        _ seed: UInt64, _ membership: Membership, isTraced: Bool
    ) -> Simulation {
        Simulation(
            seed: seed, isTraced: isTraced, membership: membership, disks: .plain,
            changesIndexes: true)
    }
}
