import FresnelCluster
import FresnelModel
import FresnelSystem

extension WorkerDirectory {
    /// Of which cluster the directory is, as far as its files say.
    ///
    /// A file that is damaged, or cannot be read, binds nobody: it is written anew.
    var membership: ClusterMembership {
        let file = FilePath.join(path, ClusterFile.fileName)
        // What cannot be read or listed here is told when shards are opened.
        let bytes = try? storage.read(file)
        // As above.
        let shards = try? WorkerPaths(path: path).shards(in: storage).shards
        return ClusterMembership(
            cluster: bytes.flatMap(ClusterFile.init)?.cluster ?? 0,
            holdsReplicas: shards?.isEmpty == false)
    }

    /// Keeps of which cluster the directory is.
    func join(_ cluster: UInt64) throws(SystemError) {
        try storage.replaceFile(
            FilePath.join(path, ClusterFile.fileName), with: ClusterFile(cluster).encoded)
    }
}
