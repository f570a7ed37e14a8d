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
    /// Whose it is, for people; nil before that is known.
    var owner: WorkerID?

    init(_ path: String, storage: any Storage) throws(SystemError) {
        try storage.makeDirectory(path)
        lock = try storage.lock(FilePath.join(path, "worker.lock"))
        self.path = path
        self.storage = storage
    }

    /// The worker and its directory, for people.
    var description: String { (owner.map { "worker \($0), " } ?? "") + path }

    /// The worker's name: the wanted one, the kept one, or, in a directory without indexes, a new
    /// one that is kept from now on.
    func name(wanted: String?, chance: any RandomSource) throws(WorkerError) -> WorkerID {
        let file = FilePath.join(path, WorkerNameFile.fileName)
        let kept = try keptName(in: file)
        if let wanted {
            guard WorkerTable.isValid(name: wanted) else { throw .invalidName(wanted) }
            if case .name(let name, _) = kept, name != wanted {
                throw .renamed(directory: path, kept: name, wanted: wanted)
            }
        }
        switch (wanted, kept) {
        case (_, .name(let name, isProved: true)): return WorkerID(name)
        case (_, .name(let name, isProved: false)):
            // Of an earlier program. A full disk keeps nobody from starting: the next start, then.
            try? storage.replaceFile(file, with: WorkerNameFile(name).encoded)
            return WorkerID(name)
        case (nil, .damaged): throw .nameDamaged(path: file)
        case (nil, .missing):
            if try holdsIndexes() { throw .nameMissing(directory: path) }
            return try keep("worker-\(String(chance.next() >> 32, radix: 36))", in: file)
        case (let wanted?, .missing), (let wanted?, .damaged):
            return try keep(wanted, in: file)
        }
    }

    private enum KeptName {
        case name(String, isProved: Bool)
        case damaged
        case missing
    }

    private func keptName(in file: String) throws(WorkerError) -> KeptName {
        do throws(SystemError) {
            guard try storage.size(of: file) != nil else { return .missing }
            guard let kept = WorkerNameFile(try storage.read(file)) else { return .damaged }
            return .name(kept.name, isProved: kept.isProved)
        } catch {
            throw .storage(error)
        }
    }

    private func keep(_ name: String, in file: String) throws(WorkerError) -> WorkerID {
        do throws(SystemError) {
            try storage.replaceFile(file, with: WorkerNameFile(name).encoded)
        } catch {
            throw .storage(error)
        }
        return WorkerID(name)
    }

    private func holdsIndexes() throws(WorkerError) -> Bool {
        let folder = FilePath.join(path, "indexes")
        do throws(SystemError) {
            guard try storage.isDirectory(folder) else { return false }
            return try !storage.list(folder).isEmpty
        } catch {
            throw .storage(error)
        }
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

    func folder(of shard: ShardKey) -> String { WorkerPaths(path: path).folder(of: shard) }
}
