import Testing

@Suite("Simulated clocks")
struct ClockTests {
    @Test("Whatever clocks are set to, nothing goes that has not been expired for a true hour")
    func seeds() {
        var (dropped, jumps, restarts, differences, doubts) = (0, 0, 0, 0, 0)
        for seed in 1...60 as ClosedRange<UInt64> {
            var simulation = ClockSimulation(seed: seed)
            simulation.run()
            let tally = simulation.tally
            dropped += tally.dropped
            jumps += tally.jumps
            restarts += tally.restarts
            differences += tally.differences
            doubts += tally.doubts
            #expect(simulation.violation == nil, "seed \(seed)")
        }
        let happened = [dropped, jumps, restarts, differences, doubts]
        print("clocks: dropped, jumps, restarts, differences, doubts: \(happened)")
        #expect(happened.allSatisfy { $0 > 0 })
    }
}
