import FresnelCluster
import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelS3
import FresnelSnapshot
import FresnelSystem
import FresnelWire

/// One replica on its way into a store: its segments, then its manifest, then the digest of what
/// is in them.
///
/// What is there already is not sent again; the order says whether it is read and compared.
struct ReplicaUpload {
    private let order: WireStoreShard
    private let snapshot: IndexSnapshot
    private let now: Timestamp
    private let objects: [(object: StoredObject, bytes: SharedBytes)]
    private let sequence: SequenceNumber
    private var store: (any SnapshotStore)?
    private var next = 0
    private var bytesSent: UInt64 = 0
    private var bytesReused: UInt64 = 0
    /// What was damaged in the store and was sent again, for the log.
    private(set) var replaced: [String] = []

    init(
        _ order: WireStoreShard, _ copy: ReplicaCopy, _ snapshot: IndexSnapshot, at now: Timestamp
    ) {
        self.order = order
        self.snapshot = snapshot
        self.now = now
        sequence = copy.sequence
        var objects: [(object: StoredObject, bytes: SharedBytes)] = []
        for (name, bytes) in copy.files.sorted(by: { $0.key < $1.key }) {
            guard let hash = SegmentName(fileName: name)?.hash else {
                preconditionFailure("a segment of a copy is called \(name)")
            }
            objects.append(
                (StoredObject(.segment, hash: hash, bytes: UInt64(bytes.count)), bytes))
        }
        let manifest = StoredObject(
            .manifest, hash: Hash.digest(of: copy.manifest), bytes: UInt64(copy.manifest.count))
        objects.append((manifest, SharedBytes(copy.manifest)))
        self.objects = objects
    }

    /// Puts the next object, or ends.
    mutating func advance(in environment: Environment) throws(StoreCopyError) -> WireStoredShard {
        do throws(SnapshotError) {
            let store = try opened(in: environment)
            guard next == objects.count else {
                let (object, bytes) = objects[next]
                switch try store.put(object, bytes, comparing: order.compareReused) {
                case .sent: bytesSent += object.bytes
                case .reused: bytesReused += object.bytes
                case .replaced(let damage):
                    bytesSent += object.bytes
                    replaced.append("\(object.name) in \(store.location): \(damage)")
                }
                next += 1
                return report(.storing)
            }
        } catch {
            throw .snapshot(error)
        }
        var report = report(.done)
        report.result = result
        return report
    }

    private mutating func opened(
        in environment: Environment
    ) throws(SnapshotError) -> any SnapshotStore {
        if let store { return store }
        let store = try SnapshotStores.open(order.store, environment: environment)
        self.store = store
        return store
    }

    private func report(_ phase: WireStorePhase) -> WireStoredShard {
        var report = order.report(phase)
        report.bytesSent = bytesSent
        report.bytesReused = bytesReused
        report.replaced = UInt32(replaced.count)
        return report
    }

    private var result: WireSnapshotShard {
        let digest = snapshot.contentDigest(at: sequence, now: now)
        var shard = WireSnapshotShard()
        shard.shard = order.shard
        shard.sequence = sequence.value
        shard.documents = digest.documents
        shard.digestHigh = digest.hash.high
        shard.digestLow = digest.hash.low
        shard.digestAt = now.seconds
        for (object, _) in objects {
            var file = WireStoredFile()
            file.high = object.hash.high
            file.low = object.hash.low
            file.bytes = object.bytes
            switch object.kind {
            case .segment: shard.segments.append(file)
            case .manifest: shard.manifest = file
            }
        }
        return shard
    }
}

extension SnapshotStores {
    /// Opens the store that an order names, and refuses one that is another here.
    static func open(
        _ place: WireStorePlace, environment: Environment
    ) throws(SnapshotError) -> any SnapshotStore {
        let store = try open(place.location, environment: environment)
        let identity = Hash128(high: place.identityHigh, low: place.identityLow)
        try StoreMark.require(identity, in: store)
        return store
    }
}
