import FresnelKernels
import SwiftProtobuf

/// Lays operations out as one PUT within the limits of the frames.
///
/// `append` says false when the batch must be sent first; nothing is lost or cut.
package struct PutBuilder: Sendable {
    /// What an operation takes in the control frame beside its identifier, at most.
    static let operationBytes = 32

    private var put: WirePut
    private var controlBytes: Int
    private let limits: WireLimits
    /// The bodies laid out so far.
    package private(set) var payload: [UInt8] = []

    /// Starts a batch; `head` has everything but operations: index, client, number, keys, state.
    package init(_ head: WirePut, limits: WireLimits = .standard) {
        precondition(head.operations.isEmpty, "operations come by append, not in the head")
        put = head
        self.limits = limits
        controlBytes = Command.put(head).controlBytes?.count ?? 0
    }

    /// How many operations the batch holds.
    package var count: Int { put.operations.count }

    /// Adds an operation.
    ///
    /// - Returns: false when the batch is full: send it and append to the next one.
    /// - Throws: `WireError.tooLarge` when the operation fits no batch at all.
    package mutating func append(_ operation: BatchOperation) throws(WireError) -> Bool {
        try append(operation.routed, body: operation.body)
    }

    /// Adds a document that is encoded already.
    ///
    /// - Returns: as for other operations.
    /// - Throws: as for other operations.
    package mutating func append(_ document: EncodedDocument) throws(WireError) -> Bool {
        var operation = WireOperation()
        operation.kind = .index
        operation.identifier = document.uniqueIdentifier
        operation.routingHash = Hash.routingHash(of: operation.identifier)
        return try append(operation, body: document.bytes)
    }

    private mutating func append(
        _ operation: consuming WireOperation, body: [UInt8]
    ) throws(WireError) -> Bool {
        try checkAlone(operation, bodyBytes: body.count)
        let cost = Self.operationBytes + operation.identifier.utf8.count
        guard count < limits.operations, payload.count + body.count <= limits.putPayloadBytes,
            controlBytes + cost <= Self.controlLimit
        else { return false }
        operation.position = UInt32(count)
        operation.bodyOffset = UInt32(payload.count)
        operation.bodyLength = UInt32(body.count)
        put.operations.append(operation)
        payload.append(copying: body.span)
        controlBytes += cost
        return true
    }

    /// The control message; `payload` goes with it.
    package var message: WirePut { put }

    private static var controlLimit: Int { Verb.put.rules.control?.limitBytes ?? 0 }

    private func checkAlone(
        _ operation: WireOperation, bodyBytes: Int
    ) throws(WireError) {
        let identifier = operation.identifier.utf8.count
        guard identifier <= limits.identifierBytes else {
            throw .tooLarge(.identifier, bytes: identifier, limit: limits.identifierBytes)
        }
        let limit = limits.bodyBytes(of: operation.kind)
        guard bodyBytes <= limit else {
            throw .tooLarge(.document, bytes: bodyBytes, limit: limit)
        }
    }
}
