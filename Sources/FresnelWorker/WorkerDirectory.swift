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
        let file = FilePath.join(path, "worker-name")
        do {
            let kept = try storage.size(of: file) == nil ? nil : try storage.read(file)
            let keptName = kept.map { String(decoding: $0, as: UTF8.self) }
            if wanted == nil, keptName == nil, try holdsIndexes() {
                throw WorkerError.nameMissing(directory: path)
            }
            let name = wanted ?? keptName ?? "worker-\(String(chance.next() >> 32, radix: 36))"
            if let keptName, keptName != name {
                throw WorkerError.renamed(directory: path, kept: keptName, wanted: name)
            }
            if WorkerTable.isValid(name: name) {
                if name != keptName { try storage.replaceFile(file, with: Array(name.utf8)) }
                return WorkerID(name)
            }
        } catch let error as WorkerError {
            throw error
        } catch let error as SystemError {
            throw .storage(error)
        } catch {
            preconditionFailure("reading a worker's name threw an unknown error: \(error)")
        }
        throw .invalidName(wanted ?? "")
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
