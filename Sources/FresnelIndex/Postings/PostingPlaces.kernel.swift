import FresnelKernels
import FresnelSystem

// Who met lists knows where in each list a document stands, and needs none of the list's documents
// to read its occurrences: only the lengths of one block. Bounds are checked as the cursor checks
// them, once a block and once a document; what is damaged has no occurrences.

/// The occurrences of one term in documents given by their places in its list.
@safe
struct PostingPlaces: @unchecked Sendable {
    // Sendable because the memory behind the pointer never changes and lives as long as `lists`.

    private let lists: PostingLists
    private let blob: UnsafeRawPointer?
    private let blobCount: Int
    private let documentCount: Int
    private let blocks: Range<Int>
    /// Where the only block begins of a list that is not in the table of blocks; else -1.
    private let onlyStart: Int
    /// The attribute of a simple list.
    private let simple: AttributeOrdinal?
    /// The documents of the block whose lengths are decoded.
    private var size = 0
    /// The block whose lengths are decoded; -1 for none.
    private var block = -1
    /// Where the occurrences of its first document begin.
    private var start = 0
    /// Where those of each document end.
    private var ends = InlineArray<128, UInt32>(repeating: 0)

    init(_ lists: PostingLists, _ term: TermID) {
        self.lists = lists
        let bytes = unsafe lists.blob.unsafeBytes
        unsafe blob = bytes.baseAddress
        blobCount = bytes.count
        guard let place = lists.place(of: term) else {
            (documentCount, blocks) = (0, 0..<0)
            (onlyStart, simple) = (-1, nil)
            return
        }
        documentCount = lists.documentCount(at: place)
        simple = lists.simpleAttribute(at: place)
        if let blocks = lists.blocks(at: place) {
            self.blocks = blocks
            onlyStart = -1
        } else {
            blocks = 0..<1
            onlyStart = lists.start(at: place)
        }
    }

    /// Calls `body` with the occurrences of the document at a place, by (attribute, position).
    @inline(__always)
    mutating func forEachOccurrence(at place: Int, _ body: (Occurrence) -> Void) {
        guard place >= 0, place < documentCount else { return }
        let wanted = blocks.lowerBound &+ place / 128
        if wanted != block { load(wanted) }
        let index = place & 127
        let first = index == 0 ? start : Int(ends[index - 1])
        let end = Int(ends[index])
        guard first <= end, end <= blobCount, let blob = unsafe blob else { return }
        // Checked in the line before: the bytes of the document lie inside the blob.
        var reader = unsafe OccurrenceReader(
            blob + first, count: end &- first, simple: simple, isTail: size < 128)
        while let occurrence = reader.next() { body(occurrence) }
    }

    /// The weighted occurrences of the document at a place, as `PostingCursor` adds them up.
    mutating func weightedOccurrences(
        at place: Int, of document: DocumentNumber, in filter: AttributeFilter,
        _ weights: FieldWeights
    ) -> Double {
        var sum = OccurrenceSum()
        forEachOccurrence(at: place) { sum.add($0, of: document, in: filter, weights) }
        return sum.total(of: document, in: filter, weights)
    }

    private mutating func load(_ wanted: Int) {
        block = wanted
        start = 0
        guard blocks.contains(wanted), let blob = unsafe blob else { return empty() }
        let count = min(128, documentCount - 128 * (wanted - blocks.lowerBound))
        size = count
        let place =
            onlyStart < 0
            ? lists.blockOffsets.range(wanted, limit: blobCount) : onlyStart..<blobCount
        // The blob lives as long as `lists` and has `blobCount` bytes.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: blobCount)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        var offset = place.lowerBound
        guard Self.skipDocuments(bytes, at: &offset, count: count) else { return empty() }
        if simple != nil, count < 128 {
            start = offset
            var target = ends.mutableSpan
            return SimpleOccurrences.findEnds(bytes, from: offset, count: count, into: &target)
        }
        var lengths = ends.mutableSpan
        // Checksums are checked when a file is opened: nothing else reports damage here.
        let width = try? ValueBlock.decode(bytes, at: &offset, count: count, into: &lengths)
        guard width != nil else { return empty() }
        start = offset
        sumUp(count)
    }

    private mutating func sumUp(_ count: Int) {
        var end = UInt32(truncatingIfNeeded: start)
        if count == 128 {
            var whole = ends.mutableSpan
            return PrefixSum.block(&whole, from: end, step: 0)
        }
        for place in 0..<count {
            end = end &+ ends[place]
            ends[place] = end
        }
    }

    private mutating func empty() {
        for place in 0..<128 { ends[place] = 0 }
    }

    /// Passes over the document numbers of a block; false when they are not there.
    private static func skipDocuments(
        _ bytes: Span<UInt8>, at offset: inout Int, count: Int
    ) -> Bool {
        if count == 128 {
            // As above: only damage after opening is met here.
            guard let length = try? ValueBlock.fullBlockLength(bytes, at: offset) else {
                return false
            }
            offset += length
            return true
        }
        var left = count
        while left > 0 {
            guard offset < bytes.count else { return false }
            if bytes[offset] < 0x80 { left -= 1 }
            offset += 1
        }
        return true
    }
}

/// Adds up the weighted occurrences of one document, attribute by attribute.
struct OccurrenceSum {
    private var sum = 0.0
    private var attribute = AttributeOrdinal.max
    private var count = 0

    /// Takes an occurrence, which comes in the order of the attributes.
    @inline(__always)
    mutating func add(
        _ occurrence: Occurrence, of document: DocumentNumber, in filter: AttributeFilter,
        _ weights: FieldWeights
    ) {
        if occurrence.attribute == attribute {
            count &+= 1
            return
        }
        sum = total(of: document, in: filter, weights)
        attribute = occurrence.attribute
        count = 1
    }

    /// The sum so far.
    @inline(__always)
    func total(
        of document: DocumentNumber, in filter: AttributeFilter, _ weights: FieldWeights
    ) -> Double {
        guard count > 0, filter.contains(attribute) else { return sum }
        return sum + weights.weighted(count, in: attribute, of: document)
    }
}
