@testable import FresnelCluster
import FresnelModel
import FresnelWire

// What is read is kept, what was deleted stays deleted, and a client state fits its items.

extension Simulation {
    /// Only replicas in sync are read, up to parts that all of them have which are here.
    mutating func checkRead(_ subquery: WireSubquery, _ number: Int) {
        guard let core = broker.core, forsaken.isEmpty else { return }
        for target in subquery.targets {
            let key = ShardKey(index: target.index, shard: ShardID(target.shard))
            let limit = SequenceNumber(target.snapshot)
            // One that left for another worker has what was read, and is told to remove it.
            guard let shard = core.state.index(named: key.index)?[key.shard],
                let replica = shard.replica(on: workers[number].name)
            else { continue }
            guard replica.isInSync else {
                // What names an older epoch is refused there.
                guard target.epoch >= replica.since.value else { continue }
                violate(.readableCommitted, "worker\(number) is asked for \(key), not in sync")
                continue
            }
            guard let asked = workers[number].disk[key]?.chain.filter({ $0 <= limit }) else {
                continue
            }
            // Of those that are away nobody knows what they have: a broker that starts reads what
            // the first one has (known gaps).
            for replica in core.searchableReplicas(of: key) {
                guard let worker = workers.first(where: { $0.name == replica.worker }),
                    worker.core != nil, worker.lost[key] == nil, let other = worker.disk[key],
                    ReplicaIdentity(other.identity) == replica.identity,
                    case let held = other.chain, !Set(asked).subtracting(held).isEmpty
                else { continue }
                violate(
                    .readableCommitted,
                    "worker\(number) is asked for \(key) at \(limit) and has \(asked.suffix(3)), "
                        + "\(replica.worker) has \(held.suffix(3))")
            }
        }
    }

    /// What is seen of a document may not be seen: either it was never written so, or it was
    /// deleted or replaced by what was acknowledged.
    func phantom(_ document: Document, decided start: Instant) -> StreamInvariant {
        let steps = oracle.steps[document.uniqueIdentifier] ?? []
        let newest = steps.lastIndex { step in
            guard case .acknowledged(let instant) = step.outcome else { return false }
            return instant <= start
        }
        let isOld = newest.map { steps[..<$0].contains { $0.document == document } } ?? false
        return isOld ? .deletedStaysDeleted : .answerExact
    }

    /// Notes what came with a client state: who can fetch it must find that.
    mutating func noteItems(_ steps: [UInt32: [StepName]], of state: [UInt8]) {
        stateItems[state] = steps.values.joined().filter { step in
            let document = oracle.steps[step.identifier]?[step.number].document
            let related = document?.relatedUniqueIdentifier
            return related?.hasPrefix(StoredShard.nothing) != true
        }
    }

    /// A client state was fetched: the items of its batch are stored, and count as acknowledged.
    mutating func expectItems(of state: [UInt8]?) {
        guard let state, forsaken.isEmpty else { return }
        for step in stateItems[state] ?? [] {
            switch oracle.steps[step.identifier]?[step.number].outcome {
            case .pending, .unknown: oracle.settle(step, as: .acknowledged(now))
            case .acknowledged, .refused, nil: break
            }
        }
    }

    /// In the end, what the stored client state came with is on the disks of all in sync.
    mutating func expectStateFitsItems() {
        let name = shape.indexes[0]
        guard violation == nil, forsaken.isEmpty,
            let index = broker.core?.state.index(named: name), let state = index.clientState
        else { return }
        var visible: [String: [Document]] = [:]
        for number in index.shards.indices {
            let key = ShardKey(index: name, shard: ShardID(UInt32(number)))
            guard let shard = trueShard(key) else { continue }
            for document in shard.documents(at: shard.lastSequence) {
                visible[document.uniqueIdentifier, default: []].append(document)
            }
        }
        tally.statesCompared += 1
        for step in stateItems[state] ?? [] {
            let later = oracle.steps[step.identifier]?[step.number...].map(\.document) ?? []
            let seen = visible[step.identifier] ?? []
            let fits =
                seen.isEmpty ? later.contains(nil) : seen.contains { later.contains($0) }
            guard !fits else { continue }
            let text = String(decoding: state, as: UTF8.self)
            violate(.stateFitsItems, "the state is of \(text), and \(step) is \(seen)")
        }
    }
}
