import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire

// A replica that is made from a store is built in `<shard>.restored`. It takes its place when the
// broker assigns the shard and names its identity, which the cluster state has by then: a restore
// that failed, or was forgotten, names nobody, and what it left is removed.

extension WorkerDirectory {
    private static let folders = ["segments"]

    /// Where the files of a restored replica gather.
    func restoredSegments(of shard: ShardKey) -> String {
        FilePath.join(folder(of: shard) + ".restored", "segments")
    }

    /// Removes what a restore made and nobody assigned.
    func discardRestored(of shard: ShardKey) throws(SystemError) {
        try storage.removeDirectory(folder(of: shard) + ".restored", with: Self.folders)
    }

    /// Puts a restored replica in its place if it is the one that is assigned, or removes it.
    func settleRestored(
        _ shard: ShardKey, _ assignment: WireIndexAssignment
    ) throws(WorkerError) {
        let number = zip(assignment.shards, assignment.identities)
            .first { $0.0 == shard.shard.number }?.1
        do throws(SystemError) {
            guard try storage.isDirectory(folder(of: shard) + ".restored") else { return }
            let assigned = ReplicaIdentity(number ?? 0)
            let place = folder(of: shard)
            guard assigned != .unknown, try restoredIdentity(of: shard) == assigned,
                try !storage.isDirectory(place)
            else { return try discardRestored(of: shard) }
            try storage.rename(place + ".restored", to: place)
            try storage.syncDirectory(FilePath.directory(of: place))
        } catch {
            throw .storage(error)
        }
    }

    private func restoredIdentity(of shard: ShardKey) throws(SystemError) -> ReplicaIdentity {
        let path = FilePath.join(restoredSegments(of: shard), ReplicaIndex.manifestName)
        guard try storage.size(of: path) != nil else { return .unknown }
        let bytes = try storage.read(path)
        do throws(IndexError) {
            return try CopiedManifest.identity(in: bytes, from: path)
        } catch {
            // Damaged since it was written: it is nobody's, and the broker keeps the shard out.
            return .unknown
        }
    }
}
