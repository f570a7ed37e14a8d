import FresnelKernels
import FresnelSystem

// The cursor reads a segment's arrays where they lie, through pointers that its `lists` keep alive.
// Every place in them is checked once a block: blocks of the list, bytes of a block, the last
// document of a block. What is damaged ends the list or gives wrong numbers, never a bad access.

/// A forward iterator over the documents of one term.
///
/// It decodes a block of 128 documents at a time into itself and allocates nothing. Occurrences are
/// decoded only when they are asked for.
@safe
package struct PostingCursor: @unchecked Sendable {
    // Sendable because the memory behind the pointers never changes and lives as long as `lists`.

    /// How many documents the list has in all.
    package let documentCount: Int
    /// The current document; `DocumentNumber.max` behind the last.
    package private(set) var documentNumber: DocumentNumber = .max

    private let lists: PostingLists
    private let blob: UnsafeRawPointer?
    private let blobCount: Int
    private let firstBlock: Int
    private let endBlock: Int
    /// Where the only block begins of a list that is not in the table of blocks; else -1.
    private let onlyStart: Int
    /// The attribute of a simple list.
    private let simple: AttributeOrdinal?
    private var block: Int
    private var index = 0
    private var blockCount = 0
    private var documents = InlineArray<128, UInt32>(repeating: 0)
    /// Where in the blob the occurrences of each document end; valid when `hasOccurrences`.
    private var occurrenceEnds = InlineArray<128, UInt32>(repeating: 0)
    private var hasOccurrences = false
    private var lengthsOffset = 0
    private var occurrencesStart = 0

    init(_ lists: PostingLists, _ term: TermID) {
        self.lists = lists
        let bytes = unsafe lists.blob.unsafeBytes
        unsafe blob = bytes.baseAddress
        blobCount = bytes.count
        guard let place = lists.place(of: term) else {
            (documentCount, firstBlock, endBlock, block) = (0, 0, 0, 0)
            (onlyStart, simple) = (-1, nil)
            return
        }
        documentCount = lists.documentCount(at: place)
        simple = lists.simpleAttribute(at: place)
        guard let blocks = lists.blocks(at: place) else {
            (firstBlock, endBlock, block) = (0, documentCount > 0 ? 1 : 0, 0)
            onlyStart = lists.start(at: place)
            load()
            return
        }
        onlyStart = -1
        firstBlock = blocks.lowerBound
        endBlock = min(blocks.upperBound, firstBlock + (documentCount + 127) / 128)
        block = firstBlock
        load()
    }

    /// Whether the cursor stands behind the last document.
    @inline(__always)
    package var isAtEnd: Bool { documentNumber == .max }

    /// Moves to the next document.
    @inline(__always)
    package mutating func advance() {
        index &+= 1
        if index < blockCount {
            documentNumber = documents[index]
        } else {
            nextBlock()
        }
    }

    /// Moves to the first document at or after `target`; never backwards.
    package mutating func seek(to target: DocumentNumber) {
        guard documentNumber < target else { return }
        guard documents[blockCount &- 1] >= target else { return seekBlock(target) }
        seekInBlock(target)
    }

    /// How often the term occurs in the current document, in all attributes.
    package mutating func frequency() -> Int {
        var count = 0
        scan { (_: Occurrence) in
            count += 1
            return true
        }
        return count
    }

    /// Whether the term occurs in an attribute of the filter in the current document.
    package mutating func occurs(in filter: AttributeFilter) -> Bool {
        var isFound = false
        scan { occurrence in
            isFound = filter.contains(occurrence.attribute)
            return !isFound
        }
        return isFound
    }

    /// Replaces `occurrences` by those of the current document, by (attribute, position).
    package mutating func occurrences(into occurrences: inout [Occurrence]) {
        occurrences.removeAll(keepingCapacity: true)
        scan { occurrence in
            occurrences.append(occurrence)
            return true
        }
    }

    /// Calls `body` with the occurrences of the current document, by (attribute, position).
    @inline(__always)
    mutating func forEachOccurrence(_ body: (Occurrence) -> Void) {
        scan { occurrence in
            body(occurrence)
            return true
        }
    }

    /// The weighted occurrences of the current document in the attributes of a filter, added up by
    /// attribute.
    mutating func weightedOccurrences(
        in filter: AttributeFilter, _ weights: FieldWeights
    ) -> Double {
        var sum = OccurrenceSum()
        let document = documentNumber
        scan { occurrence in
            sum.add(occurrence, of: document, in: filter, weights)
            return true
        }
        return sum.total(of: document, in: filter, weights)
    }
}

extension PostingCursor {
    private mutating func nextBlock() {
        block += 1
        load()
    }

    /// Decodes the documents of `block` and stands on the first; behind the last block, or where
    /// the block is damaged, ends.
    private mutating func load() {
        documentNumber = .max
        index = 0
        blockCount = 0
        hasOccurrences = false
        guard block < endBlock else { return }
        let count = min(128, documentCount - 128 * (block - firstBlock))
        let place =
            onlyStart < 0
            ? lists.blockOffsets.range(block, limit: blobCount) : onlyStart..<blobCount
        let floor = block == firstBlock ? 0 : lists.lastDocuments[block - 1] &+ 1
        var offset = place.lowerBound
        // The blob lives as long as `lists`, and `place` was checked against its length.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: place.upperBound)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        var target = documents.mutableSpan
        guard
            // Checksums are checked when a file is opened: nothing else reports damage here.
            (try? DeltaBlock.decode(bytes, at: &offset, count: count, floor: floor, into: &target))
                != nil, Int(documents[count - 1]) < lists.documentCount
        else { return }
        lengthsOffset = offset
        blockCount = count
        documentNumber = documents[0]
    }

