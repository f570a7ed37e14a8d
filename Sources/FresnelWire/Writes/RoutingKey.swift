import FresnelKernels
package import FresnelModel

/// What decides the shard of a document (protocol.md, clause W-8).
package enum RoutingKey {
    /// XXH64 of the routing key.
    package static func hash(of document: Document) -> UInt64 {
        Hash.routingHash(of: document.routingKey)
    }

    /// XXH64 of the routing key of the document that a patch changes.
    package static func hash(of patch: DocumentPatch) -> UInt64 {
        Hash.routingHash(of: patch.routingKey)
    }

    /// The shard of a routing hash.
    package static func shard(of hash: UInt64, count: UInt32) -> ShardID {
        precondition(count > 0, "an index of 0 shards has no shard for \(hash)")
        return ShardID(UInt32(hash % UInt64(count)))
    }
}
