import FresnelCluster
import FresnelModel
import FresnelSystem

/// Where a worker's files are, without its lock.
struct WorkerPaths: Sendable {
    let path: String

    /// The folder of a shard's replica; the one place that makes a path of a name.
    ///
    /// The name of the index came from a peer: whatever it is, the folder lies below `path`.
    func folder(of shard: ShardKey) -> String {
        let index = FilePath.join(
            FilePath.join(path, "indexes"), PathComponent(escaping: shard.index))
        return FilePath.join(index, "\(shard.shard.number)")
    }

    func journalDirectory(of shard: ShardKey) -> String {
        FilePath.join(folder(of: shard), "journal")
    }

    func segmentDirectory(of shard: ShardKey) -> String {
        FilePath.join(folder(of: shard), "segments")
    }

    /// The shards that have a folder, in order, and the names that are none.
    func shards(in storage: any Storage) throws(SystemError) -> (
        shards: [ShardKey], others: [String]
    ) {
        let indexes = FilePath.join(path, "indexes")
        guard try storage.isDirectory(indexes) else { return ([], []) }
        var shards: [ShardKey] = []
        var others: [String] = []
        for index in try storage.list(indexes) {
            let folder = FilePath.join(indexes, index)
            guard IndexName.isValid(index), try storage.isDirectory(folder) else {
                others.append(folder)
                continue
            }
            for name in try storage.list(folder) {
                if let number = UInt32(name), String(number) == name {
                    shards.append(ShardKey(index: index, shard: ShardID(number)))
                } else {
                    others.append(FilePath.join(folder, name))
                }
            }
        }
        return (shards.sorted(), others)
    }
}
