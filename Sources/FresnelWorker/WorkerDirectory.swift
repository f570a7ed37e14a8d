import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem

/// A worker's directory: its lock, its name, and one folder per shard.
///
/// `worker.lock`, `worker-name`, `indexes/<index>/<shard>/journal/…` and `…/segments/…`.
struct WorkerDirectory: Sendable {
    let path: String
    let storage: any Storage
    /// Held as long as the worker lives.
    let lock: any StorageLock

    init(_ path: String, storage: any Storage) throws(SystemError) {
        try storage.makeDirectory(path)
        lock = try storage.lock(FilePath.join(path, "worker.lock"))
        self.path = path
        self.storage = storage
    }

    /// The worker's name: the wanted one, the kept one, or, in a directory without indexes, a new
    /// one that is kept from now on.
    func name(wanted: String?, chance: any RandomSource) throws(WorkerError) -> WorkerID {
        let path = FilePath.join(self.path, WorkerNameFile.fileName)
        let bytes: [UInt8]?
        let holdsIndexes: Bool
        do throws(SystemError) {
            bytes = try storage.size(of: path) == nil ? nil : try storage.read(path)
            holdsIndexes = try self.holdsIndexes()
        } catch {
            throw .storage(error)
        }
        let kept = bytes.flatMap { WorkerNameFile($0) }
        if let wanted {
            guard WorkerTable.isValid(name: wanted) else { throw .invalidName(wanted) }
            if let kept, kept.name != wanted {
                throw .renamed(directory: self.path, kept: kept.name, wanted: wanted)
            }
        } else if kept == nil {
            if bytes != nil { throw .nameDamaged(path: path) }
            if holdsIndexes { throw .nameMissing(directory: self.path) }
        }
        let name = wanted ?? kept?.name ?? "worker-\(String(chance.next() >> 32, radix: 36))"
        guard kept?.isProved != true else { return WorkerID(name) }
        do throws(SystemError) {
            try storage.replaceFile(path, with: WorkerNameFile(name).encoded)
        } catch {
            throw .storage(error)
        }
        return WorkerID(name)
    }

    private func holdsIndexes() throws(SystemError) -> Bool {
        let folder = FilePath.join(path, "indexes")
        guard try storage.isDirectory(folder) else { return false }
        return try !storage.list(folder).isEmpty
    }

    func journalDirectory(of shard: ShardKey) -> String {
        FilePath.join(folder(of: shard), "journal")
    }

    func segmentDirectory(of shard: ShardKey) -> String {
        FilePath.join(folder(of: shard), "segments")
    }

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
    /// has it.
    func place(of identity: ReplicaIdentity) throws(SystemError) -> String? {
        let paths = WorkerPaths(path: path)
        for shard in try paths.shards(in: storage).shards
        where try self.identity(in: segmentDirectory(of: shard)) == identity {
            return folder(of: shard)
        }
        return nil
    }

    /// The identity in the manifest of a segment directory; unknown where none can be read.
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

    /// Refuses a journal without a manifest: it is what is left of a replica, not a new one.
    func refuseRemains(of shard: ShardKey) throws(WorkerError) {
        let directory = journalDirectory(of: shard)
        let manifest = FilePath.join(segmentDirectory(of: shard), ReplicaIndex.manifestName)
        let journal: String?
        do throws(SystemError) {
            guard try storage.size(of: manifest) == nil else { return }
            journal = try storage.list(directory).first { $0.hasSuffix(".fj") }
        } catch {
            if error.isMissingFile { return }
            throw .storage(error)
        }
        if let journal { throw .missingManifest(directory: directory, found: journal) }
    }

    func folder(of shard: ShardKey) -> String {
        let index = FilePath.join(FilePath.join(path, "indexes"), shard.index)
        return FilePath.join(index, "\(shard.shard.number)")
    }
}
