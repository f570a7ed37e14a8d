/// A document as it is stored, and where.
package struct StoredDocument: Sendable {
    /// Its index.
    package let index: IndexName
    /// The document, with all its attributes.
    package let document: Document
    /// When it vanishes, by its own date or its index's rule; nil where a worker does not say.
    package let expiration: DocumentExpiration?
}
