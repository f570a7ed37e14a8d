import FresnelModel

// Routing a batch (protocol.md, clauses W-1…W-3). The broker looks at operations, never into
// documents: it slices the payload.
//
//   INDEX                  to the shard of the routing hash
//   UPDATE                 the same; to every shard where an index holds documents routed by
//                          relation, since a patch need not say under which key its document is
//   DELETE_*               to every shard: nobody but the shards knows where the documents are
//
// In an index that holds documents routed by relation, the identifier of an INDEX may have been
// indexed before under another routing key. Once its shard has accepted the new version, and not
// before, SUPERSEDE goes to every other shard (`supersedes`).

/// Splits a batch into what each shard must carry out.
package enum BatchCoding {
    /// Routes a batch.
    ///
    /// - Parameters:
    ///   - put: the control message.
    ///   - payload: the bodies, one after the other in the order of the operations.
    ///   - shardCount: shards of the index, at least 1.
    ///   - holdsRelated: whether the index holds documents routed by relation, this batch included.
    /// - Returns: the shards that have something to do, ascending.
    /// - Throws: `WireError` when the batch as a whole must be refused.
    package static func split(
        _ put: WirePut, payload: [UInt8], shardCount: UInt32, holdsRelated: Bool,
        limits: WireLimits = .standard
    ) throws(WireError) -> [BatchPart] {
        precondition(shardCount > 0, "index \(put.index) has 0 shards")
        try check(put, payload: payload, limits: limits)
        var parts = (0..<shardCount).map { BatchPart(shard: ShardID($0)) }
        for operation in put.operations {
            let body = payload[try operation.bodyRange(in: payload)]
            guard operation.isRouted(holdsRelated: holdsRelated) else {
                for shard in parts.indices { parts[shard].append(operation, body: body) }
                continue
            }
            let home = RoutingKey.shard(of: operation.routingHash, count: shardCount)
            parts[Int(home.number)].append(operation, body: body)
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
    func isRouted(holdsRelated: Bool) -> Bool {
        kind == .index || kind == .update && !holdsRelated
    }
}
