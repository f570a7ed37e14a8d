import FresnelKernels

// Identifiers in document order, their documents in identifier order, and an open-addressing hash
// table over the order. A segment may hold several versions of a document; they stand next to each
// other in the order, the latest added last.

/// The unique identifiers of a segment.
package struct Identifiers: Sendable {
    /// The identifier of each document.
    let texts: StringList
    /// The documents, ascending by (identifier bytes, document number).
    let order: PackedArray<UInt32>
    /// The place of each document in `order`.
    let ranks: PackedArray<UInt32>
    /// Open addressing: 1 + the place of an identifier's first version, 0 for free; power of two.
    let slots: PackedArray<UInt32>

    /// The UTF-8 of a document's unique identifier.
    @_lifetime(borrow self)
    package borrowing func identifier(of document: DocumentNumber) -> Span<UInt8> {
        texts[Int(document)]
    }

    /// The place of a document when the segment is sorted by the bytes of unique identifiers.
    package func rank(of document: DocumentNumber) -> UInt32 { ranks[Int(document)] }

    /// The document at a place of that order.
    package func document(atRank rank: UInt32) -> DocumentNumber { order[Int(rank)] }

    /// The documents with an identifier, in the order they were added; mostly none or one.
    package func documents(withIdentifier identifier: Span<UInt8>) -> [DocumentNumber] {
        guard var place = firstPlace(of: identifier) else { return [] }
        var found: [DocumentNumber] = []
        while place < order.count {
            let document = order[place]
            guard isKnown(document), ByteOrder.compare(texts[Int(document)], identifier) == 0
            else { break }
            found.append(document)
            place += 1
        }
        return found
    }

    private func firstPlace(of identifier: Span<UInt8>) -> Int? {
        guard slots.count > 0 else { return nil }
        let mask = slots.count - 1
        var slot = Int(truncatingIfNeeded: Hash.checksum(of: identifier)) & mask
        for _ in 0..<slots.count {
            let entry = Int(slots[slot])
            guard entry > 0, entry <= order.count else { return nil }
            let document = order[entry - 1]
            if isKnown(document), ByteOrder.compare(texts[Int(document)], identifier) == 0 {
                return entry - 1
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private func isKnown(_ document: DocumentNumber) -> Bool { Int(document) < texts.count }
}
