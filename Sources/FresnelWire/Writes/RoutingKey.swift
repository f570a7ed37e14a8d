import FresnelKernels
package import FresnelModel

/// What decides the shard of a document (protocol.md, clauses W-4…W-6).
package enum RoutingKey {
    /// The attribute that makes a document live beside another.
    package static let relation = "relatedUniqueIdentifier"

    /// The routing key: the related identifier where there is one, else the document's own.
    package static func of(_ document: Document) -> String {
        guard case .string(let related) = document.attributes[relation], !related.isEmpty else {
            return document.uniqueIdentifier
        }
        return related
    }

    /// The routing key of the document that a patch changes.
    package static func of(_ patch: DocumentPatch) -> String {
        guard let related = patch.relatedUniqueIdentifier, !related.isEmpty else {
            return patch.uniqueIdentifier
        }
        return related
    }

    /// XXH64 of the routing key.
    package static func hash(of document: Document) -> UInt64 {
        Hash.routingHash(of: of(document))
    }

    /// XXH64 of the routing key of the document that a patch changes.
    package static func hash(of patch: DocumentPatch) -> UInt64 {
        Hash.routingHash(of: of(patch))
    }

    /// The shard of a routing hash.
    package static func shard(of hash: UInt64, count: UInt32) -> ShardID {
        precondition(count > 0, "an index of 0 shards has no shard for \(hash)")
        return ShardID(UInt32(hash % UInt64(count)))
    }
}
