package import FresnelKernels
import FresnelSystem

// One list per term across all attributes. A list is cut into blocks of 128 documents; every block
// has its greatest document number and its place in a table, so that seeking touches no postings.
// A block holds the document numbers (`DeltaBlock`), the byte length of each document's occurrences
// (`ValueBlock`), then the occurrences (`OccurrenceCoding`).

/// The postings of all terms of a segment.
package struct PostingLists: Sendable {
    /// The documents of the segment.
    let documentCount: Int
    /// How many documents have each term.
    let documentCounts: PackedArray<UInt32>
    /// The first block of each term, and behind the last.
    let firstBlocks: PackedArray<UInt32>
    /// The attributes of each term (`AttributeFilter`).
    let masks: PackedArray<UInt64>
    /// The greatest document number of each block.
    let lastDocuments: PackedArray<UInt32>
    /// Where each block begins, and where the last ends.
    let blockOffsets: PackedArray<UInt32>
    let blob: SharedBytes

    /// How many documents have a term, in any attribute.
    package func documentCount(of term: TermID) -> Int { Int(documentCounts[Int(term)]) }

    /// The attributes in which a term occurs, as a mask for `AttributeFilter`.
    package func attributeMask(of term: TermID) -> UInt64 { masks[Int(term)] }

    /// A cursor on the first document of a term.
    package func cursor(for term: TermID) -> PostingCursor { PostingCursor(self, term) }

    /// Appends the documents that have a term in an attribute of the filter, ascending.
    package func appendDocuments(
        of term: TermID, in filter: AttributeFilter? = nil, to documents: inout [DocumentNumber],
        control: SearchControl? = nil
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        try appendDocuments(of: term, in: filter, to: &documents, &pace)
    }

    /// Adds the documents that have a term in an attribute of the filter to a set.
    package func insertDocuments(
        of term: TermID, in filter: AttributeFilter? = nil, into set: inout Bitset,
        control: SearchControl? = nil
    ) throws(SearchStop) {
        var pace = CheckPace(control)
        try insertDocuments(of: term, in: filter, into: &set, &pace)
    }

    func appendDocuments(
        of term: TermID, in filter: AttributeFilter?, to documents: inout [DocumentNumber],
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard mayMeet(filter, term) else { return }
        var cursor = cursor(for: term)
        guard let filter, !filter.covers(attributeMask(of: term)) else {
            while !cursor.isAtEnd {
                try pace.step(PostingCursor.blockLength)
                cursor.appendBlock(to: &documents)
            }
            return
        }
        while !cursor.isAtEnd {
            try pace.step()
            if cursor.occurs(in: filter) { documents.append(cursor.documentNumber) }
            cursor.advance()
        }
    }

    func insertDocuments(
        of term: TermID, in filter: AttributeFilter?, into set: inout Bitset,
        _ pace: inout CheckPace
    ) throws(SearchStop) {
        guard mayMeet(filter, term) else { return }
        var cursor = cursor(for: term)
        guard let filter, !filter.covers(attributeMask(of: term)) else {
            while !cursor.isAtEnd {
                try pace.step(PostingCursor.blockLength)
                cursor.insertBlock(into: &set)
            }
            return
        }
        while !cursor.isAtEnd {
            try pace.step()
            if cursor.occurs(in: filter) { set.insert(Int(cursor.documentNumber)) }
            cursor.advance()
        }
    }

    private func mayMeet(_ filter: AttributeFilter?, _ term: TermID) -> Bool {
        filter?.mayMeet(attributeMask(of: term)) ?? true
    }
}
