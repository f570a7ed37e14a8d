import Testing

@testable import FresnelCluster
@testable import FresnelModel

@Suite("Liveness")
struct LivenessTests {
    /// Ticks every quarter second up to `seconds`, as a shell does.
    private func actions(
        of liveness: inout Liveness<Int>, from first: Double = 0, until seconds: Double
    ) -> [Liveness<Int>.Action] {
        stride(from: first, through: seconds, by: 0.25).flatMap { liveness.tick(at: at($0)) }
    }

    @Test(
        "A peer silent for as long as the timer says is suspect, then gone",
        arguments: [
            (2.25, Liveness<Int>.State.live), (2.5, .suspect), (4.75, .suspect), (5.0, nil),
        ])
    func silence(seconds: Double, state: Liveness<Int>.State?) {
        var liveness = Liveness<Int>(timers: .standard)
        #expect(liveness.hear(1, at: start) == [])
        let actions = actions(of: &liveness, until: seconds)
        #expect(liveness.state(of: 1) == state)
        #expect(actions.contains(.evict(1)) == (state == nil))
    }

    @Test("Every peer is pinged once per interval, in a fixed order")
    func pings() {
        var liveness = Liveness<Int>(timers: .standard)
        for peer in [3, 1, 2] { _ = liveness.hear(peer, at: start) }
        #expect(actions(of: &liveness, until: 0.75) == [])
        #expect(liveness.tick(at: at(1)) == [.ping(1), .ping(2), .ping(3)])
        #expect(liveness.tick(at: at(1.25)) == [])
    }

    @Test("A suspect that gives a sign of life recovers")
    func recovery() {
        var liveness = Liveness<Int>(timers: .standard)
        _ = liveness.hear(1, at: start)
        #expect(actions(of: &liveness, until: 3).contains(.suspect(1)))
        #expect(liveness.hear(1, at: at(3)) == [.recover(1)])
        #expect(liveness.state(of: 1) == .live)
    }

    @Test("Time in which the process itself was away is no one's silence")
    func ownAbsence() {
        var liveness = Liveness<Int>(timers: .standard)
        _ = liveness.hear(1, at: start)
        _ = liveness.tick(at: at(0.25))
        let late = liveness.tick(at: at(60))
        #expect(!late.contains(.evict(1)) && !late.contains(.suspect(1)))
    }

    @Test("Forgiveness never reaches into the future: who was heard after a pause can still die")
    func forgivenessIsBounded() {
        var liveness = Liveness<Int>(timers: .standard)
        _ = liveness.hear(1, at: start)
        _ = liveness.tick(at: at(0.25))
        // An hour asleep, then a message is read before the first tick.
        _ = liveness.hear(1, at: at(3600))
        let actions = actions(of: &liveness, from: 3600, until: 3605.25)
        #expect(actions.contains(.evict(1)))
    }

    @Test("A forgotten peer causes nothing more")
    func forgetting() {
        var liveness = Liveness<Int>(timers: .standard)
        _ = liveness.hear(1, at: start)
        liveness.forget(1)
        #expect(actions(of: &liveness, until: 6) == [])
    }
}
