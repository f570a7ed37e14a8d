package import FresnelKernels
package import FresnelModel

/// One snapshot: everything that is needed to make its indexes again, but the files it names.
///
/// Written last, as one object that is there or not: until then there is no snapshot, whatever was
/// put before. Layout: Documentation/file-formats.md, "Snapshot".
package struct SnapshotManifest: Hashable, Sendable {
    package var name: String
    package var createdAt: Timestamp
    /// Name and version of the program, for people.
    package var software: String
    /// Sorted by name.
    package var indexes: [SnapshotIndex]

    package init(
        name: String, createdAt: Timestamp, software: String, indexes: [SnapshotIndex]
    ) {
        self.name = name
        self.createdAt = createdAt
        self.software = software
        self.indexes = indexes.sorted { $0.name < $1.name }
    }

    /// Every object, each once.
    package var objects: [StoredObject] {
        var seen: Set<StoredObject> = []
        return indexes.flatMap(\.shards).flatMap { [$0.manifest] + $0.segments }
            .filter { seen.insert($0).inserted }
    }

    package var documents: UInt64 { indexes.reduce(0) { $0 &+ $1.documents } }

    /// Bytes of all objects.
    package var bytes: UInt64 { objects.reduce(0) { $0 &+ $1.bytes } }

    package subscript(index name: String) -> SnapshotIndex? {
        indexes.first { $0.name == name }
    }
}

/// One index between two batches, as its shards were copied.
package struct SnapshotIndex: Hashable, Sendable {
    package var name: String
    /// Of the index that was there; one that is made from it has another.
    package var identity: Hash128
    package var shardCount: UInt32
    package var replication: UInt32
    /// Life of documents that name none; nil is for ever.
    package var defaultExpirationSeconds: Double?
    package var holdsRelated: Bool
    /// No sequence number in the shards is above it.
    package var sequence: SequenceNumber
    package var clientState: [UInt8]?
    package var customKeys: [CustomAttributeKey]
    /// By shard number.
    package var shards: [SnapshotShard]

    package init(name: String, shardCount: UInt32) {
        self.name = name
        self.shardCount = shardCount
        identity = Hash128(high: 0, low: 0)
        replication = 1
        holdsRelated = false
        sequence = .zero
        customKeys = []
        shards = []
    }

    package var documents: UInt64 { shards.reduce(0) { $0 &+ $1.documents } }
}

/// One shard, as one replica had it.
package struct SnapshotShard: Hashable, Sendable {
    package var shard: ShardID
    /// Everything up to here is in the files.
    package var sequence: SequenceNumber
    /// Documents that had not expired at `digestAt`.
    package var documents: UInt64
    /// Of these documents: equal for replicas that contain the same.
    package var digest: Hash128
    package var digestAt: Timestamp
    package var manifest: StoredObject
    package var segments: [StoredObject]

    package init(
        shard: ShardID, sequence: SequenceNumber, documents: UInt64, digest: Hash128,
        digestAt: Timestamp, manifest: StoredObject, segments: [StoredObject]
    ) {
        self.shard = shard
        self.sequence = sequence
        self.documents = documents
        self.digest = digest
        self.digestAt = digestAt
        self.manifest = manifest
        self.segments = segments
    }
}
