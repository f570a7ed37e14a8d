import FresnelKernels
import FresnelSystem

// Identifiers in document order, their documents in identifier order, and an open-addressing hash
// table over the order. A segment may hold several versions of a document; they stand next to each
// other in the order, the latest added last. A packed segment has a filter instead of the table,
// and no order where it is that of the documents: what it lacks, nearly always asked for while
// documents come in, costs one look; what it has costs a search by halves. There identifiers stand
// in their own order, in blocks that have once what their sixteen begin with.

/// The unique identifiers of a segment.
///
/// A class, so that looking one up counts one reference, not those of all arrays.
package final class Identifiers: Sendable {
    /// The number of documents.
    let count: Int
    /// The identifier of each document; of none where there are `blocks`.
    let texts: StringList
    /// The identifiers in the order of places; nil where there are `texts`.
    let blocks: TextBlocks?
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

    init(_ table: SectionTable, _ counts: SegmentCounts) throws(SegmentError) {
        let kind = table.first(
            of: .codedIdentifiers, .identifierBlocks, .identifierFilter, else: .identifiers)
        let isFiltered = kind != .identifiers
        let hasBlocks = isFiltered && kind != .identifierFilter
        var reader = try table.reader(of: Section(kind))
        count = counts.documents
        blocks =
            hasBlocks
            ? try TextBlocks(
                &reader, count: counts.documents, isCoded: kind == .codedIdentifiers) : nil
        texts = hasBlocks ? StringList() : try reader.strings(count: counts.documents)
        isSorted = isFiltered ? try reader.count(limit: 1) == 1 : false
        let plainCount = isFiltered ? 0 : counts.documents
        order = try reader.array(count: plainCount)
        ranks = try reader.array(count: plainCount)
        let isFramed = isFiltered && !isSorted
        orderFrames = FramedPlaces(
            numbers: isFramed
                ? try FramedNumbers(&reader, count: counts.documents) : FramedNumbers())
        rankFrames = FramedPlaces(
            numbers: isFramed
                ? try FramedNumbers(&reader, count: counts.documents) : FramedNumbers())
        let wordCount = isFiltered ? try reader.count() : 0
        filter =
            isFiltered ? IdentifierFilter(words: try reader.array(count: wordCount)) : nil
        let slotCount = isFiltered ? 0 : try reader.count()
        guard slotCount & (slotCount - 1) == 0 else {
            throw reader.broken("the slots of the hash table are a power of two")
        }
        slots = try reader.array(count: slotCount)
        try reader.requireEnd()
    }

    /// Calls `body` with the UTF-8 of a document's unique identifier.
    package func withIdentifier<Answer>(
        of document: DocumentNumber, _ body: (Span<UInt8>) -> Answer
    ) -> Answer {
        guard let blocks else {
            let texts = texts
            return body(texts[Int(document)])
        }
        return blocks.withText(Int(rank(of: document)), body)
    }

    /// The UTF-8 of a document's unique identifier, as a copy.
    package func identifier(of document: DocumentNumber) -> [UInt8] {
        withIdentifier(of: document) { [UInt8](copying: $0) }
    }

    /// Below, equal to or above zero as a document's identifier is to other bytes (`ByteOrder`).
    package func compare(_ document: DocumentNumber, _ identifier: Span<UInt8>) -> Int {
        guard let blocks else {
            let texts = texts
            return ByteOrder.compare(texts[Int(document)], identifier)
        }
        return blocks.table.compare(Int(rank(of: document)), identifier)
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
        while place < count {
            let document = document(atRank: UInt32(place))
            guard isKnown(document), compare(document, identifier) == 0 else { break }
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
            if isKnown(document), compare(document, identifier) == 0 {
                return entry - 1
            }
            slot = (slot + 1) & mask
        }
        return nil
    }

    /// Looks by halves, unless the filter excludes the identifier.
    private func firstPlace(of identifier: Span<UInt8>, _ filter: IdentifierFilter) -> Int? {
        guard filter.mayContain(Hash.checksum(of: identifier)) else { return nil }
        if let blocks {
            let place = blocks.table.lowerBound(identifier)
            return place < count ? place : nil
        }
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            let document = document(atRank: UInt32(middle))
            guard isKnown(document) else { return nil }
            if compare(document, identifier) < 0 {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low < count ? low : nil
    }

    private func isKnown(_ document: DocumentNumber) -> Bool { Int(document) < count }
}

extension Identifiers {
    /// The section of a packed segment that has them.
    var kind: SectionKind {
        guard let blocks else { return .identifierFilter }
        return blocks.pieces.count > 0 ? .codedIdentifiers : .identifierBlocks
    }
}
