import FresnelModel

// Routing a batch (protocol.md, clauses W-1…W-3). The broker looks at operations, never into
// documents: it slices the payload.
//
//   INDEX, UPDATE          to the shard of the routing hash
//   DELETE_*               to every shard: nobody but the shards knows where the documents are
//   INDEX by relation      also SUPERSEDE to every other shard, because the same identifier may
//                          have been indexed before under another routing key
//   INDEX otherwise        the same, but only where an index holds documents routed by relation

/// Splits a batch into what each shard must carry out.
package enum BatchCoding {
    /// Routes a batch.
    ///
    /// - Parameters:
    ///   - put: the control message.
    ///   - payload: the bodies, one after the other in the order of the operations.
    ///   - shardCount: shards of the index, at least 1.
    ///   - broadcastIdentifiers: whether the index holds documents routed by relation.
    /// - Returns: the shards that have something to do, ascending.
    /// - Throws: `WireError` when the batch as a whole must be refused.
    package static func split(
        _ put: WirePut, payload: [UInt8], shardCount: UInt32, broadcastIdentifiers: Bool,
        limits: WireLimits = .standard
    ) throws(WireError) -> [BatchPart] {
        precondition(shardCount > 0, "index \(put.index) has 0 shards")
        try check(put, payload: payload, limits: limits)
        var parts = (0..<shardCount).map { BatchPart(shard: ShardID($0)) }
        for operation in put.operations {
            let body = payload[try operation.bodyRange(in: payload)]
            guard operation.isRouted else {
                for shard in parts.indices { parts[shard].append(operation, body: body) }
                continue
            }
            let home = RoutingKey.shard(of: operation.routingHash, count: shardCount)
            parts[Int(home.number)].append(operation, body: body)
            guard operation.kind == .index,
                operation.routedByRelation || broadcastIdentifiers
            else { continue }
            let (supersede, identifier) = operation.superseding
            for shard in parts.indices where shard != Int(home.number) {
                parts[shard].append(supersede, body: identifier[...])
            }
        }
        return parts.filter { !$0.operations.isEmpty }
    }

    /// Checks what the broker can check without reading a document.
    ///
    /// - Throws: `WireError` when the batch as a whole must be refused.
    package static func check(
        _ put: WirePut, payload: [UInt8], limits: WireLimits = .standard
    ) throws(WireError) {
        guard put.operations.count <= limits.operations else {
            throw .tooLarge(.operations, bytes: put.operations.count, limit: limits.operations)
        }
        var end = 0
        for (position, operation) in put.operations.enumerated() {
            guard operation.position == UInt32(position) else {
                throw operation.broken("it stands at place \(position); number from 0")
            }
            // Bodies may not overlap: a small message could otherwise become a large one.
            guard Int(operation.bodyOffset) == end else {
                throw operation.broken(
                    "its body begins at \(operation.bodyOffset), the one before ends at \(end)")
            }
            end = try operation.bodyRange(in: payload).upperBound
            try check(operation, payload, limits)
        }
        guard end == payload.count else {
            throw .invalid(.batch, reason: "\(payload.count - end) bytes belong to no operation")
        }
    }

    private static func check(
        _ operation: WireOperation, _ payload: [UInt8], _ limits: WireLimits
    ) throws(WireError) {
        switch operation.kind {
        case .index:
            let identifier = operation.identifier.utf8.count
            guard (1...limits.identifierBytes).contains(identifier) else {
                throw operation.broken("its identifier has \(identifier) bytes")
            }
        case .update, .deleteAll: break
        case .deleteIdentifier, .deleteDomain, .deleteQuery:
            _ = try operation.text(in: payload, limits)
        case .supersede: throw operation.broken("only the broker supersedes")
        case .unspecified, .UNRECOGNIZED:
            throw operation.broken("its kind \(operation.kind.rawValue) does not exist")
        }
        let limit = limits.bodyBytes(of: operation.kind)
        guard Int(operation.bodyLength) <= limit else {
            throw .tooLarge(.document, bytes: Int(operation.bodyLength), limit: limit)
        }
    }
}

extension WireOperation {
    /// Whether one shard alone gets the operation.
    fileprivate var isRouted: Bool { kind == .index || kind == .update }

    /// What other shards get for this operation, with its body.
    fileprivate var superseding: (operation: WireOperation, body: [UInt8]) {
        var operation = WireOperation()
        operation.kind = .supersede
        operation.position = position
        return (operation, Array(identifier.utf8))
    }
}
