import FresnelKernels
import FresnelModel
import FresnelSnapshot
import FresnelSystem

/// Snapshots and stores made for tests.
enum SnapshotSamples {
    static let environment = Environment(
        time: ManualTime(), chance: SeededRandom(seed: 1), storage: MemoryStorage())

    /// A store on a disk in memory, or a place that may become one.
    static func store(
        _ storage: MemoryStorage, seed: UInt64 = 1, isMade: Bool = true
    ) throws -> DirectoryStore {
        if isMade {
            let mark = StoreMark(identity: Hash128(high: 5, low: 6))
            storage.place(mark.encoded, at: "/store/\(StoreMark.objectName)")
        }
        return DirectoryStore(
            "/store", try StoreLocation("/store"), storage: storage,
            chance: SeededRandom(seed: seed))
    }

    /// `count` files, and the snapshot that names them.
    static func snapshot(
        _ name: String, files count: Int, from first: Int = 0
    ) throws -> (manifest: SnapshotManifest, files: [(object: StoredObject, bytes: [UInt8])]) {
        let files = (first..<first + count).map { number in
            let bytes = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 100 + number)
            let hash = Hash.digest(of: bytes)
            return (StoredObject(.segment, hash: hash, bytes: UInt64(bytes.count)), bytes)
        }
        let text = Array("manifest of \(first) and \(count) more".utf8)
        let own = StoredObject(
            .manifest, hash: Hash.digest(of: text), bytes: UInt64(text.count))
        var index = SnapshotIndex(name: "shop", shardCount: 1)
        index.identity = Hash128(high: 1, low: 2)
        index.replication = 2
        index.defaultExpirationSeconds = 3600
        index.holdsRelated = true
        index.sequence = SequenceNumber(41)
        index.clientState = [7, 8, 9]
        index.customKeys = [try CustomAttributeKey("com_a", .string)]
        index.shards = [
            SnapshotShard(
                shard: ShardID(0), sequence: SequenceNumber(41), documents: 1000,
                digest: Hash128(high: 3, low: 4), digestAt: Timestamp(wholeSeconds: 86_400),
                manifest: own, segments: files.map(\.0))
        ]
        let manifest = SnapshotManifest(
            name: name, createdAt: Timestamp(wholeSeconds: 86_400), software: "fresnel 1",
            indexes: [index])
        return (manifest, files + [(own, text)])
    }
}

/// A store that stops working after some calls, as when its process dies.
///
/// One task uses it, so that the count needs no lock.
final class DyingStore: SnapshotStore, @unchecked Sendable {
    let location: StoreLocation
    private let store: DirectoryStore
    private var callsLeft: Int

    init(_ store: DirectoryStore, after calls: Int) {
        self.store = store
        location = store.location
        callsLeft = calls
    }

    private func call() throws(SnapshotError) {
        guard callsLeft > 0 else { throw .unreachable("here", reason: "the process died") }
        callsLeft -= 1
    }

    func put(_ name: String, _ bytes: SharedBytes) throws(SnapshotError) -> Bool {
        try call()
        return try store.put(name, bytes)
    }

    func size(of name: String) throws(SnapshotError) -> UInt64? {
        try call()
        return try store.size(of: name)
    }

    func read(
        _ name: String, from offset: UInt64, count: Int
    ) throws(SnapshotError) -> [UInt8] {
        try call()
        return try store.read(name, from: offset, count: count)
    }

    func list(_ prefix: String) throws(SnapshotError) -> [ListedObject] {
        try call()
        return try store.list(prefix)
    }

    func remove(_ name: String) throws(SnapshotError) {
        try call()
        try store.remove(name)
    }
}

/// A store that refuses some of its objects, as a bucket does whose policy forbids them.
struct RefusingStore: SnapshotStore {
    static let refusal = SnapshotError.denied(store: "/store", reason: "403")
    let location: StoreLocation
    private let store: DirectoryStore
    private let names: Set<String>

    init(_ store: DirectoryStore, names: Set<String>) {
        self.store = store
        self.names = names
        location = store.location
    }

    private func require(_ name: String) throws(SnapshotError) {
        if names.contains(name) { throw Self.refusal }
    }

    func put(_ name: String, _ bytes: SharedBytes) throws(SnapshotError) -> Bool {
        try require(name)
        return try store.put(name, bytes)
    }

    func size(of name: String) throws(SnapshotError) -> UInt64? {
        try require(name)
        return try store.size(of: name)
    }

    func read(
        _ name: String, from offset: UInt64, count: Int
    ) throws(SnapshotError) -> [UInt8] {
        try require(name)
        return try store.read(name, from: offset, count: count)
    }

    func list(_ prefix: String) throws(SnapshotError) -> [ListedObject] {
        try store.list(prefix)
    }

    func remove(_ name: String) throws(SnapshotError) { try store.remove(name) }
}
