package import FresnelModel

/// One change of an index, as a client asks for it and a worker carries it out.
package enum BatchOperation: Equatable, Sendable {
    /// Replace or insert a whole document.
    case index(Document)
    /// Change some fields of a document that exists.
    case update(DocumentPatch)
    /// Delete the document with this identifier.
    case deleteIdentifier(String)
    /// Delete the documents of this domain and the domains below it.
    case deleteDomain(String)
    /// Delete the documents that match this query text, read in the context of the batch.
    case deleteQuery(String)
    /// Delete every document.
    case deleteAll
    /// Forget the document with this identifier, unless it is newer than the sequence number: the
    /// version made then lives in another shard.
    ///
    /// Only the broker makes these; it is no deletion for those who count deletions.
    case supersede(String, by: SequenceNumber)

    /// The kind on the wire.
    package var kind: WireOperationKind {
        switch self {
        case .index: .index
        case .update: .update
        case .deleteIdentifier: .deleteIdentifier
        case .deleteDomain: .deleteDomain
        case .deleteQuery: .deleteQuery
        case .deleteAll: .deleteAll
        case .supersede: .supersede
        }
    }
}

extension BatchOperation {
    /// Whether both are the same operation, identifiers and texts byte by byte.
    package static func == (left: BatchOperation, right: BatchOperation) -> Bool {
        switch (left, right) {
        case (.index(let mine), .index(let other)): mine == other
        case (.update(let mine), .update(let other)): mine == other
        case (.deleteIdentifier(let mine), .deleteIdentifier(let other)),
            (.deleteDomain(let mine), .deleteDomain(let other)),
            (.deleteQuery(let mine), .deleteQuery(let other)):
            mine.hasSameBytes(as: other)
        case (.deleteAll, .deleteAll): true
        case (.supersede(let mine, let sequence), .supersede(let other, let otherSequence)):
            mine.hasSameBytes(as: other) && sequence == otherSequence
        case (.index, _), (.update, _), (.deleteIdentifier, _), (.deleteDomain, _),
            (.deleteQuery, _), (.deleteAll, _), (.supersede, _):
            false
        }
    }
}