    private mutating func seekBlock(_ target: DocumentNumber) {
        // Mostly the target is near: steps that double, then halves.
        var low = block + 1
        var step = 1
        while low + step < endBlock, lists.lastDocuments[low + step - 1] < target {
            low += step
            step *= 2
        }
        var high = min(endBlock, low + step)
        while low < high {
            let middle = low + (high - low) / 2
            if lists.lastDocuments[middle] < target { low = middle + 1 } else { high = middle }
        }
        block = low
        load()
        if documentNumber < target { seekInBlock(target) }
    }

    private mutating func seekInBlock(_ target: DocumentNumber) {
        var low = index
        var high = blockCount
        while low < high {
            let middle = (low &+ high) &>> 1
            if documents[middle] < target { low = middle &+ 1 } else { high = middle }
        }
        index = low
        guard low < blockCount else { return nextBlock() }
        documentNumber = documents[low]
    }

    /// Calls `body` with the occurrences of the current document until it returns false.
    @inline(__always)
    private mutating func scan(_ body: (Occurrence) -> Bool) {
        guard !isAtEnd else { return }
        if !hasOccurrences { loadOccurrences() }
        let start = index == 0 ? occurrencesStart : Int(occurrenceEnds[index - 1])
        let end = Int(occurrenceEnds[index])
        guard start <= end, end <= blobCount, let blob = unsafe blob else { return }
        // Checked in the line before: the bytes of the document lie inside the blob.
        var reader = unsafe OccurrenceReader(
            blob + start, count: end &- start, simple: simple, isTail: blockCount < 128)
        while let occurrence = reader.next() {
            guard body(occurrence) else { return }
        }
    }

    /// Decodes the lengths of the block's occurrences into places in the blob.
    private mutating func loadOccurrences() {
        hasOccurrences = true
        if simple != nil, blockCount < 128 { return findSimpleEnds() }
        var offset = lengthsOffset
        let count = blockCount
        // As in `load`.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: blobCount)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        var target = occurrenceEnds.mutableSpan
        let isRead =
            // As above: a block that cannot be read was damaged after the file was opened.
            (try? ValueBlock.decode(bytes, at: &offset, count: count, into: &target)) != nil
        occurrencesStart = offset
        var end = UInt32(truncatingIfNeeded: offset)
        guard count < 128 || !isRead else {
            var whole = occurrenceEnds.mutableSpan
            return PrefixSum.block(&whole, from: end, step: 0)
        }
        for place in 0..<count {
            end = isRead ? end &+ occurrenceEnds[place] : end  // a damaged block has none
            occurrenceEnds[place] = end
        }
    }

    /// Finds where the occurrences of each document of a tail end.
    private mutating func findSimpleEnds() {
        let (start, count) = (lengthsOffset, blockCount)
        occurrencesStart = start
        // As in `load`.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: blobCount)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        var target = occurrenceEnds.mutableSpan
        SimpleOccurrences.findEnds(bytes, from: start, count: count, into: &target)
    }
}

/// Reads the occurrences of one document.
@safe
struct OccurrenceReader {
    private let bytes: UnsafeRawPointer
    private let count: Int
    private var offset = 0
    private var former = Occurrence(attribute: 0, element: 0, position: 0)
    private var isFirst = true
    private let isSimple: Bool
    /// What simple positions are shifted by.
    private let shift: UInt32

    /// `count` bytes are there, and stay there while this is used.
    ///
    /// - Parameters:
    ///   - simple: the attribute of a simple list.
    ///   - isTail: whether the block has fewer than 128 documents.
    @unsafe
    init(_ bytes: UnsafeRawPointer, count: Int, simple: AttributeOrdinal?, isTail: Bool) {
        unsafe self.bytes = bytes
        self.count = count
        isSimple = simple != nil
        shift = isTail ? 1 : 0
        former.attribute = simple ?? 0
    }

    /// The next occurrence, or nil at the end; damaged bytes give wrong numbers.
    @inline(__always)
    mutating func next() -> Occurrence? {
        guard offset < count else { return nil }
        let head = integer()
        if isSimple {
            former.position = isFirst ? head &>> shift : former.position &+ 1 &+ head &>> shift
            isFirst = false
            return former
        }
        if head & 1 == 0 {
            former.position = former.position &+ 1 &+ head >> 1
            return former
        }
        let step = AttributeOrdinal(truncatingIfNeeded: head >> 2)
        let isNew = isFirst || step > 0
        isFirst = false
        former.attribute = former.attribute &+ step
        former.element =
            head & 2 != 0
            ? UInt16(truncatingIfNeeded: integer()) : isNew ? 0 : former.element &+ 1
        former.position = integer()
        return former
    }

    @inline(__always)
    private mutating func integer() -> UInt32 {
        guard offset < count else { return 0 }
        // Below `count`, as the line before says.
        let first = unsafe UInt32(bytes.load(fromByteOffset: offset, as: UInt8.self))
        offset &+= 1
        return first < 0x80 ? first : longInteger(first & 0x7F)
    }

    /// The rest of an integer of several bytes.
    private mutating func longInteger(_ first: UInt32) -> UInt32 {
        var value = first
        var shift: UInt32 = 7
        while offset < count {
            // Below `count`, as the loop says.
            let byte = unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
            offset &+= 1
            value |= UInt32(byte & 0x7F) &<< shift
            shift &+= 7
            if byte < 0x80 || shift > 28 { break }
        }
        return value
    }
}
