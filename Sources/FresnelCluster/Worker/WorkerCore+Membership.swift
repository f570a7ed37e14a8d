import FresnelModel
import FresnelWire

// Which broker is obeyed (`ClusterMembership`).

extension WorkerCore {
    /// Takes in of which cluster a broker is that says WELCOME.
    mutating func meet(_ message: Message) -> [WorkerEffect] {
        guard case .welcome(let welcome) = message.command else { return [] }
        switch membership.meet(welcome.cluster) {
        case .known: return []
        case .joins(let cluster):
            session.hello.cluster = cluster
            // Its epochs begin anew.
            fence = EpochFence()
            return [.join(cluster: cluster)]
        case .stranger(let own, let other):
            return [
                .log(
                    .error,
                    "the broker is of cluster \(String(other, radix: 16)), and the replicas here "
                        + "are of cluster \(String(own, radix: 16)): it has lost its state, or "
                        + "--broker names another cluster's; nothing is done for it; give it its "
                        + "newest cluster-state back, or, if that is lost, start it once with "
                        + "--adopt")
            ]
        }
    }

    /// Answers a broker of another cluster: it hears that this worker is alive, and nothing more.
    ///
    /// What it says of the time counts for nothing either: merges drop nothing by it.
    mutating func receiveFromStranger(_ message: Message, at now: Instant) -> [WorkerEffect] {
        if case .ping = message.command { return [send(.pong(pulse(at: now)))] }
        if case .error(let failure) = message.command {
            return [.log(.error, "the broker reports: \(failure.message)")]
        }
        counters.strangersOrders += 1
        return []
    }

    /// Both lanes stand; a broker of another cluster, which has nothing to assign, hears what is
    /// here all the same.
    func opened() -> [WorkerEffect] {
        guard membership.isAmongStrangers else {
            return [.log(.information, "registered with the broker as \(name)")]
        }
        return [.survey]
    }

    /// What is held binds this worker to its cluster.
    mutating func noteHolding(_ inventory: [WireShardInventory]) {
        guard inventory.contains(where: { $0.identity != 0 }) else { return }
        membership.holdsReplicas = true
        session.hello.holdsReplicas = true
    }

    /// Nothing binds this worker any more: the next broker may be any cluster's.
    mutating func noteEmptied() -> [WorkerEffect] {
        membership.holdsReplicas = false
        session.hello.holdsReplicas = false
        return []
    }
}
