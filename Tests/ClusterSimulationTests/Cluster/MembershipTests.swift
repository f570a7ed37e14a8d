import Foundation
import Testing

/// Workers that join and are drained in the middle: `FRESNEL_MEMBERSHIP_SEED=42` runs one again.
@Suite("Simulation of membership")
struct MembershipTests {
    private static func number(_ name: String) -> UInt64? {
        ProcessInfo.processInfo.environment[name].flatMap { UInt64($0) }
    }

    @Test(
        "While replicas move and nothing goes wrong, every shard can be searched, and all is moved")
    func undisturbed() { run(.undisturbed) }

    @Test("Every invariant holds while workers join and are drained, whatever else goes wrong")
    func disturbed() { run(.changing) }

    @Test(
        "Clusters in which copies never joined or were not equal, or one disk alone was read",
        arguments: [10, 16, 39, 97, 310, 721, 4742] as [UInt64])
    func disks(seed: UInt64) {
        var simulation = Simulation(seed: seed, isTraced: false, membership: .changing)
        simulation.run()
        #expect(simulation.violation == nil, "FRESNEL_MEMBERSHIP_SEED=\(seed)")
    }

    private func run(_ membership: Membership) {
        let one = Self.number("FRESNEL_MEMBERSHIP_SEED")
        let first = one ?? Self.number("FRESNEL_FIRST_SEED") ?? 1
        let count = one == nil ? Self.number("FRESNEL_SEEDS") ?? 150 : 1
        var failures = 0
        var tally = Tally()
        for seed in first..<first + count where failures < 5 {
            var simulation = Simulation(seed: seed, isTraced: false, membership: membership)
            simulation.run()
            tally.add(simulation.tally)
            guard let violation = simulation.violation else { continue }
            failures += 1
            var again = Simulation(seed: seed, isTraced: true, membership: membership)
            again.run()
            if failures == 1 { print(one == nil ? again.trace.ending : again.trace.text) }
            Issue.record("FRESNEL_MEMBERSHIP_SEED=\(seed) \(membership): \(violation)")
        }
        print("\(count) seeds from \(first), membership \(membership): \(tally.text)")
        guard one == nil else { return }
        #expect(tally.finishedMoves > 0 && tally.drops > 0 && tally.copies > 0)
        #expect(membership == .undisturbed || tally.lies > 0)
        for change in MembershipChange.allCases {
            #expect(tally.membership[change, default: 0] > 0, "\(change) never happened")
        }
    }
}
