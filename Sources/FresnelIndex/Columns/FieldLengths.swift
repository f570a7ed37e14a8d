/// How many tokens each document has in one attribute, for BM25F.
package struct FieldLengths: Sendable {
    let presence: Presence
    /// Tokens per row, at most `UInt16.max`.
    let lengths: PackedArray<UInt16>

    /// The tokens of a document, all elements together; saturates at 65 535; 0 without a value.
    package func length(of document: DocumentNumber) -> Int {
        guard let row = presence.row(of: document), row < lengths.count else { return 0 }
        return Int(lengths[row])
    }
}
