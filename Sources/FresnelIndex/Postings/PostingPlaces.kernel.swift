import FresnelKernels
import FresnelSystem

// Who met lists knows where in each list a document stands, and needs none of the list's documents
// to read its occurrences: only the lengths of one block. Bounds are checked as the cursor checks
// them, once a block and once a document; what is damaged has no occurrences.

/// The occurrences of one term in documents given by their places in its list.
///
/// Cannot be copied: it has half a kilobyte of a block in itself.
@safe
struct PostingPlaces: ~Copyable, @unchecked Sendable {
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
    /// Its positions, of a simple list of bits; then `ends` count them.
    private var run: PositionRun?
    /// What holds the occurrences: the blob, or the single lists.
    private var memory: UnsafeRawPointer?
    /// The block whose lengths are decoded; -1 for none.
    private var block = -1
    /// Where the occurrences of its first document begin.
    private var start = 0
    /// The bit behind the documents of the last block, if it is shorter and was asked for.
    private var tailEnd: Int?
    /// Where those of each document end.
    private var ends = InlineArray<128, UInt32>(repeating: 0)

    /// - Parameter list: one of the lists.
    init(_ lists: PostingLists, _ list: PostingList) {
        self.lists = lists
        let bytes = unsafe lists.blob.unsafeBytes
        unsafe blob = bytes.baseAddress
        unsafe memory = bytes.baseAddress
        blobCount = bytes.count
        documentCount = list.documentCount
        simple = list.simple
        switch list.form {
        case .single(let entry):
            (blocks, onlyStart, block, size) = (0..<1, -1, 0, 1)
            ends[0] = 1
            guard let singles = lists.packed?.singles else { return }
            run = PositionRun(bit: entry.positionBit, width: singles.positionWidth)
            // They live as long as `lists`, and eight bytes are behind the last.
            unsafe memory = singles.entries.unsafeBytes
        case .block(let start): (blocks, onlyStart) = (0..<1, start)
        case .blocks(let range): (blocks, onlyStart) = (range, -1)
        }
    }

    /// Calls `body` with the occurrences of the document at a place, by (attribute, position).
    ///
    /// - Parameter isDense: as in `positions`.
    @inline(__always)
    mutating func forEachOccurrence(
        at place: Int, isDense: Bool = true, _ body: (Occurrence) -> Void
    ) {
        if lists.isCoded, simple != nil {
            guard var reader = positions(at: place, isDense: isDense) else { return }
            while let occurrence = reader.next() { body(occurrence) }
            return
        }
        guard let (first, end) = ends(at: place), end <= blobCount, let memory = unsafe memory
        else { return }
        // Checked in the line before: the bytes of the document lie inside the blob.
        var reader = unsafe OccurrenceReader(
            memory + first, count: end &- first, simple: simple, isTail: size < 128)
        while let occurrence = reader.next() { body(occurrence) }
    }

    /// Documents of a block from which on decoding it costs less than to find each alone: 1800
    /// instructions, and 470.
    static let denseCount = 4

    /// The attribute of a simple list of bits; nil for other lists.
    var positionAttribute: AttributeOrdinal? { lists.isCoded ? simple : nil }

    /// The positions of the document at a place of a simple list of bits; nil where there are none.
    ///
    /// - Parameter isDense: whether more documents of the block will be asked for, so that it is
    ///   worth being decoded whole (`denseCount`); else they are found alone in a full block.
    @inline(__always)
    mutating func positions(at place: Int, isDense: Bool = true) -> PositionReader? {
        guard place >= 0, place < documentCount, let simple, let memory = unsafe memory else {
            return nil
        }
        let wanted = blocks.lowerBound &+ place / 128
        if wanted != block, !isDense, place | 127 < documentCount {
            guard let (run, places) = positionsAlone(at: place, in: wanted) else { return nil }
            // All of them were found inside the blob.
            return unsafe PositionReader(memory, run, places, of: simple)
        }
        guard let (first, end) = ends(at: place), first < end, let run else { return nil }
        // As many positions are there as the last end says, and ends ascend.
        return unsafe PositionReader(memory, run, first..<end, of: simple)
    }

