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

    /// The directory that has an identity, wherever it lies among those of shards; nil where none
    /// has it that can be read.
    func place(of identity: ReplicaIdentity) -> String? {
        // Only advice: what cannot be listed or read is not the place that is looked for.
        let shards = (try? WorkerPaths(path: path).shards(in: storage).shards) ?? []
        let shard = shards.first { shard in
            // As above.
            (try? self.identity(in: segmentDirectory(of: shard))) == identity
        }
        return shard.map(folder(of:))
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

    /// Refuses to make a replica where one is known: what is missing may turn up.
    func refuseMissing(
        _ shard: ShardKey, _ known: ReplicaIdentity
    ) throws(WorkerError) {
        guard known != .unknown else { return }
        do throws(SystemError) {
            try settle(shard)
            guard try !holdsReplica(of: shard) else { return }
        } catch {
            throw .storage(error)
        }
        throw .replicaMissing(directory: folder(of: shard), found: place(of: known))
    }
}
