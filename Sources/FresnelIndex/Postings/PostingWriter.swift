import FresnelKernels

/// Writes the postings of all terms, term by term and document by document, ascending.
struct PostingWriter {
    /// Whether lists are those of a packed segment: single ones aside, simple ones and short
    /// blocks as bits.
    var isPacked = false
    private(set) var documentCounts: [UInt32] = []
    private(set) var firstBlocks: [UInt32] = [0]
    private(set) var masks: [UInt64] = []
    /// Whether each list is simple.
    private(set) var isSimple: [Bool] = []
    /// The lists of a single occurrence, which have no block.
    private(set) var singles = SingleListContents()
    private(set) var lastDocuments: [UInt32] = []
    private(set) var blockOffsets: [UInt32] = [0]
    private(set) var blob: [UInt8] = []

    /// Documents of the open term.
    private(set) var count: UInt32 = 0
    private var mask: UInt64 = 0
    private var block = PostingBlockWriter()
    /// The open term of a packed segment: what it is decides how it is written.
    private var open = OpenPostings()

    /// Adds a document to the open term; its occurrences follow.
    mutating func beginDocument(_ document: DocumentNumber) {
        count += 1
        guard !isPacked else { return open.beginDocument(document) }
        if block.isFull { closeBlock() }
        block.beginDocument(document)
    }

    /// Adds an occurrence to the open document, after those before it by (attribute, position).
    mutating func append(_ occurrence: Occurrence) {
        mask |= AttributeFilter.bit(of: occurrence.attribute)
        guard !isPacked else { return open.append(occurrence) }
        block.append(occurrence)
    }

    /// Ends the open term; the next one begins.
    mutating func endTerm() {
        let isSimple = isPacked && open.isSimple(mask)
        if isSimple, let (document, occurrence) = open.single {
            singles.append(documentCounts.count, document, occurrence)
            open.removeAll()
        } else if isPacked {
            writeOpen(isSimple)
        }
        if block.lastDocument != nil { closeBlock() }
        documentCounts.append(count)
        firstBlocks.append(UInt32(lastDocuments.count))
        masks.append(mask)
        self.isSimple.append(isSimple)
        count = 0
        mask = 0
    }

    private mutating func closeBlock() {
        guard let last = block.lastDocument else { return }
        block.write(floor: floor, isCoded: isPacked, to: &blob)
        endBlock(last)
    }

    /// The least document the next block could have.
    private var floor: DocumentNumber {
        let isFirst = lastDocuments.count == Int(firstBlocks[firstBlocks.count - 1])
        return isFirst ? 0 : lastDocuments[lastDocuments.count - 1] + 1
    }

    private mutating func endBlock(_ last: DocumentNumber) {
        lastDocuments.append(last)
        blockOffsets.append(UInt32(truncatingIfNeeded: blob.count))
    }

    private mutating func writeOpen(_ isSimple: Bool) {
        guard isSimple else {
            open.forEach { document, occurrences in
                if block.isFull { closeBlock() }
                block.beginDocument(document)
                for occurrence in occurrences { block.append(occurrence) }
            }
            return open.removeAll()
        }
        for start in stride(from: 0, to: open.count, by: BitPacking.blockLength) {
            let places = start..<min(open.count, start + BitPacking.blockLength)
            open.write(places, floor: floor, to: &blob)
            endBlock(open.document(places.upperBound - 1))
        }
        open.removeAll()
    }
}