    @inline(__always)
    private func positionsAlone(
        at place: Int, in wanted: Int
    ) -> (run: PositionRun, places: Range<Int>)? {
        guard blocks.contains(wanted), let blob = unsafe blob else { return nil }
        // The blob lives as long as `lists` and has `blobCount` bytes.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: blobCount)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        return PostingBlocks.documentsEnd(
            bytes, range(ofBlock: wanted), count: 128, isCoded: lists.isCoded
        ).flatMap { PositionRun.positions(bytes, at: $0, index: place & 127) }
    }

    /// Where the occurrences of the document at a place begin and end.
    @inline(__always)
    private mutating func ends(at place: Int) -> (Int, Int)? {
        guard place >= 0, place < documentCount else { return nil }
        let wanted = blocks.lowerBound &+ place / 128
        if wanted != block { load(wanted) }
        let index = place & 127
        let first = index == 0 ? start : Int(ends[index - 1])
        let end = Int(ends[index])
        return first <= end ? (first, end) : nil
    }

    /// The weighted occurrences of the document at a place, as `PostingCursor` adds them up.
    mutating func weightedOccurrences(
        at place: Int, of document: DocumentNumber, in filter: AttributeFilter,
        _ weights: FieldWeights
    ) -> Double {
        if let simple, lists.isCoded {
            guard filter.contains(simple) else { return 0 }
            let count = occurrenceCount(at: place)
            return count > 0 ? weights.weighted(count, in: simple, of: document) : 0
        }
        var sum = OccurrenceSum()
        forEachOccurrence(at: place) { sum.add($0, of: document, in: filter, weights) }
        return sum.total(of: document, in: filter, weights)
    }

    /// How often the term of a simple list of bits occurs in the document at a place.
    ///
    /// In a block that is not decoded it is one number, and no other is looked at.
    private mutating func occurrenceCount(at place: Int) -> Int {
        guard place >= 0, place < documentCount else { return 0 }
        let wanted = blocks.lowerBound &+ place / 128
        guard wanted != block, blocks.contains(wanted), let blob = unsafe blob else {
            guard let (first, end) = ends(at: place) else { return 0 }
            return end &- first
        }
        // The blob lives as long as `lists` and has `blobCount` bytes.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: blobCount)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        let range = range(ofBlock: wanted)
        if place | 127 < documentCount {
            let end = PostingBlocks.documentsEnd(bytes, range, count: 128, isCoded: true)
            return end.map { PositionRun.count(bytes, at: $0, index: place & 127) } ?? 0
        }
        if tailEnd == nil {
            tailEnd = PostingBlocks.documentsEnd(
                bytes, range, count: documentCount & 127, isCoded: true)
        }
        return tailEnd.map {
            PositionRun.shortCount(bytes, from: range.lowerBound, at: $0, index: place & 127)
        } ?? 0
    }

    @inline(__always)
    private func range(ofBlock block: Int) -> Range<Int> {
        onlyStart < 0 ? lists.blockOffsets.range(block, limit: blobCount) : onlyStart..<blobCount
    }

    private mutating func load(_ wanted: Int) {
        block = wanted
        start = 0
        run = nil
        guard blocks.contains(wanted), let blob = unsafe blob else { return empty() }
        let count = min(128, documentCount - 128 * (wanted - blocks.lowerBound))
        size = count
        let place = range(ofBlock: wanted)
        // The blob lives as long as `lists` and has `blobCount` bytes.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: blobCount)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        guard
            let end = PostingBlocks.documentsEnd(
                bytes, place, count: count, isCoded: lists.isCoded)
        else { return empty() }
        let block = OccurrenceBlock(start: place.lowerBound, documentsEnd: end, count: count)
        let (isSimple, isCoded) = (simple != nil, lists.isCoded)
        var target = ends.mutableSpan
        let found = block.find(bytes, isSimple: isSimple, isCoded: isCoded, ends: &target)
        start = found.start
        run = found.run
    }

    private mutating func empty() {
        for place in 0..<128 { ends[place] = 0 }
    }
}
