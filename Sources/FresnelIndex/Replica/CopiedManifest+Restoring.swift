package import FresnelModel

extension CopiedManifest {
    /// Makes it the manifest of a shard of another index.
    ///
    /// Which batches were applied is forgotten then: clients count the batches of each index by
    /// themselves, and one of the new index could be taken for one of the old.
    package mutating func rename(to index: String) {
        // Also under the old name it is another index, whose identity comes with its assignment.
        manifest.indexIdentity = 0
        guard manifest.index != index else { return }
        manifest.index = index
        manifest.applied = AppliedBatches()
    }

    /// What the shard is, as a replica is opened with it.
    package var settings: ReplicaSettings {
        ReplicaSettings(
            index: manifest.index, indexIdentity: manifest.indexIdentity, shard: manifest.shard,
            shardCount: manifest.shardCount,
            customKeys: manifest.schema.sortedCustomKeys)
    }

    /// Of the replica that it is the manifest of.
    package var identity: ReplicaIdentity { manifest.identity }

    /// Whether some document was routed by its relation.
    package var holdsRelated: Bool { manifest.holdsRelated }

    /// The identity in a replica's manifest file.
    ///
    /// - Throws: what is wrong with the file.
    package static func identity(
        in bytes: [UInt8], from path: String
    ) throws(IndexError) -> ReplicaIdentity {
        try Manifest(decoding: bytes, path: path).identity
    }
}
