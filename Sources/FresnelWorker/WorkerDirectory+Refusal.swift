import FresnelCluster
import FresnelModel
import FresnelSystem

extension WorkerDirectory {
    /// Refuses a directory in which a broker keeps its state, before anything is made in it.
    static func refuseBrokers(
        _ path: String, _ storage: any Storage
    ) throws(WorkerError) {
        do throws(SystemError) {
            guard try storage.size(of: FilePath.join(path, "cluster-state")) != nil else { return }
        } catch {
            throw .storage(error)
        }
        throw .directoryOfBroker(path)
    }

    /// Refuses to make a replica where the broker knows one: what is missing may turn up.
    func refuseMissing(
        _ shard: ShardKey, _ known: ReplicaIdentity
    ) throws(WorkerError) {
        guard known != .unknown else { return }
        let found: String?
        do throws(SystemError) {
            try settle(shard)
            guard try !holdsReplica(of: shard) else { return }
            found = try place(of: known)
        } catch {
            throw .storage(error)
        }
        throw .replicaMissing(directory: folder(of: shard), found: found)
    }
}
