import FresnelSystem

/// The directory of a whole cluster: the broker's in `broker`, those of workers in `workers`.
enum ClusterDirectory {
    /// Refuses what is not a cluster's: the directory of a worker or a broker, a folder of such, or
    /// one in them.
    ///
    /// Nothing is made there. One that is a cluster's is taken, whatever else lies in it.
    static func refuseOthers(
        _ path: String, storage: any Storage = DiskStorage()
    ) throws(CommandError) {
        var owner: String?
        let cluster: String?
        do throws(SystemError) {
            guard try !isCluster(path, storage) else { return }
            let folders = foldersAround(path)
            owner = try self.owner(of: path, storage)
            if owner == nil { owner = try self.owner(around: folders, storage) }
            // As in `owner(around:)`.
            cluster = folders.first { (try? isCluster($0, storage)) == true }
        } catch {
            throw .failed("\(error)")
        }
        guard let owner else { return }
        let wayOut =
            cluster.map { "the cluster that it is part of is started with --data \($0)" }
            ?? "give the cluster a directory of its own with --data"
        throw .failed("\(path) \(owner); nothing was made or changed: \(wayOut)")
    }

    /// The folders that a path lies in, the nearest first.
    private static func foldersAround(_ path: String) -> [String] {
        var folders: [String] = []
        var place = WorkingDirectory.resolve(path)
        while place != "/" {
            place = FilePath.directory(of: place)
            folders.append(place)
        }
        return folders
    }

    /// Whose the first of these folders is that is somebody's; nil where none is.
    private static func owner(
        around folders: [String], _ storage: any Storage
    ) throws(SystemError) -> String? {
        for folder in folders {
            // What cannot be looked into is not this cluster's.
            var isSomebodys = (try? isCluster(folder, storage)) ?? false
            for name in ["worker-name", "cluster-state"] where !isSomebodys {
                isSomebodys = try storage.size(of: FilePath.join(folder, name)) != nil
            }
            guard !isSomebodys else {
                return "lies in a directory of a worker, a broker or a cluster: \(folder)"
            }
        }
        return nil
    }

    /// Whose a directory is that is not a cluster's; nil where a cluster may be.
    private static func owner(
        of path: String, _ storage: any Storage
    ) throws(SystemError) -> String? {
        guard try storage.isDirectory(path) else { return nil }
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
