import FresnelCluster
import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelS3
import FresnelSnapshot
import FresnelSystem
import FresnelWire

/// One replica on its way out of a store: manifest, segments, and the proof that they contain what
/// the snapshot says.
///
/// Until the proof nothing is told to be there.
struct ReplicaDownload {
    private let order: WireStoreShard
    private let shard: ShardKey
    private let directory: WorkerDirectory
    private let environment: Environment
    private let folder: String
    private var store: (any SnapshotStore)?
    private var manifest: CopiedManifest?
    private var missing: [StoredObject] = []
    private var bytesDone: UInt64 = 0

    /// Bytes that the disk keeps free beside the replica, for journals.
    private static let spareBytes: UInt64 = 64 << 20
    /// Bytes of the largest manifest: deletions of hundreds of millions of documents.
    private static let manifestBytes = 1 << 30

    init(_ order: WireStoreShard, in directory: WorkerDirectory, _ environment: Environment) {
        self.order = order
        self.directory = directory
        self.environment = environment
        shard = ShardKey(index: order.index, shard: ShardID(order.shard))
        folder = directory.restoredSegments(of: shard)
    }

    private var storage: any Storage { environment.storage }

    /// Fetches the next object, or ends.
    mutating func advance() throws(StoreCopyError) -> WireStoredShard {
        guard let store, let manifest else {
            try begin()
            return report(.storing)
        }
        if let object = missing.first {
            try fetch(object, from: store)
            missing.removeFirst()
            bytesDone += object.bytes
            return report(.storing)
        }
        var report = report(.done)
        report.identity = try complete(manifest).value
        return report
    }

    private func report(_ phase: WireStorePhase) -> WireStoredShard {
        var report = order.report(phase)
        report.bytesSent = bytesDone
        return report
    }

    /// Opens the store, reads the manifest, and clears the place beside the replica's.
    private mutating func begin() throws(StoreCopyError) {
        let bytes: [UInt8]
        do throws(SnapshotError) {
            let store = try SnapshotStores.open(order.store, environment: environment)
            bytes = try Self.read(StoredObject(.manifest, order.source.manifest), from: store)
            self.store = store
        } catch {
            throw .snapshot(error)
        }
        do throws(IndexError) {
            var manifest = try CopiedManifest(
                decoding: bytes, of: order.sourceIndex, shard: shard.shard,
                from: "a manifest in \(order.store.location)")
            manifest.rename(to: shard.index)
            self.manifest = manifest
        } catch {
            throw .index(error)
        }
        missing = order.source.segments.map { StoredObject(.segment, $0) }
        let names = missing.map { SegmentName($0.hash).fileName }
        guard let manifest, manifest.settings.shardCount == order.shardCount,
            manifest.checkpoint.value == order.source.sequence,
            Set(manifest.fileNames) == Set(names)
        else {
            throw .mismatch(
                "the snapshot's manifest and that of shard \(order.shard) name other files or "
                    + "numbers; verify the snapshot")
        }
        try clear()
    }

    private func clear() throws(StoreCopyError) {
        let needed = missing.reduce(Self.spareBytes) { $0 &+ $1.bytes }
        let free: UInt64
        do throws(SystemError) {
            try directory.discardRestored(of: shard)
            try storage.makeDirectory(folder)
            free = try storage.freeBytes(at: folder)
        } catch {
            throw .storage(error)
        }
        guard free >= needed else { throw .noRoom(needed: needed, free: free) }
    }

    /// Writes a segment file; it is compared with its name while it comes.
    private func fetch(
        _ object: StoredObject, from store: any SnapshotStore
    ) throws(StoreCopyError) {
        let path = FilePath.join(folder, SegmentName(object.hash).fileName)
        let file: any StorageFile
        do throws(SystemError) {
            file = try storage.open(path, create: .always)
        } catch {
            throw .storage(error)
        }
        defer { file.close() }
        do throws(SnapshotError) {
            try store.read(object) { (piece) throws(SnapshotError) in
                do throws(SystemError) { try file.append(piece) } catch { throw .system(error) }
            }
        } catch {
            throw .snapshot(error)
        }
        do throws(SystemError) { try file.sync() } catch { throw .storage(error) }
    }

    /// Writes the manifest with a new identity, opens the replica and compares its contents.
    private func complete(
        _ manifest: CopiedManifest
    ) throws(StoreCopyError) -> ReplicaIdentity {
        let chance = environment.chance.next()
        do throws(SystemError) {
            try manifest.write(into: folder, drawn: chance, storage: storage)
            try storage.syncDirectory(FilePath.directory(of: folder))
            try storage.syncDirectory(FilePath.directory(of: directory.folder(of: shard)))
        } catch {
            throw .storage(error)
        }
        try compare(manifest.settings)
        return ReplicaIdentity(drawn: chance)
    }

    /// Opens the replica, for reading only, and compares its contents with what was copied.
    private func compare(_ settings: ReplicaSettings) throws(StoreCopyError) {
        let source = order.source
        let index: ReplicaIndex
        do throws(IndexError) {
            index = try ReplicaIndex(
                opening: folder, settings: settings, environment: environment, isReadOnly: true)
        } catch {
            throw .index(error)
        }
        let now = Timestamp(seconds: source.digestAt) ?? Timestamp(wholeSeconds: 0)
        let digest = index.snapshot.contentDigest(at: index.lastSequence, now: now)
        guard digest.hash == Hash128(high: source.digestHigh, low: source.digestLow),
            digest.documents == source.documents
        else {
            throw .mismatch(
                "shard \(order.shard) has \(digest.documents) documents with digest "
                    + "\(digest.hash), the snapshot says \(source.documents) with another one; "
                    + "verify the snapshot")
        }
    }

    private static func read(
        _ object: StoredObject, from store: any SnapshotStore
    ) throws(SnapshotError) -> [UInt8] {
        guard object.bytes <= UInt64(manifestBytes) else {
            throw .damaged(
                object: object.name, store: store.location.text,
                reason: "a manifest of \(object.bytes) bytes is too large")
        }
        var bytes: [UInt8] = []
        try store.read(object) { (piece) throws(SnapshotError) in bytes += piece }
        return bytes
    }
}

extension StoredObject {
    /// An object as a message names it.
    init(_ kind: Kind, _ file: WireStoredFile) {
        self.init(kind, hash: Hash128(high: file.high, low: file.low), bytes: file.bytes)
    }
}
