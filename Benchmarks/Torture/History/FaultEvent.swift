/// The ways in which a run breaks a cluster.
package enum FaultKind: String, Codable, Sendable, CaseIterable {
    /// SIGKILL to a worker; started again after a while.
    case workerKill
    /// SIGTERM to a worker; started again after a while.
    case workerEnd
    /// SIGSTOP to a worker, SIGCONT after a while.
    case workerStop
    /// No message between a worker and everybody else for a while.
    case workerCutOff
    /// A worker hears the broker no more and is heard: its packets come through, none come back.
    case workerDeaf
    /// A worker is not heard any more and hears: packets reach it, none of its own come through.
    case workerMute
    /// Two workers do not reach each other; both reach the broker.
    case workersApart
    /// The disk of the first worker is full for a while.
    case diskFull
    /// The disk of the first worker takes nothing for a while, and says nothing.
    case diskFrozen
    /// SIGKILL to the broker; started again after a while.
    case brokerKill
    /// SIGTERM to the broker; started again after a while.
    case brokerEnd
    /// SIGSTOP to the broker, SIGCONT after a while.
    case brokerStop
    /// No message between the broker and any worker for a while.
    case brokerCutOff

    /// Whether it takes a worker of several, and nothing else: two replicas bear it.
    package var isBorneByReplicas: Bool {
        switch self {
        case .workerKill, .workerEnd, .workerStop, .workerCutOff, .workerDeaf, .workerMute,
            .workersApart, .diskFull, .diskFrozen:
            true
        case .brokerKill, .brokerEnd, .brokerStop, .brokerCutOff: false
        }
    }

    /// Whether it needs network namespaces.
    package var needsNetwork: Bool {
        switch self {
        case .workerCutOff, .workerDeaf, .workerMute, .workersApart, .brokerCutOff: true
        case .workerKill, .workerEnd, .workerStop, .diskFull, .diskFrozen, .brokerKill,
            .brokerEnd, .brokerStop:
            false
        }
    }

    /// Whether a worker is its target, and which is chosen.
    package var hasWorker: Bool {
        switch self {
        case .workerKill, .workerEnd, .workerStop, .workerCutOff, .workerDeaf, .workerMute,
            .workersApart:
            true
        case .diskFull, .diskFrozen, .brokerKill, .brokerEnd, .brokerStop, .brokerCutOff: false
        }
    }
}

/// Something that was broken.
package struct FaultEvent: Codable, Sendable, Equatable {
    /// How.
    package var kind: FaultKind
    /// What: a worker's number from 1, or 0 for the broker.
    package var target: Int
    /// When it was broken.
    package var started: Int64
    /// When that was taken back.
    package var ended: Int64
    /// When every shard was whole again, all replicas in sync; nil when that was not awaited, or
    /// did not come.
    package var healed: Int64?

    /// Describes a fault.
    package init(
        _ kind: FaultKind, target: Int, started: Int64, ended: Int64, healed: Int64? = nil
    ) {
        self.kind = kind
        self.target = target
        self.started = started
        self.ended = ended
        self.healed = healed
    }
}
