@testable import FresnelCluster
import FresnelModel
import TestChance

// A broker and replicas on machines whose clocks jump, as values in one thread: what has expired is
// dropped at last, and nothing before it has been expired for an hour of the true time, whatever
// the clocks are set to. A wrong time lasts for less than an hour, or is on a machine of workers
// alone. Days pass in a run; no message says anything but the time.

/// One run of the simulator of clocks.
struct ClockSimulation {
    /// A machine: how wrong its wall clock is, and until when.
    private struct Machine {
        var error = 0.0
        var mends = 0.0
    }

    /// A replica: when each of its documents expires, and the word of the broker that it goes by.
    private struct Replica {
        var machine: Int
        var documents: [Int: Double] = [:]
        var permit = DropPermit()
        /// By when it has dropped what had expired.
        var droppedUntil = -Double.infinity
    }

    /// What happened in a run.
    struct Tally {
        var dropped = 0
        var jumps = 0
        var restarts = 0
        var differences = 0
        var doubts = 0
    }

    private let seed: UInt64
    private var random: SplitMix64
    private var machines: [Machine]
    private var replicas: [Replica]
    private var broker: AgreedTime
    /// What the broker wrote down last.
    private var written: Double
    /// The true time since the run began, in seconds: what monotonic clocks show.
    private var now = 0.0
    private var numbered = 0
    private(set) var tally = Tally()
    /// The first broken promise.
    private(set) var violation: String?

    init(seed: UInt64) {
        self.seed = seed
        var random = SplitMix64(seed: seed)
        let isOneMachine = random.chance(30)
        let count = random.number(in: 1...3)
        machines = (0...count).map { _ in Machine() }
        replicas = (1...count).map { Replica(machine: isOneMachine ? 0 : $0) }
        broker = AgreedTime(at: Self.reading(0, error: 0))
        written = Self.reading(0, error: 0).wall.seconds
        self.random = random
    }

    private static func reading(_ seconds: Double, error: Double) -> Moment {
        Moment(
            instant: Instant(nanoseconds: Int64(seconds * 1e9)),
            wall: Timestamp(seconds: 700_000_000 + seconds + error)
                ?? Timestamp(wholeSeconds: 700_000_000))
    }

    private func reading(on machine: Int) -> Moment {
        Self.reading(now, error: machines[machine].error)
    }

    private var truth: Double { Self.reading(now, error: 0).wall.seconds }

    /// Runs through some days of misfortunes and one of calm.
    mutating func run() {
        let unrest = Double(random.number(in: 20...80)) * 3600
        while violation == nil, now < unrest { step(isCalm: false) }
        for number in machines.indices { machines[number] = Machine() }
        let calm = now + 26 * 3600
        while violation == nil, now < calm { step(isCalm: true) }
        expectDropped()
    }

    private mutating func step(isCalm: Bool) {
        now += Double(random.number(in: 5...60))
        for number in machines.indices where now >= machines[number].mends {
            machines[number] = Machine()
        }
        if !isCalm, random.chance(1) { strike() }
        note(broker.observe(reading(on: 0)))
        for number in replicas.indices where random.chance(90) { exchange(number) }
        if broker.doubt != nil { tally.doubts += 1 }
        // While the clock is in doubt what is certain is written down.
        if random.chance(5) { written = broker.certain(at: reading(on: 0).instant) }
        if random.chance(40) { write() }
        if random.chance(20) { merge(random.below(replicas.count)) }
    }

    private mutating func note(_ news: AgreedTime.News?) { if news != nil { tally.jumps += 1 } }

    private mutating func strike() {
        switch random.number(in: 0...4) {
        case 0: restartBroker()
        case 1: replicas[random.below(replicas.count)].permit.revoke()
        case 2...3: setClock(of: 0, forAtMost: 3400)
        default: setClock(of: random.below(machines.count), forAtMost: 3400)
        }
        // A machine without the broker may be wrong for days.
        let others = replicas.map(\.machine).filter { $0 != 0 }
        if let machine = others.first, random.chance(20) {
            setClock(of: machine, forAtMost: 200_000)
        }
    }

    private mutating func setClock(of machine: Int, forAtMost seconds: Int) {
        // What follows a wrong time could be taken for the same one, for more than an hour.
        guard machines[machine].error == 0 else { return }
        let minutes = random.element(of: [3, 70, 2000, 57_600, 10_000_000])
        let distance = Double(random.number(in: 2...minutes)) * 60
        machines[machine].error = random.chance(50) ? distance : -distance
        machines[machine].mends = now + Double(random.number(in: 5...seconds))
    }

    /// Another broker process, which knows what was written down, and when its clock is right.
    private mutating func restartBroker() {
        machines[0] = Machine()
        tally.restarts += 1
        broker = AgreedTime(at: reading(on: 0), known: Timestamp(seconds: written))
        for number in replicas.indices {
            replicas[number].permit.revoke()
            // Whoever is written to has said so before.
            broker.noteDropped(until: replicas[number].droppedUntil, at: reading(on: 0))
        }
    }

    /// A sign of life and its answer.
    private mutating func exchange(_ number: Int) {
        let moment = reading(on: 0)
        let word = broker.expiredBy(at: moment.instant)
        replicas[number].permit.hear(
            expiredBy: word, brokerShows: moment.wall.seconds, at: moment.instant)
        let shown = reading(on: replicas[number].machine).wall.seconds
        broker.hear(WorkerID("w\(number)"), shows: shown, at: moment)
        guard abs(shown - moment.wall.seconds) > 61 else { return }
        tally.differences += 1
        if broker.trouble(at: moment) == nil { violation = "a difference is not told, at \(now)" }
        if broker.expiredBy(at: moment.instant) != nil {
            violation = "something may be dropped while clocks differ, at \(now)"
        }
    }

    /// A part: every replica makes the same of it, and what it stores lives for as long as it says.
    private mutating func write() {
        let stamp = broker.stamp(at: reading(on: 0).instant)
        if stamp.earliest > truth + 60 || stamp.latest < truth - 60 {
            violation = "\(stamp) does not contain the true time \(truth)"
        }
        let target = random.below(numbered + 1)
        let finds = replicas.map { ($0.documents[target] ?? -.infinity) > stamp.earliest }
        if Set(finds).count > 1 {
            violation = "replicas make different things of document \(target), at \(now): \(finds)"
        }
        numbered += 1
        let life = Double(random.number(in: 600...90_000))
        for number in replicas.indices {
            replicas[number].documents[numbered] = stamp.latest + life
        }
    }

    private mutating func merge(_ number: Int) {
        let moment = reading(on: replicas[number].machine)
        guard let bound = replicas[number].permit.expiredBy(at: moment) else { return }
        let gone = replicas[number].documents.filter { $0.value <= bound }
        for expiration in gone.values where expiration > truth - 3600 + 60 {
            violation = "what expired \(truth - expiration) s ago is dropped, at \(now)"
        }
        tally.dropped += gone.count
        if !gone.isEmpty { replicas[number].droppedUntil = bound }
        for document in gone.keys { replicas[number].documents[document] = nil }
    }

    /// In a day of right clocks everything goes that may.
    private mutating func expectDropped() {
        guard violation == nil else { return }
        for number in replicas.indices {
            exchange(number)
            merge(number)
            let left = replicas[number].documents.values.filter { $0 < truth - 3600 - 200 }
            if !left.isEmpty { violation = "\(left.count) documents stay for ever" }
        }
    }
}
