import FresnelKernels

// Identifiers in document order, their documents in identifier order, and an open-addressing hash
// table over the order. A segment may hold several versions of a document; they stand next to each
// other in the order, the latest added last. A packed segment has a filter instead of the table,
// and no order where it is that of the documents: what it lacks, nearly always asked for while
// documents come in, costs one look; what it has costs a search by halves.

/// The unique identifiers of a segment.
package struct Identifiers: Sendable {
    /// The identifier of each document.
    let texts: StringList
    /// Whether the documents ascend by (identifier bytes, document number), as places do.
    let isSorted: Bool
    /// The documents, ascending by (identifier bytes, document number); empty when they are sorted.
    let order: PackedArray<UInt32>
    /// The place of each document in `order`; empty when they are sorted.
    let ranks: PackedArray<UInt32>
    /// The same as `order` and `ranks` in a packed segment.
    let orderFrames: FramedPlaces
    let rankFrames: FramedPlaces
    /// Open addressing: 1 + the place of an identifier's first version, 0 for free; power of two.
    let slots: PackedArray<UInt32>
    /// Which identifiers may be here; nil when there are slots.
    let filter: IdentifierFilter?

    /// The UTF-8 of a document's unique identifier.
    @_lifetime(borrow self)
    package borrowing func identifier(of document: DocumentNumber) -> Span<UInt8> {
        texts[Int(document)]
    }

    /// The place of a document when the segment is sorted by the bytes of unique identifiers.
    @inline(__always)
    package func rank(of document: DocumentNumber) -> UInt32 {
        if isSorted { return document }
        return filter == nil ? ranks[Int(document)] : rankFrames[Int(document)]
    }

    /// The document at a place of that order.
    @inline(__always)
    package func document(atRank rank: UInt32) -> DocumentNumber {
        if isSorted { return rank }
        return filter == nil ? order[Int(rank)] : orderFrames[Int(rank)]
    }

    /// The documents with an identifier, in the order they were added; mostly none or one.
    package func documents(withIdentifier identifier: Span<UInt8>) -> [DocumentNumber] {
        guard var place = firstPlace(of: identifier) else { return [] }
        var found: [DocumentNumber] = []
        while place < texts.count {
            let document = document(atRank: UInt32(place))
            guard isKnown(document), ByteOrder.compare(texts[Int(document)], identifier) == 0
            else { break }
            found.append(document)
            place += 1
        }
        return found
    }

    private func firstPlace(of identifier: Span<UInt8>) -> Int? {
        if let filter { return firstPlace(of: identifier, filter) }
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

    /// Looks by halves, unless the filter excludes the identifier.
    private func firstPlace(of identifier: Span<UInt8>, _ filter: IdentifierFilter) -> Int? {
        guard filter.mayContain(Hash.checksum(of: identifier)) else { return nil }
        var (low, high) = (0, texts.count)
        while low < high {
            let middle = low + (high - low) / 2
            let document = document(atRank: UInt32(middle))
            guard isKnown(document) else { return nil }
            if ByteOrder.compare(texts[Int(document)], identifier) < 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < texts.count ? low : nil
    }

    private func isKnown(_ document: DocumentNumber) -> Bool { Int(document) < texts.count }
}
