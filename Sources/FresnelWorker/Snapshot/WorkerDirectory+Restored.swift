import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire

// A replica that is made from a store is built in `<shard>.restored`. It takes its place when the
// broker assigns the shard and names its identity, which the cluster state has by then: a restore
// that failed, or was forgotten, names nobody, and what it left is removed: when the broker says
// so, when the shard is assigned, or when a session begins that knows of no such shard.

extension WorkerDirectory {
    private static let folders = ["journal", "segments"]
    private static let suffix = ".restored"

    /// Where a replica is made from a store.
    func restoredPath(of shard: ShardKey) -> String { folder(of: shard) + Self.suffix }

    /// The shards of which something was made from a store and is not in its place.
    func restoredShards() throws(SystemError) -> [ShardKey] { try shards(suffixed: Self.suffix) }

    /// Where the files of a restored replica gather.
    func restoredSegments(of shard: ShardKey) -> String {
        FilePath.join(restoredPath(of: shard), "segments")
    }

    /// Removes what a restore made and nobody assigned.
    func discardRestored(of shard: ShardKey) throws(SystemError) {
        try storage.removeDirectory(restoredPath(of: shard), with: Self.folders)
    }

    /// Puts a restored replica in its place if it is the one that is assigned, or removes it.
    func settleRestored(
        _ shard: ShardKey, _ assignment: WireIndexAssignment
    ) throws(WorkerError) {
        let assigned = assignment.identity(of: shard)
        do throws(SystemError) {
            guard try storage.isDirectory(restoredPath(of: shard)) else { return }
            let place = folder(of: shard)
            guard assigned != .unknown, try identity(in: restoredSegments(of: shard)) == assigned,
                try !storage.isDirectory(place)
            else { return try discardRestored(of: shard) }
            try storage.rename(restoredPath(of: shard), to: place)
            try storage.syncDirectory(FilePath.directory(of: place))
        } catch {
            throw .storage(error)
        }
    }
}
