import FresnelSystem

/// The directory of a whole cluster: the broker's in `broker`, those of workers in `workers`.
enum ClusterDirectory {
    /// Refuses what is not a cluster's: the directory of a worker or a broker, or a folder of such.
    ///
    /// Nothing is made there. One that is a cluster's is taken, whatever else lies in it.
    static func refuseOthers(
        _ path: String, storage: any Storage = DiskStorage()
    ) throws(CommandError) {
        let owner: String?
        let isPart: Bool
        let folder = FilePath.directory(of: path)
        do throws(SystemError) {
            owner = try self.owner(of: path, storage)
            isPart = try isCluster(folder, storage)
        } catch {
            throw .failed("\(error)")
        }
        guard let owner else { return }
        let wayOut =
            isPart
            ? "the cluster that it is part of is started with --data \(folder)"
            : "give the cluster a directory of its own with --data"
        throw .failed("\(path) \(owner); nothing was made or changed: \(wayOut)")
    }

    /// Whose a directory is that is not a cluster's; nil where a cluster may be.
    private static func owner(
        of path: String, _ storage: any Storage
    ) throws(SystemError) -> String? {
        guard try storage.isDirectory(path), try !isCluster(path, storage) else { return nil }
        let names = try storage.list(path)
        for name in ["worker-name", "indexes"] where names.contains(name) {
            return "belongs to a worker: it holds \(name)"
        }
        guard !names.contains("cluster-state") else {
            return "belongs to a broker: it holds cluster-state"
        }
        for name in names {
            let folder = FilePath.join(path, name)
            let file = FilePath.join(folder, "worker-name")
            // What cannot be looked into says of nobody that it is theirs.
            guard (try? storage.size(of: file)) != nil else { continue }
            return "holds directories of workers: \(folder) is one"
        }
        return nil
    }

    private static func isCluster(
        _ path: String, _ storage: any Storage
    ) throws(SystemError) -> Bool {
        let folder = FilePath.join(path, "broker")
        guard try storage.isDirectory(folder) else { return false }
        return try storage.size(of: FilePath.join(folder, "cluster-state")) != nil
    }
}
