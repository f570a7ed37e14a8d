// Every element of a text attribute is in the column whole, whatever its length, so that a rank
// decides whole-value patterns, order and grouping exactly. The exception is text content
// (`textContent`, `HTMLContentData`, `transcribedTextContent`): it has no column; patterns on it
// are decided by terms, or on the stored document.

/// The texts of one attribute: a dictionary, ranks by document, documents by rank.
package struct StringColumn: Sendable {
    /// The distinct element values.
    package let values: SortedTexts
    /// Which documents have the attribute; rows are numbered by it.
    package let presence: Presence
    /// Whether some document has more than one element.
    package var isMultiValued: Bool { rowOffsets.count > 0 }

    /// Where each row begins in `ranks`, and where the last ends; empty for one rank a row.
    let rowOffsets: PackedArray<UInt32>
    /// The ranks of each row's elements, in the order of the elements.
    let ranks: PackedArray<UInt32>
    /// Where the documents of each rank begin, and where the last end.
    let documentOffsets: PackedArray<UInt32>
    /// The documents of each rank, ascending and distinct.
    let documents: PackedArray<UInt32>

    /// Stands for "no value" in a row of a column that has one rank a row.
    package static let noRank = ValueRank.max

    /// The ranks of a document's elements, in the order of the elements; repeated where they are.
    @_lifetime(borrow self)
    package borrowing func ranks(of document: DocumentNumber) -> Span<ValueRank> {
        guard let row = presence.row(of: document) else { return ranks.span.extracting(0..<0) }
        return ranks.span.extracting(range(ofRow: row))
    }

    /// The documents that have a value, ascending.
    @_lifetime(borrow self)
    package borrowing func documents(of rank: ValueRank) -> Span<DocumentNumber> {
        documents.span.extracting(documentOffsets.range(Int(rank), limit: documents.count))
    }

    /// How many documents have a value.
    package func documentCount(of rank: ValueRank) -> Int {
        documentOffsets.range(Int(rank), limit: documents.count).count
    }

    @inline(__always)
    private func range(ofRow row: Int) -> Range<Int> {
        if isMultiValued { return rowOffsets.range(row, limit: ranks.count) }
        return row < ranks.count && ranks[row] != Self.noRank ? row..<row + 1 : 0..<0
    }
}
