extension HistoryChecker {
    /// Below this budget, in seconds, a search may end with its deadline on a busy machine.
    private static var patientBudget: Int { 15 }

    /// Searches and writes fail only beside a fault that excuses it.
    mutating func checkAvailability() {
        for read in reads where read.budget >= Self.patientBudget && read.kind != .followed {
            let reason: String
            switch read.outcome {
            case .complete: continue
            case .incomplete(let text): reason = "incomplete: \(text)"
            case .failed(let text): reason = "failed: \(text)"
            }
            guard !isExcused(from: read.started, to: read.ended) else { continue }
            violate(.unavailableSearch, "\(read.name) \(reason)", at: read.ended)
        }
        for write in writes {
            guard let reason = write.unknownReason,
                !isExcused(from: write.started, to: write.ended)
            else { continue }
            violate(
                .unavailableWrite,
                "a batch of \(write.writer) into \(write.index) from \(write.started.asSeconds) "
                    + "to \(write.ended.asSeconds): \(reason)", at: write.ended)
        }
    }

    /// Whether a fault excuses that something was not served in this time.
    ///
    /// Replicas bear what takes one worker, if everything was whole before.
    func isExcused(from start: Int64, to end: Int64) -> Bool {
        let meanwhile = faults.filter { fault in
            fault.started <= end && (fault.healed ?? .max) >= start
        }
        guard !meanwhile.isEmpty, run.replicas > 1, run.workers > 1 else {
            return !meanwhile.isEmpty
        }
        return meanwhile.contains { !$0.kind.isBorneByReplicas || $0.healed == nil }
            || Self.overlap(meanwhile)
    }

    private static func overlap(_ faults: [FaultEvent]) -> Bool {
        let sorted = faults.sorted { $0.started < $1.started }
        return zip(sorted, sorted.dropFirst()).contains { $0.healed ?? .max >= $1.started }
    }

    /// Replicas are sound, and those of one shard alike.
    mutating func checkReplicas() {
        for replica in replicas where !replica.isSound {
            violate(.damagedReplica, "\(replica.name): \(replica.problems)", at: .max)
        }
        let shards = Dictionary(grouping: replicas) { "\($0.index) \($0.shard)" }
        for (shard, replicas) in shards.sorted(by: { $0.key < $1.key })
        where Set(replicas.map(\.digest)).count > 1 {
            let digests = replicas.map { "\($0.worker) \($0.digest)" }
            violate(.replicasDiffer, "shard \(shard): \(digests)", at: .max)
        }
        for (shard, replicas) in shards.sorted(by: { $0.key < $1.key })
        where replicas.count != run.replicas {
            violate(.replicasDiffer, "shard \(shard) has \(replicas.count) replicas", at: .max)
        }
    }
}

extension WriteEvent {
    fileprivate var unknownReason: String? {
        if case .unknown(let reason) = outcome { return reason }
        return nil
    }
}

extension ReplicaEvent {
    fileprivate var name: String { "\(worker), shard \(shard) of \(index)" }
}
