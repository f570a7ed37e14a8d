package import FresnelModel
package import FresnelWire

/// A document on its way into a segment.
package struct IncomingDocument: Sendable {
    /// What is stored, and what is indexed.
    package enum Form: Sendable {
        /// A document, and its encoding; in memory of its own, because the other ones, nearly all,
        /// are half as large and are copied some times on their way.
        indirect case decoded(Document, encoded: [UInt8])
        /// A document that is indexed from its encoding, which stands in the bytes at the place.
        case plain(PlainDocument, [UInt8], Range<Int>)
    }

    package var form: Form
    /// The sequence number of the batch that made it.
    package var createdSequence: UInt64
    /// Seconds since 2001 at which it expires; `+infinity` for never.
    package var expiration: Double

    package init(_ form: Form, createdSequence: UInt64, expiration: Double) {
        self.form = form
        self.createdSequence = createdSequence
        self.expiration = expiration
    }

    package init(
        encoded: [UInt8], document: Document, createdSequence: UInt64,
        expiration: Double = .infinity
    ) {
        self.init(
            .decoded(document, encoded: encoded), createdSequence: createdSequence,
            expiration: expiration)
    }
}

extension IncomingDocument.Form {
    /// How many bytes are stored.
    var byteCount: Int {
        switch self {
        case .decoded(_, let encoded): encoded.count
        case .plain(_, _, let place): place.count
        }
    }

    /// Calls `body` with the identifier's UTF-8.
    func withIdentifier<Answer>(_ body: (Span<UInt8>) -> Answer) -> Answer {
        switch self {
        case .decoded(let document, _):
            let identifier = document.uniqueIdentifier.utf8
            return body(identifier.span)
        case .plain(let document, let bytes, _):
            return body(bytes.span.extracting(document.identifier))
        }
    }

    /// Calls `body` with what is stored.
    func withEncoded(_ body: (Span<UInt8>) -> Void) {
        switch self {
        case .decoded(_, let encoded): body(encoded.span)
        case .plain(_, let bytes, let place): body(bytes.span.extracting(place))
        }
    }
}
