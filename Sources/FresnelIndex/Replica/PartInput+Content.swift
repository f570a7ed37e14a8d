import FresnelKernels
import FresnelWire

extension PartInput {
    /// What the client asked for, as one number: of the whole batch where the broker says so, else
    /// of this shard's part.
    package func contentHash(in replica: ReplicaSettings) -> UInt64 {
        batchDigest == 0 ? partHash(in: replica) : batchDigest
    }

    /// Whether a part that was applied before under the same name had the same content.
    ///
    /// It may have come from a broker that did not say what the whole batch was.
    package func isRepetition(of applied: PartOutcome, in replica: ReplicaSettings) -> Bool {
        applied.contentHash == batchDigest || applied.contentHash == partHash(in: replica)
    }

    /// A hash of what the client asked this shard for: the same for every resend of its batch.
    ///
    /// Kind, routing, identifier and body of each operation in order. What a broker adds may differ
    /// from one sending to the next and is left out: sequence numbers, stamps, the custom keys it
    /// knows, the context, and what a shard gets only because the index holds documents routed by
    /// relation meanwhile: SUPERSEDE, and an UPDATE whose routing hash names another shard.
    private func partHash(in replica: ReplicaSettings) -> UInt64 {
        var writer = ByteWriter(capacity: payload.count + operations.count * 64)
        for operation in operations where operation.isOwn(of: replica) {
            writer.writeVarint(UInt64(truncatingIfNeeded: operation.kind.rawValue))
            writer.write(operation.routingHash)
            writer.write(UInt8(operation.routedByRelation ? 1 : 0))
            writer.writeVarint(UInt64(operation.identifier.utf8.count))
            writer.bytes.append(copying: operation.identifier.utf8.span)
            writer.writeVarint(UInt64(operation.bodyLength))
            // A body that leaves the payload is refused alone; its length names it as well.
            if let body = operation.place(in: payload) {
                writer.bytes.append(copying: payload.span.extracting(body))
            }
        }
        return Hash.checksum(of: writer.bytes)
    }
}

extension WireOperation {
    /// Whether a shard gets the operation in every sending of its batch.
    fileprivate func isOwn(of replica: ReplicaSettings) -> Bool {
        switch kind {
        case .supersede: false
        case .update:
            RoutingKey.shard(of: routingHash, count: replica.shardCount) == replica.shard
        case .index, .deleteIdentifier, .deleteDomain, .deleteQuery, .deleteAll, .unspecified,
            .UNRECOGNIZED:
            true
        }
    }
}
