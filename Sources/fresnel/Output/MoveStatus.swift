import FresnelClient

/// How far moves and drained workers are, for people.
enum MoveStatus {
    /// A line for every move, one for what workers have still to remove, and one when the workers
    /// are not balanced.
    static func lines(_ status: ClusterStatus) -> [String] {
        var lines = status.indexes.flatMap(moves)
        lines += status.workers.filter { $0.removing > 0 }.map { worker in
            let count = ValueText.count(worker.removing, "replica")
            return isHere(worker)
                ? "worker \(worker.name) has still to remove \(count)"
                : "worker \(worker.name) is away and removes \(count) if it comes back; nobody "
                    + "needs them any more"
        }
        if status.plannedMoves > 0 {
            lines.append(
                "not balanced: \(ValueText.count(status.plannedMoves, "replica")), "
                    + "\(PlanDescription.size(status.plannedBytes)), would move; "
                    + "`fresnel plan` shows them, `fresnel rebalance` moves them")
        }
        return lines.isEmpty ? [] : [""] + lines
    }

    /// The state of a worker, with how far it is drained.
    static func state(of worker: ClusterStatus.Worker) -> String {
        guard worker.isDrained else { return worker.state }
        let left = worker.replicas + (isHere(worker) ? worker.removing : 0)
        return left == 0 ? "\(worker.state), drained" : "\(worker.state), draining, \(left) left"
    }

    /// Whether a worker is here, though it may be silent.
    static func isHere(_ worker: ClusterStatus.Worker) -> Bool {
        worker.state == "live" || worker.state == "suspect"
    }

    private static func moves(of index: ClusterStatus.Index) -> [String] {
        index.shards.flatMap { shard in
            shard.replicas.compactMap { replica -> String? in
                guard let successor = replica.successor else { return nil }
                let name = "\(index.name)/\(shard.shard.number)"
                let copy = shard.replicas.first { $0.worker == successor }
                let way = "shard \(name) moves from \(replica.worker) to \(successor)"
                return "\(way): \(copy.map(progress) ?? "assigned")"
            }
        }
    }

    private static func progress(of copy: ClusterStatus.Replica) -> String {
        let reason = copy.message.isEmpty || copy.isInSync ? "" : ", \(copy.message)"
        guard copy.totalBytes > 0 else {
            return (copy.isInSync ? "in sync" : copy.state) + reason
        }
        let done = PlanDescription.size(copy.copiedBytes)
        return "\(copy.state), \(done) of \(PlanDescription.size(copy.totalBytes))" + reason
    }
}
