import FresnelCluster
import FresnelSystem

/// The broker's directory: one file with the cluster state, and a lock against a second broker.
struct StateFile: Sendable {
    let directory: String
    let storage: any Storage
    /// Held as long as the broker lives.
    let lock: any StorageLock

    var path: String { FilePath.join(directory, "cluster-state") }

    init(directory: String, storage: any Storage) throws(SystemError) {
        try storage.makeDirectory(directory)
        lock = try storage.lock(FilePath.join(directory, "broker.lock"))
        self.directory = directory
        self.storage = storage
    }

    /// What the former broker left, or a new cluster.
    func load(newClusterID: UInt64) throws(BrokerError) -> ClusterState {
        let bytes: [UInt8]
        do {
            guard try storage.size(of: path) != nil else {
                return ClusterState(clusterID: newClusterID)
            }
            bytes = try storage.read(path)
        } catch {
            throw .storage(error)
        }
        do {
            return try ClusterState(decoding: bytes)
        } catch {
            throw .state(path: path, error)
        }
    }

    /// Replaces the file; durable when this returns.
    func save(_ state: ClusterState) throws(SystemError) {
        try storage.replaceFile(path, with: state.encoded)
    }
}
