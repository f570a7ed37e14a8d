/// When each document of a segment was made and when it ends.
///
/// Deletions are not here: they happen after the segment was written. The replica keeps them.
package struct DocumentVersions: Sendable {
    /// The sequence number of the batch that made each document.
    package let createdSequences: PackedArray<UInt64>
    /// Seconds since 2001 at which each document expires; `+infinity` for never.
    package let expirations: PackedArray<Double>
    /// The least created sequence of all; 0 for no documents.
    package let firstSequence: UInt64
    /// The greatest created sequence of all; 0 for no documents.
    package let lastSequence: UInt64
    /// The earliest expiration of all; `+infinity` when nothing expires.
    package let firstExpiration: Double

    /// The sequence number of the batch that made a document.
    package func createdSequence(of document: DocumentNumber) -> UInt64 {
        createdSequences[Int(document)]
    }

    /// Seconds since 2001 at which a document expires.
    package func expiration(of document: DocumentNumber) -> Double {
        expirations[Int(document)]
    }
}
