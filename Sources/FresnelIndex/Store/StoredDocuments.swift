package import FresnelSystem

/// The documents of a segment as they were encoded for the wire.
package struct StoredDocuments: Sendable {
    let documents: StringList

    /// The encoded bytes of a document (`DocumentCoding`).
    @_lifetime(borrow self)
    package borrowing func encoded(_ document: DocumentNumber) -> Span<UInt8> {
        documents[Int(document)]
    }

    /// The length of a document's encoded bytes.
    package func encodedCount(_ document: DocumentNumber) -> Int {
        documents.offsets.range(Int(document), limit: documents.byteCount).count
    }

    /// The encoded bytes of a document, sharing the segment's memory.
    package func shared(_ document: DocumentNumber) -> SharedBytes {
        documents.blob.slice(documents.offsets.range(Int(document), limit: documents.byteCount))
    }
}
