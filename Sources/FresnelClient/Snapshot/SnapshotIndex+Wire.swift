import FresnelKernels
import FresnelModel
import FresnelSnapshot
import FresnelWire

// A snapshot's index as it travels, and as its manifest has it.

extension WireStorePlace {
    init(_ place: StorePlace) {
        self.init()
        location = place.location
        identityHigh = place.identity.high
        identityLow = place.identity.low
    }
}

extension SnapshotIndex {
    init(_ wire: WireSnapshotIndex) throws(WireError) {
        self.init(name: wire.name, shardCount: wire.shardCount)
        identity = Hash128(high: wire.identityHigh, low: wire.identityLow)
        replication = wire.replication
        defaultExpirationSeconds =
            wire.defaultExpirationSeconds > 0 ? wire.defaultExpirationSeconds : nil
        holdsRelated = wire.holdsRelated
        sequence = SequenceNumber(wire.sequence)
        clientState = wire.clientStateBytes
        for key in wire.customKeys { customKeys.append(try CustomAttributeKey(key)) }
        shards = wire.shards.map(SnapshotShard.init)
    }
}

extension SnapshotShard {
    init(_ wire: WireSnapshotShard) {
        self.init(
            shard: ShardID(wire.shard), sequence: SequenceNumber(wire.sequence),
            documents: wire.documents,
            digest: Hash128(high: wire.digestHigh, low: wire.digestLow),
            digestAt: Timestamp(seconds: wire.digestAt) ?? Timestamp(wholeSeconds: 0),
            manifest: StoredObject(wire.manifest, .manifest),
            segments: wire.segments.map { StoredObject($0, .segment) })
    }
}

extension StoredObject {
    init(_ wire: WireStoredFile, _ kind: Kind) {
        self.init(kind, hash: Hash128(high: wire.high, low: wire.low), bytes: wire.bytes)
    }
}

extension WireSnapshotIndex {
    init(_ index: SnapshotIndex) {
        self.init()
        name = index.name
        identityHigh = index.identity.high
        identityLow = index.identity.low
        shardCount = index.shardCount
        replication = index.replication
        defaultExpirationSeconds = index.defaultExpirationSeconds ?? 0
        holdsRelated = index.holdsRelated
        sequence = index.sequence.value
        clientStateBytes = index.clientState
        customKeys = index.customKeys.map(WireCustomKey.init)
        shards = index.shards.map(WireSnapshotShard.init)
    }
}

extension WireSnapshotShard {
    init(_ shard: SnapshotShard) {
        self.init()
        self.shard = shard.shard.number
        sequence = shard.sequence.value
        documents = shard.documents
        digestHigh = shard.digest.high
        digestLow = shard.digest.low
        digestAt = shard.digestAt.seconds
        manifest = WireStoredFile(shard.manifest)
        segments = shard.segments.map(WireStoredFile.init)
    }
}

extension WireStoredFile {
    init(_ object: StoredObject) {
        self.init()
        high = object.hash.high
        low = object.hash.low
        bytes = object.bytes
    }
}
