import FresnelModel

/// The sizes above which bytes from a peer are refused before they are read.
package struct WireLimits: Hashable, Sendable {
    /// Header frame with extensions, in bytes.
    package var headerBytes: Int
    /// Payload frame of a client's PUT, in bytes: a batch of documents that one frame carries well.
    package var putPayloadBytes: Int
    /// Payload frame of PUT_PART, in bytes: a PUT's payload and the identifiers it supersedes.
    package var putPartPayloadBytes: Int
    /// Payload frame of FOUND, in bytes: a batch is aimed at 64 KiB, one big document may exceed
    /// it.
    package var foundPayloadBytes: Int
    /// Operations in one batch: with identifiers of 200 bytes they still fit the control frame.
    package var operations: Int
    /// Bytes of one encoded document or patch.
    package var documentBytes: Int
    /// UTF-8 bytes of a document's identifier, domain or related identifier.
    package var identifierBytes: Int
    /// UTF-8 bytes of an attribute's name.
    package var attributeNameBytes: Int
    /// Attributes of one document.
    package var attributes: Int
    /// Elements of one multi-valued attribute.
    package var valueElements: Int
    /// Hits in one hit batch.
    package var hits: Int
    /// Bytes of one hit's sort key.
    package var sortKeyBytes: Int

    /// The limits of version 1 (Documentation/protocol.md, "Limits").
    package static let standard = WireLimits(
        headerBytes: 512, putPayloadBytes: Limits.payloadBytes,
        putPartPayloadBytes: Limits.payloadBytes + (256 << 10),
        foundPayloadBytes: Int(Limits.hitBatchBytes), operations: Limits.operationsPerBatch,
        documentBytes: Limits.documentBytes,
        identifierBytes: max(Limits.identifierBytes, Limits.domainBytes),
        attributeNameBytes: Limits.attributeNameBytes, attributes: Limits.attributesPerDocument,
        valueElements: Limits.elementsPerAttribute, hits: 65_536, sortKeyBytes: 65_536)
}

extension WireLimits {
    /// The longest payload frame of a verb, in bytes; 0 for a verb without one.
    package func payloadBytes(of verb: Verb) -> Int {
        switch verb {
        case .put: putPayloadBytes
        case .putPart: putPartPayloadBytes
        case .found, .changes: foundPayloadBytes
        case .replicaChunk: Limits.transferChunkBytes
        default: 0
        }
    }
}

extension WireLimits {
    /// The longest body of an operation, in bytes.
    package func bodyBytes(of kind: WireOperationKind) -> Int {
        switch kind {
        case .index, .update: documentBytes
        case .deleteIdentifier, .deleteDomain, .supersede:
            identifierBytes
        case .deleteQuery: Limits.queryBytes
        case .deleteAll, .unspecified, .UNRECOGNIZED: 0
        }
    }
}

extension WireLimits {
    /// The longest frame of any verb, with the 33 bytes that encryption adds: what a socket
    /// accepts.
    package static let largestFrameBytes = standard.putPartPayloadBytes + 33
}
