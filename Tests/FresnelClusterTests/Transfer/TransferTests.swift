import FresnelKernels
import FresnelModel
import FresnelWire
import Foundation
import Testing

@testable import FresnelCluster

@Suite("Copies of replicas")
struct TransferTests {
    @Test("R-5, R-8, R-9: whatever is lost, doubled, damaged or restarted, a copy becomes equal")
    func seeds() {
        let count = ProcessInfo.processInfo.environment["FRESNEL_SEEDS"].flatMap { UInt64($0) }
        var tally: [String: Int] = [:]
        for seed in 1...(count ?? 300) {
            var simulation = TransferSimulation(seed: seed)
            simulation.run()
            tally.merge(simulation.tally, uniquingKeysWith: +)
            for problem in simulation.problems { Issue.record("seed \(seed): \(problem)") }
        }
        print(tally.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" })
        for event in [
            "lost", "doubled", "damaged", "donor restarts", "receiver restarts", "disk full",
            "forks", "installed", "appended", "live",
        ] {
            #expect(tally[event, default: 0] > 0, "\(event) never happened")
        }
    }
}
