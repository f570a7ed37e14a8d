import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem

// Which replicas lie where in a worker's directory.

extension WorkerDirectory {
    /// Whether anything is left of a replica of a shard: a manifest, a segment or a journal file.
    func holdsReplica(of shard: ShardKey) throws(SystemError) -> Bool {
        for folder in [segmentDirectory(of: shard), journalDirectory(of: shard)]
        where try storage.isDirectory(folder) {
            let isReplicas = try storage.list(folder).contains { name in
                name == ReplicaIndex.manifestName || name.hasSuffix(".fj")
                    || SegmentName(fileName: name) != nil
            }
            if isReplicas { return true }
        }
        return false
    }

    /// The directory that has an identity, wherever it lies among those of shards and beside them;
    /// nil where none has it that can be read.
    func place(of identity: ReplicaIdentity) -> String? {
        // Only advice: what cannot be listed or read is not the place that is looked for.
        guard let found = try? WorkerPaths(path: path).shards(in: storage) else { return nil }
        return (found.shards.map(folder(of:)) + found.others).first { folder in
            // As above.
            (try? self.identity(in: FilePath.join(folder, "segments"))) == identity
        }
    }

    /// The identity in a segment directory's manifest; unknown where none is, or it is damaged.
    func identity(in directory: String) throws(SystemError) -> ReplicaIdentity {
        let path = FilePath.join(directory, ReplicaIndex.manifestName)
        guard try storage.size(of: path) != nil else { return .unknown }
        let bytes = try storage.read(path)
        do throws(IndexError) {
            return try CopiedManifest.identity(in: bytes, from: path)
        } catch {
            // Damaged, it is nobody's.
            return .unknown
        }
    }

    /// Refuses to make a replica where one is known, since what is missing may turn up; and to
    /// touch another one than the known, which is somebody's.
    ///
    /// - Parameter isBelieved: whether answers come from the known one; what is to be replaced by a
    ///   copy may be another one.
    func refuseOthers(
        of shard: ShardKey, than known: ReplicaIdentity, isBelieved: Bool
    ) throws(WorkerError) {
        guard known != .unknown else { return }
        let directory = folder(of: shard)
        let found: ReplicaIdentity?
        do throws(SystemError) {
            found =
                try holdsReplica(of: shard) ? identity(in: segmentDirectory(of: shard)) : nil
        } catch {
            throw .storage(error)
        }
        guard let found else {
            throw .replicaMissing(directory: directory, found: place(of: known))
        }
        // A damaged manifest is told by whoever opens it.
        guard isBelieved, found != known, found != .unknown else { return }
        throw .replicaForeign(
            directory: directory, identity: found, place: place(of: known))
    }
}
