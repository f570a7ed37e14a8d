import FresnelCluster
import FresnelModel

/// What a cluster state says of workers' directories, held against what is in them.
///
/// Sound files are not all files: a directory that was emptied, a journal that was cut where a
/// record ends, or a state from before an index was made, are sound each by itself.
struct ClusterProof {
    /// A worker's directory.
    struct Worker {
        let path: String
        /// Of which cluster it is; 0 where no file says so.
        let cluster: UInt64
        var replicas: [ReplicaProof] = []
        /// Indexes that were removed, as it remembers.
        var removed: [RemovedFile.Mark] = []
    }

    /// The path of the state's file.
    let path: String
    let state: ClusterState
    let workers: [WorkerID: Worker]
    /// Whether all workers of the cluster are to be here, as with `fresnel up`.
    let isWhole: Bool
    private(set) var problems: [String] = []
    private(set) var notes: [String] = []

    init(path: String, state: ClusterState, workers: [WorkerID: Worker], isWhole: Bool) {
        self.path = path
        self.state = state
        self.workers = workers
        self.isWhole = isWhole
        for (name, worker) in workers.sorted(by: { $0.key < $1.key }) { compare(name, worker) }
        findMissingWorkers()
    }

    private mutating func compare(_ name: WorkerID, _ worker: Worker) {
        guard worker.cluster == 0 || worker.cluster == state.clusterID else {
            problems.append(
                "\(worker.path) belongs to another cluster than \(path): one of both is from "
                    + "elsewhere; put back the one that belongs here")
            return
        }
        for mark in worker.removed
        where state.index(named: mark.name)?.identity == mark.identity {
            problems.append(
                "\(worker.path) remembers that index \(mark.name) was removed, and \(path) knows "
                    + "it: that state is older; restore the newest state, or remove the index "
                    + "again when the cluster runs")
        }
        for index in state.indexes {
            for (number, shard) in index.shards.enumerated() {
                guard let replica = shard.replica(on: name), replica.identity != .unknown else {
                    continue
                }
                let key = ShardKey(index: index.name, shard: ShardID(UInt32(number)))
                let found = worker.replicas.first { $0.index == key.index && $0.shard == key.shard }
                compare(found, with: replica, of: shard, key, in: worker)
            }
        }
        for proof in worker.replicas { explain(proof, on: name) }
    }

    private mutating func compare(
        _ found: ReplicaProof?, with replica: ReplicaState, of shard: ShardState, _ key: ShardKey,
        in worker: Worker
    ) {
        let name = "shard \(key.shard.number) of index \(key.index)"
        // What is not in sync is made equal to what is.
        guard replica.isInSync else { return }
        guard let found else {
            problems.append(
                "\(WorkerPaths(path: worker.path).folder(of: key)) is missing: \(name) is to be "
                    + "there, says \(path); restore it from a backup")
            return
        }
        guard found.identity == replica.identity || found.identity == .unknown else {
            problems.append(
                "\(found.path) holds replica \(found.identity) of \(name), and \(path) knows "
                    + "\(replica.identity) there: it is another one's directory, or that state is "
                    + "older; put back the one that belongs to the other")
            return
        }
        guard found.isSound, found.last < shard.acknowledged else { return }
        problems.append(
            "\(found.path) holds \(name) up to part \(found.last.value), and part "
                + "\(shard.acknowledged.value) was acknowledged, says \(path): the directory is "
                + "older than it was, or a part of its journal is gone; put the newer one back, or "
                + "start the worker once with --accept-loss if that is lost for good")
    }

    /// What lies here and the state does not name.
    private mutating func explain(_ proof: ReplicaProof, on worker: WorkerID) {
        let key = ShardKey(index: proof.index, shard: proof.shard)
        guard !state.names.isRemoved(key, on: worker, of: proof.indexIdentity) else {
            notes.append(
                "\(proof.path) is of an index that was removed, says \(path): the worker removes "
                    + "it when it runs and is told to")
            return
        }
        let shard = state.index(named: proof.index)?[proof.shard]
        guard shard?.replica(on: worker) == nil else { return }
        guard let shard else {
            problems.append(
                "\(proof.path) holds a shard that \(path) does not know: that state is older than "
                    + "the shard, or new; restore the newest state, or start the broker once with "
                    + "--adopt; if the shard is not wanted, move its directory away")
            return
        }
        guard shard.acknowledged < proof.last, !shard.namedWorkers.contains(worker) else {
            notes.append(
                "\(proof.path) left its shard, says \(path): the worker removes it when it runs "
                    + "and is told to")
            return
        }
        problems.append(
            "\(proof.path) is newer than what \(path) knows of its shard, and was not given to "
                + "this worker: that state is older than a move; restore the newest state")
    }

    private mutating func findMissingWorkers() {
        let placed = state.indexes.reduce(into: Set<WorkerID>()) { $0.formUnion($1.placedWorkers) }
        for name in placed.sorted() where workers[name] == nil {
            let text = "worker \(name), which \(path) names, has no directory here"
            if isWhole {
                problems.append("\(text): it is missing; restore it from a backup")
            } else {
                notes.append("\(text); verify it where it is")
            }
        }
    }
}
