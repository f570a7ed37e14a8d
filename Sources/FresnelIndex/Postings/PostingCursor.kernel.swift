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
    package private(set) var documentCount = 0
    /// The current document; `DocumentNumber.max` behind the last.
    package private(set) var documentNumber: DocumentNumber = .max

    private let lists: PostingLists
    private let blob: UnsafeRawPointer?
    private let blobCount: Int
    private var firstBlock = 0
    private var endBlock = 0
    /// Where the only block begins of a list that is not in the table of blocks; else -1.
    private var onlyStart = -1
    /// The attribute of a simple list.
    private var simple: AttributeOrdinal?
    private var block = 0
    private var index = 0
    private var blockCount = 0
    private var documents = InlineArray<128, UInt32>(repeating: 0)
    /// Where in the blob the occurrences of each document end; valid when `hasOccurrences`.
    private var occurrenceEnds = InlineArray<128, UInt32>(repeating: 0)
    private var hasOccurrences = false
    /// Where the block begins, and the bit behind its documents.
    private var start = 0
    private var documentsEnd = 0
    private var occurrencesStart = 0
    /// The positions of the block of a simple list of bits; then `occurrenceEnds` count them.
    private var run: PositionRun?
    /// What holds the occurrences: the blob, or the single lists.
    private var memory: UnsafeRawPointer?

    init(_ lists: PostingLists, _ term: TermID) {
        self.init(lists)
        stand(at: term)
    }

    /// A cursor on the first document of one of the lists.
    init(_ lists: PostingLists, _ list: PostingList) {
        self.init(lists)
        stand(at: list)
    }

    /// A cursor behind the last document of no list.
    init(_ lists: PostingLists) {
        self.lists = lists
        let bytes = unsafe lists.blob.unsafeBytes
        unsafe blob = bytes.baseAddress
        unsafe memory = bytes.baseAddress
        blobCount = bytes.count
    }

    /// Moves to the first document of another term.
    mutating func stand(at term: TermID) { stand(at: lists.list(of: term)) }

    /// Moves to the first document of another list.
    mutating func stand(at list: PostingList) {
        (documentNumber, blockCount, index, run) = (.max, 0, 0, nil)
        (documentCount, firstBlock, endBlock, block) = (0, 0, 0, 0)
        (onlyStart, simple, hasOccurrences, occurrencesStart) = (-1, nil, false, 0)
        unsafe memory = blob
        documentCount = list.documentCount
        simple = list.simple
        switch list.form {
        case .single(let entry):
            if documentCount > 0 { stand(on: entry) }
        case .block(let start):
            endBlock = documentCount > 0 ? 1 : 0
            onlyStart = start
            load()
        case .blocks(let blocks):
            firstBlock = blocks.lowerBound
            endBlock = min(blocks.upperBound, firstBlock + (documentCount + 127) / 128)
            block = firstBlock
            load()
        }
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
        if let simple, lists.isCoded {
            guard filter.contains(simple) else { return 0 }
            let count = occurrenceCount
            return count > 0 ? weights.weighted(count, in: simple, of: documentNumber) : 0
        }
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
    /// Stands on the document of a single list.
    private mutating func stand(on entry: SingleLists.Entry) {
        blockCount = 1
        documents[0] = entry.document
        documentNumber = entry.document
        occurrenceEnds[0] = 1
        hasOccurrences = true
        guard let singles = lists.packed?.singles else { return }
        run = PositionRun(bit: entry.positionBit, width: singles.positionWidth)
        // They live as long as `lists`, and eight bytes are behind the last.
        unsafe memory = singles.entries.unsafeBytes
    }

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
        let floor =
            block == firstBlock ? 0 : min(.max / 2, lists.lastDocuments[block - 1]) &+ 1
        // The blob lives as long as `lists`.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: blobCount)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        let list = PostingBlocks.List(
            blob: bytes, offsets: Span(), count: count, limit: lists.documentCount,
            isCoded: lists.isCoded)
        var target = documents.mutableSpan
        guard
            let end = PostingBlocks.decode(
                list, place, count: count, floor: floor, into: &target)
        else { return }
        start = place.lowerBound
        documentsEnd = end
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

    /// How often the term of a simple list of bits occurs in the current document.
    private var occurrenceCount: Int {
        mutating get {
            guard !isAtEnd else { return 0 }
            if !hasOccurrences { loadOccurrences() }
            let start = index == 0 ? 0 : occurrenceEnds[index - 1]
            return max(0, Int(occurrenceEnds[index]) - Int(start))
        }
    }

    /// Calls `body` with the occurrences of the current document until it returns false.
    @inline(__always)
    private mutating func scan(_ body: (Occurrence) -> Bool) {
        guard !isAtEnd else { return }
        if !hasOccurrences { loadOccurrences() }
        let start = index == 0 ? occurrencesStart : Int(occurrenceEnds[index - 1])
        let end = Int(occurrenceEnds[index])
        guard start <= end, let memory = unsafe memory else { return }
        if let run, let simple {
            // As many positions are there as the last end says, and ends ascend.
            var reader = unsafe PositionReader(memory, run, start..<end, of: simple)
            while let occurrence = reader.next() {
                guard body(occurrence) else { return }
            }
            return
        }
        guard end <= blobCount else { return }
        // Checked in the line before: the bytes of the document lie inside the blob.
        var reader = unsafe OccurrenceReader(
            memory + start, count: end &- start, simple: simple, isTail: blockCount < 128)
        while let occurrence = reader.next() {
            guard body(occurrence) else { return }
        }
    }

    /// Finds where in the block the occurrences of each document end.
    private mutating func loadOccurrences() {
        hasOccurrences = true
        // As in `load`.
        let buffer = unsafe UnsafeRawBufferPointer(start: blob, count: blobCount)
        let bytes = unsafe Span<UInt8>(_unsafeBytes: buffer)
        let block = OccurrenceBlock(start: start, documentsEnd: documentsEnd, count: blockCount)
        let (isSimple, isCoded) = (simple != nil, lists.isCoded)
        var target = occurrenceEnds.mutableSpan
        let found = block.find(bytes, isSimple: isSimple, isCoded: isCoded, ends: &target)
        occurrencesStart = found.start
        run = found.run
    }
}
