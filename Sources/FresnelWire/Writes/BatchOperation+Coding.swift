import FresnelKernels
import FresnelModel

extension BatchOperation {
    /// The body of the operation: a slice of the payload.
    package var body: [UInt8] {
        switch self {
        case .index(let document): DocumentCoding.encode(document)
        case .update(let patch): DocumentCoding.encode(patch)
        case .deleteIdentifier(let text), .deleteDomain(let text), .deleteQuery(let text),
            .supersede(let text, by: _):
            Array(text.utf8)
        case .deleteAll: []
        }
    }

    /// The operation without position and place: kind, routing and identifier.
    package var routed: WireOperation {
        var operation = WireOperation()
        operation.kind = kind
        switch self {
        case .index(let document):
            operation.routingHash = RoutingKey.hash(of: document)
            operation.routedByRelation = document.isRoutedByRelation
            operation.identifier = document.uniqueIdentifier
        case .update(let patch):
            operation.routingHash = RoutingKey.hash(of: patch)
            operation.routedByRelation = patch.isRoutedByRelation
        case .supersede(_, let sequence): operation.supersededBy = sequence.value
        case .deleteIdentifier, .deleteDomain, .deleteQuery, .deleteAll: break
        }
        return operation
    }

    /// Reads an operation of a part, as a worker does, and checks that it was routed by its body.
    ///
    /// - Throws: `WireError`; the operation is refused alone, the rest of the batch goes on.
    package init(
        _ operation: WireOperation, payload: [UInt8], limits: WireLimits = .standard
    ) throws(WireError) {
        let place = try operation.bodyRange(in: payload)
        switch operation.kind {
        case .index:
            self = .index(try DocumentCoding.decode(payload, in: place, limits: limits))
        case .update:
            self = .update(try DocumentCoding.decodePatch(payload, in: place, limits: limits))
        case .deleteIdentifier:
            self = .deleteIdentifier(try operation.text(in: payload, limits))
        case .deleteDomain:
            self = .deleteDomain(try operation.text(in: payload, limits))
        case .deleteQuery:
            self = .deleteQuery(try operation.text(in: payload, limits))
        case .deleteAll: self = .deleteAll
        case .supersede:
            self = .supersede(
                try operation.text(in: payload, limits),
                by: SequenceNumber(operation.supersededBy))
        case .unspecified, .UNRECOGNIZED:
            throw operation.broken("its kind does not exist")
        }
        try operation.checkRouting(of: self)
    }
}

extension WireOperation {
    /// The place of the body in the payload.
    ///
    /// - Throws: `WireError.operation` when the body leaves the payload.
    package func bodyRange(in payload: [UInt8]) throws(WireError) -> Range<Int> {
        guard let place = place(in: payload) else {
            let end = Int(bodyOffset) + Int(bodyLength)
            throw broken(
                "its body \(bodyOffset)..<\(end) leaves the payload of \(payload.count) bytes")
        }
        return place
    }

    /// The place of the body; nil when it leaves the payload.
    package func place(in payload: [UInt8]) -> Range<Int>? {
        let start = Int(bodyOffset)
        let end = start + Int(bodyLength)
        return end <= payload.count ? start..<end : nil
    }

    func broken(_ reason: String) -> WireError { .operation(position: position, reason: reason) }

    /// The body as one identifier, domain or query.
    func text(in payload: [UInt8], _ limits: WireLimits) throws(WireError) -> String {
        let place = try bodyRange(in: payload)
        let limit = limits.bodyBytes(of: kind)
        guard !place.isEmpty, place.count <= limit else {
            throw broken("its body has \(place.count) bytes, allowed are 1...\(limit)")
        }
        guard let text = String(validating: payload[place], as: UTF8.self) else {
            throw broken("its body is not UTF-8")
        }
        return text
    }

    /// The body must agree with what the broker routed by, or shards would hold foreign documents.
    func checkRouting(of operation: BatchOperation) throws(WireError) {
        let routed = operation.routed
        guard routed.routingHash == routingHash || bodyHasNoRoute else {
            throw broken("its routing hash is not that of its body's routing key")
        }
        guard routed.routedByRelation == routedByRelation || bodyHasNoRoute else {
            throw broken("routed_by_relation is not what its body says")
        }
        guard kind != .index || routed.identifier.hasSameBytes(as: identifier) else {
            throw broken("its identifier is \(identifier), its document says \(routed.identifier)")
        }
    }

    private var bodyHasNoRoute: Bool { kind != .index && kind != .update }
}
