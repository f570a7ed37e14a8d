import FresnelClient
import FresnelSystem
import TortureHistory

/// Breaks one thing after the other until the time is over, towards the end two at a time.
struct FaultSchedule {
    /// How long a cluster may take to become whole again, in seconds.
    private static let patience: Int64 = 90

    private let cluster: TortureCluster
    private let load: Load
    private let client: SearchClient
    private var generator: SeededGenerator
    private var plan: FaultPlan

    init(_ cluster: TortureCluster, _ load: Load, _ client: SearchClient) {
        self.cluster = cluster
        self.load = load
        self.client = client
        generator = SeededGenerator(seed: cluster.description.seed)
        plan = FaultPlan(workers: cluster.description.workers, means: cluster.stage.means)
    }

    /// Runs until a moment; returns when everything was taken back and is whole again.
    mutating func run(until end: Int64) async throws {
        let pairsFrom = Recorder.now + (end - Recorder.now) / 4 * 3
        while Recorder.now < end {
            let first = plan.next(using: &generator)
            var faults = [first]
            if Recorder.now > pairsFrom {
                let second = plan.next(using: &generator)
                if Self.areApart(first, second) { faults.append(second) }
            }
            try await make(faults)
            try await Task.sleep(for: .milliseconds(first.rest))
        }
    }

    /// Makes faults at the same time, and waits until the cluster is whole again.
    private func make(_ faults: [PlannedFault]) async throws {
        let made = try await withThrowingTaskGroup(of: FaultEvent.self) { group in
            for fault in faults { group.addTask { [self] in try await make(fault) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        let healed = await healed()
        for var fault in made {
            fault.healed = healed
            load.recorder.record(.fault(fault))
        }
        guard healed == nil else { return }
        let names = faults.map { "\($0.kind.rawValue) of \($0.target)" }.joined(separator: ", ")
        load.recorder.trouble(.notHealed, "not whole \(Self.patience) s after \(names)")
    }

    /// When everything answers and is in sync.
    ///
    /// What was cut off may still be thought to be there: a write to every shard finds out.
    private func healed() async -> Int64? {
        let end = Recorder.now + Self.patience * 1_000_000_000
        while Recorder.now < end, !Task.isCancelled {
            guard await load.probe(client) else { continue }
            return await cluster.healed(within: Self.patience, client)
        }
        return nil
    }

    private func make(_ fault: PlannedFault) async throws -> FaultEvent {
        let started = Recorder.now
        say(
            "\(started.asSeconds) \(fault.kind.rawValue) of \(fault.target) "
                + "for \(fault.hold) ms")
        try await cluster.begin(fault)
        do {
            try await cluster.hold(fault)
        } catch {
            try await cluster.end(fault)
            throw error
        }
        // Before it is taken back: what is asked from now on is asked of a cluster that is whole.
        let ended = Recorder.now
        try await cluster.end(fault)
        return FaultEvent(fault.kind, target: fault.target, started: started, ended: ended)
    }

    /// Whether two faults do not get into each other's way.
    private static func areApart(_ first: PlannedFault, _ second: PlannedFault) -> Bool {
        func targets(_ fault: PlannedFault) -> Set<Int> {
            switch fault.kind {
            case .brokerCutOff: [1, 2, 3, 4, 5, 6, 7, 8, 9]
            case .workersApart: [fault.target, fault.other]
            default: [fault.target]
            }
        }
        return targets(first).isDisjoint(with: targets(second))
    }
}
