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

    /// The indexes that were removed, as far as the file can be read; a damaged one knows none.
    var removedIndexes: RemovedFile {
        // What cannot be read here is told when shards are opened.
        let bytes = try? storage.read(FilePath.join(path, RemovedFile.fileName))
        return bytes.flatMap(RemovedFile.init) ?? RemovedFile()
    }

    /// Keeps that an index was removed.
    func note(removed mark: RemovedFile.Mark) throws(SystemError) {
        var file = removedIndexes
        guard file.add(mark) else { return }
        try storage.replaceFile(FilePath.join(path, RemovedFile.fileName), with: file.encoded)
    }
}
