package import FresnelKernels

// The documents that have an attribute, and the rows of its columns. Where many documents have the
// attribute the set is a bit per document and row = document number; where few have it the set is
// a sorted list and row = place in the list. All columns of the attribute share the rows.

/// Which documents have a value of one attribute.
package struct Presence: Sendable {
    /// The documents of the segment.
    package let documentCount: Int
    /// The documents that have a value.
    package let count: Int
    /// A bit per document; empty when `list` is used, and in packed segments when all documents
    /// have a value.
    let words: PackedArray<UInt64>
    /// The documents, ascending; empty when `words` is used.
    let list: PackedArray<UInt32>
    /// Whether row numbers are document numbers.
    package let isDense: Bool

    /// The rows of the attribute's columns.
    package var rowCount: Int { isDense ? documentCount : count }

    /// Whether a document has a value.
    package func contains(_ document: DocumentNumber) -> Bool {
        guard isDense, words.count > 0 else { return row(of: document) != nil }
        let word = Int(document >> 6)
        return word < words.count && words[word] & (1 &<< UInt64(document & 63)) != 0
    }

    /// The row of a document; nil when it surely has no value.
    ///
    /// A dense attribute has a row for every document, also for those without a value.
    package func row(of document: DocumentNumber) -> Int? {
        guard !isDense else { return Int(document) < documentCount ? Int(document) : nil }
        let row = Bisection.end(from: 0, to: list.count) { list[$0] < document }
        return row < list.count && list[row] == document ? row : nil
    }

    /// The document of a row; `row` is in 0..<`rowCount`.
    package func document(ofRow row: Int) -> DocumentNumber {
        isDense ? DocumentNumber(row) : list[row]
    }

    /// Adds the documents that have a value to a set of `documentCount` bits.
    package func insert(
        into documents: inout Bitset, control: SearchControl? = nil
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        guard isDense else { return try documents.insertKnown(list.span, &pace) }
        guard words.count > 0 else {
            return documents.formUnion(Bitset(count: documentCount, filled: true))
        }
        var mine: [UInt64] = []
        mine.reserveCapacity(words.count)
        for word in 0..<words.count {
            try pace.step(64)
            mine.append(words[word])
        }
        documents.formUnion(Bitset(words: mine, count: documentCount))
    }
}

extension Bitset {
    /// Sets the numbers of a list that lie inside; a damaged list has others.
    mutating func insertKnown(_ numbers: Span<UInt32>) {
        for index in numbers.indices where Int(numbers[index]) < count {
            insert(Int(numbers[index]))
        }
    }

    /// The same for a search, which may be called off.
    mutating func insertKnown(
        _ numbers: Span<UInt32>, _ pace: inout CheckPace
    ) throws(SearchStop) {
        for index in numbers.indices where Int(numbers[index]) < count {
            try pace.step()
            insert(Int(numbers[index]))
        }
    }
}
