@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

// The broker's directory is lost, or an older one is put back, while its workers keep theirs. Until
// the operator does something about it no answer may be complete that is not; then the newest state
// comes back, or the broker takes over what workers hold, and everything is there again.

/// What a simulated broker has forgotten.
struct BrokerMemory {
    /// States that were durable.
    var states: [[UInt8]] = []
    /// The newest of them, while another one is in its place.
    var newest: [UInt8]?
    /// Whether no state is left at all.
    var isEmpty = false
    /// Whether the operator starts the broker with --adopt.
    var isAdopting = false
    /// From shortly before the state is lost until something was done about it.
    var isNear = false
    /// What the newest state knew when it was lost.
    var truth: ClusterState?

    /// Whether a broker that knew too little wrote what was under way when its state was lost.
    var hasWritten = false

    /// Whether the broker knows less than its workers.
    var isLost: Bool { newest != nil }

    /// Whether client states that were acknowledged are gone for good: only the cluster state has
    /// them.
    var lacksClientStates: Bool { isAdopting || hasWritten }
}

extension Simulation {
    /// A state is on the broker's disk.
    mutating func noteState(_ state: ClusterState) {
        guard shape.losesState, !memory.isLost, !memory.isAdopting else { return }
        memory.states.append(state.encoded)
    }

    /// Everything stops, and the broker comes back with an older state, or with none.
    mutating func forgetState() {
        guard !isCalm else { return }
        memory.isNear = true
        // What is on its way would be carried out by a broker that knows too little.
        guard passing.isIdle else { return agenda.add(.forget, at: now + .milliseconds(100)) }
        stopEverything()
        memory.newest = broker.disk
        memory.truth = try? ClusterState(decoding: broker.disk)
        defer { judgeNothingThatRuns() }
        // Among several replicas an older state may believe one that has left; the workers'
        // directories are of no help there.
        if shape.replication == 1, dice.chance(60), let older = olderState() {
            tally.note(StateFate.older)
            broker.disk = older
        } else {
            tally.note(StateFate.lost)
            memory.isEmpty = true
            broker.disk = ClusterState(clusterID: seed &+ 1).encoded
        }
        epochs = [:]
        trace.note(now, "the broker's state is lost, or older")
        agenda.add(.remember, at: now + dice.milliseconds(6_000...12_000))
    }

    /// The operator finds the newest state, or has the broker take over what there is.
    mutating func rememberState() {
        guard let newest = memory.newest else { return }
        stopEverything()
        memory.newest = nil
        memory.isNear = false
        // By then what can be taken over is: a directory that goes in just that moment is missed.
        if shape.changesIndexes { agenda.add(.tidy, at: now + .seconds(30)) }
        epochs = [:]
        judgeNothingThatRuns()
        if dice.chance(50), !hasMadeAnew {
            trace.note(now, "the newest state is put back")
            tally.note(StateFate.restored)
            broker.disk = newest
        } else {
            trace.note(now, "the broker takes over what there is")
            tally.note(StateFate.adopted)
            memory.isAdopting = true
            if let state = try? ClusterState(decoding: broker.disk), !isUseful(state) {
                broker.disk = ClusterState(clusterID: seed &+ 2).encoded
            }
        }
    }

    /// Whether a broker that knew too little made an index anew of which no worker had anything:
    /// the newest state knows another one of its name.
    private var hasMadeAnew: Bool {
        let state = try? ClusterState(decoding: broker.disk)
        return state?.indexes.contains { index in
            guard let known = memory.truth?.index(named: index.name) else { return false }
            return known.identity != index.identity
        } ?? false
    }

    /// Whether a state that knows too little is of use to who takes over what it does not know:
    /// the operator removes one without indexes, and one with indexes that are gone.
    private func isUseful(_ state: ClusterState) -> Bool {
        !state.indexes.isEmpty
            && state.indexes.allSatisfy {
                memory.truth?.index(named: $0.name)?.identity == $0.identity
            }
    }

    /// The operator moves away what is left of removed indexes, which the broker does not know.
    mutating func tidy() {
        guard !hasToldEverything else { return }
        agenda.add(.tidy, at: now + .seconds(5))
        guard isCalm, let core = broker.core, core.workers.all.count == workers.count else {
            return
        }
        for replica in core.unknownReplicas where PassingIndexes.names.contains(replica.key.index) {
            guard let number = workers.firstIndex(where: { $0.name == replica.worker }),
                let held = workers[number].disk[replica.key],
                memory.truth?.index(named: replica.key.index)?.identity != held.index
            else { continue }
            trace.note(now, "\(replica.worker)'s \(replica.key) is moved away")
            tally.note(StateFate.tidied)
            crashWorker(number)
            workers[number].disk[replica.key] = nil
        }
    }

    /// Whether a broker that knows too little has not yet heard of all workers what they hold.
    var isTooEarlyToJudge: Bool {
        guard memory.isLost || memory.isAdopting else { return false }
        guard let core = broker.core else { return true }
        let told = core.unknown.told.filter { !$0.value.isAwaited && !$0.value.found.isEmpty }
        return workers.contains {
            !$0.disk.isEmpty && told[$0.name] == nil && !isAssigned($0, core)
        }
    }

    /// Whether the broker has its memory, and knows of everything that lies in the directories.
    var hasToldEverything: Bool {
        guard let core = broker.core, !memory.isLost else { return false }
        return core.unknownReplicas.isEmpty
            && core.unknown.awaited(among: workers.map(\.name)) == nil
    }

    /// Whether a worker holds nothing but what it was assigned, which the broker has searched.
    private func isAssigned(_ worker: SimulatedWorker, _ core: BrokerCore) -> Bool {
        worker.disk.keys.allSatisfy {
            core.state.index(named: $0.index)?[$0.shard]?.replica(on: worker.name) != nil
        }
    }

    /// A state that some index was made after, or was written to after.
    private mutating func olderState() -> [UInt8]? {
        guard memory.states.count > 1 else { return nil }
        return dice.element(of: Array(memory.states.dropLast()))
    }

    /// What was asked before is asked again, of a broker that comes back and knows nobody yet.
    private mutating func judgeNothingThatRuns() {
        for number in clients.indices {
            for id in clients[number].queries.keys {
                clients[number].queries[id]?.isTooEarly = true
            }
            for id in clients[number].stateRequests.keys {
                clients[number].stateRequests[id]?.isTooEarly = true
            }
            // A client state is in the cluster state alone: an import that expects the newest one
            // hears that it is not there.
            for id in clients[number].puts.keys { clients[number].puts[id]?.isTooEarly = true }
        }
    }

    private mutating func stopEverything() {
        for number in workers.indices { crashWorker(number) }
        crashBroker()
    }
}
