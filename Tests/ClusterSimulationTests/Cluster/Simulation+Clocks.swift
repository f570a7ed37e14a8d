@testable import FresnelCluster
import FresnelModel
import TestChance

// Wall clocks are set while everything else happens. Nothing here expires in a run's seconds, so
// nobody may notice (`ClockSimulation` has the days that dropping takes).

/// How wrong the wall clocks of the machines are.
struct SimulatedClocks {
    /// Of their own dice, so that the fates of seeds stay as they were.
    var dice: SplitMix64
    var broker: Int64 = 0
    var workers: [Int: Int64] = [:]
}

extension Simulation {
    /// Both clocks of a machine.
    func moment(ofClockAhead seconds: Int64) -> Moment {
        Moment(
            instant: now, wall: Timestamp(wholeSeconds: now.nanoseconds / 1_000_000_000 + seconds))
    }

    /// Sets one machine's clock, or all of them, and plans the next time.
    mutating func setClock() {
        guard !isCalm else { return }
        agenda.add(.clockJump, at: now + clocks.dice.milliseconds(100...2_000))
        let distance = Int64(clocks.dice.element(of: [30, 70, 90_000, 3_456_000, 600_000_000]))
        let error = clocks.dice.element(of: [0, distance, -distance])
        let number = clocks.dice.number(in: -2...workers.count - 1)
        trace.note(now, "clock \(number) is \(error) s ahead")
        tally.clockJumps += 1
        if number < 0 { clocks.broker = error }
        for worker in workers.indices where number == -2 || number == worker {
            clocks.workers[worker] = error
        }
    }

    /// Every clock is right again.
    mutating func setClocksRight() {
        clocks.broker = 0
        clocks.workers = [:]
    }
}
