import FresnelModel
import FresnelWire

/// What becomes of every running query when a worker is lost, replaced or silent.
///
/// The streams decide, each for its parts; `replicas` tells who could be asked instead.
extension QueryTable {
    /// A worker is gone, with all that it had not answered.
    mutating func lose(
        worker: WorkerID, at now: Instant, _ replicas: (ShardKey) -> [ReplicaState] = { _ in [] }
    ) -> [Action] {
        driveAll(at: now, replicas) { $0.lose(worker, at: now, replicas) }
    }

    /// A worker's data lane was replaced: what it answered on the former one may be lost.
    mutating func loseAnswers(
        of worker: WorkerID, at now: Instant, _ replicas: (ShardKey) -> [ReplicaState]
    ) -> [Action] {
        driveAll(at: now, replicas) { $0.loseAnswers(of: worker, at: now, replicas) }
    }

    /// A worker is silent: other replicas are asked for what it owes, where there are any.
    mutating func suspect(
        worker: WorkerID, at now: Instant, _ replicas: (ShardKey) -> [ReplicaState]
    ) -> [Action] {
        driveAll(at: now, replicas) { $0.suspect(worker, at: now, replicas) }
    }
}
