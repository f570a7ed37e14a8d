package import FresnelModel

/// A document on its way into a segment.
package struct IncomingDocument: Sendable {
    /// The document as encoded for the wire; stored as it is.
    package var encoded: [UInt8]
    /// The same document decoded; what is indexed.
    package var document: Document
    /// The sequence number of the batch that made it.
    package var createdSequence: UInt64
    /// Seconds since 2001 at which it expires; `+infinity` for never.
    package var expiration: Double

    package init(
        encoded: [UInt8], document: Document, createdSequence: UInt64,
        expiration: Double = .infinity
    ) {
        self.encoded = encoded
        self.document = document
        self.createdSequence = createdSequence
        self.expiration = expiration
    }
}
