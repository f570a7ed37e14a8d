import FresnelKernels
import FresnelSystem

/// A forward iterator over the documents of one term.
///
/// It decodes a block of 128 documents at a time into itself and allocates nothing. Occurrences are
/// decoded only when they are asked for.
package struct PostingCursor: Sendable {
    /// How many documents the list has in all.
    package let documentCount: Int
    /// The current document; `DocumentNumber.max` behind the last.
    package private(set) var documentNumber: DocumentNumber = .max

    private let lists: PostingLists
    private let firstBlock: Int
    private let endBlock: Int
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
        let blocks = lists.firstBlocks.range(Int(term), limit: lists.lastDocuments.count)
        documentCount = lists.documentCount(of: term)
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
        guard lists.lastDocuments[block] >= target else { return seekBlock(target) }
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

    /// Documents of a full block.
    static let blockLength = 128

    /// Appends the current document and those behind it in its block, and moves behind them.
    mutating func appendBlock(to numbers: inout [DocumentNumber]) {
        for place in index..<blockCount { numbers.append(documents[place]) }
        nextBlock()
    }

    /// Adds the current document and those behind it in its block, and moves behind them.
    mutating func insertBlock(into set: inout Bitset) {
        set.insert(documents.span.extracting(index..<blockCount))
        nextBlock()
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
        let place = lists.blockOffsets.range(block, limit: lists.blob.count)
        let floor = block == firstBlock ? 0 : lists.lastDocuments[block - 1] &+ 1
        var offset = place.lowerBound
        let blob = lists.blob
        let bytes = blob.bytes.extracting(first: place.upperBound)
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
        var low = block + 1
        var high = endBlock
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
            let middle = low + (high - low) / 2
            if documents[middle] < target { low = middle + 1 } else { high = middle }
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
        guard start <= end, end <= lists.blob.count else { return }
        var reader = OccurrenceReader(lists.blob.bytes.extracting(start..<end))
        while let occurrence = reader.next() {
            guard body(occurrence) else { return }
        }
    }

    /// Decodes the lengths of the block's occurrences into places in the blob.
    private mutating func loadOccurrences() {
        hasOccurrences = true
        var offset = lengthsOffset
        let blob = lists.blob
        let count = blockCount
        var target = occurrenceEnds.mutableSpan
        let isRead =
            // As above: a block that cannot be read was damaged after the file was opened.
            (try? ValueBlock.decode(blob.bytes, at: &offset, count: count, into: &target)) != nil
        occurrencesStart = offset
        var end = UInt32(truncatingIfNeeded: offset)
        for place in 0..<count {
            end = isRead ? end &+ occurrenceEnds[place] : end  // a damaged block has none
            occurrenceEnds[place] = end
        }
    }
}
