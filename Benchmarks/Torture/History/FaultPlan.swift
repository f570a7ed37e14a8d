/// What to break next.
package struct PlannedFault: Sendable, Equatable {
    /// How.
    package var kind: FaultKind
    /// A worker's number from 1, or 0 for the broker.
    package var target: Int
    /// The other worker of two that do not reach each other.
    package var other: Int
    /// How long until it is taken back, in milliseconds.
    package var hold: Int
    /// How long the cluster is left alone afterwards, in milliseconds.
    package var rest: Int
}

/// The faults of a run, from its seed: all kinds in turn, in an order that changes.
package struct FaultPlan: Sendable {
    /// What can be broken here.
    package struct Means: Sendable {
        /// Whether processes are in network namespaces of their own.
        package var network: Bool
        /// Whether the first worker has a disk of its own that can be filled.
        package var disk: Bool
        /// Whether that disk can be frozen.
        package var freeze: Bool

        /// Says what can be broken.
        package init(network: Bool, disk: Bool, freeze: Bool) {
            self.network = network
            self.disk = disk
            self.freeze = freeze
        }
    }

    private let workers: Int
    private let kinds: [FaultKind]
    private var turn: [FaultKind] = []

    /// Plans for so many workers.
    package init(workers: Int, means: Means) {
        self.workers = workers
        kinds = FaultKind.allCases.filter { kind in
            switch kind {
            case .diskFull: means.disk
            case .diskFrozen: means.freeze
            case .workersApart: means.network && workers > 1
            default: means.network || !kind.needsNetwork
            }
        }
    }

    /// The next fault.
    package mutating func next(
        using generator: inout some RandomNumberGenerator
    ) -> PlannedFault {
        if turn.isEmpty { turn = kinds.shuffled(using: &generator) }
        let kind = turn.removeLast()
        var target = 0
        if kind.hasWorker { target = Int.random(in: 1...workers, using: &generator) }
        if kind == .diskFull || kind == .diskFrozen { target = 1 }
        let hold = Int.random(in: Self.hold(of: kind), using: &generator)
        return PlannedFault(
            kind: kind, target: target, other: target % workers + 1, hold: hold,
            rest: Int.random(in: 200...2000, using: &generator))
    }

    /// In milliseconds: sometimes shorter than a peer's patience, sometimes longer.
    private static func hold(of kind: FaultKind) -> ClosedRange<Int> {
        switch kind {
        case .workerKill, .workerEnd: 0...3000
        case .brokerKill, .brokerEnd: 0...2000
        case .workerStop, .brokerStop: 300...8000
        case .workerCutOff, .workerDeaf, .workerMute, .brokerCutOff, .workersApart: 500...8000
        case .diskFull: 3000...8000
        case .diskFrozen: 500...7000
        }
    }
}
