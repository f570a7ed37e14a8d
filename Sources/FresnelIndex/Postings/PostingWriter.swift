/// Writes the postings of all terms, term by term and document by document, ascending.
struct PostingWriter {
    private(set) var documentCounts: [UInt32] = []
    private(set) var firstBlocks: [UInt32] = [0]
    private(set) var masks: [UInt64] = []
    private(set) var lastDocuments: [UInt32] = []
    private(set) var blockOffsets: [UInt32] = [0]
    private(set) var blob: [UInt8] = []

    /// Documents of the open term.
    private(set) var count: UInt32 = 0
    private var mask: UInt64 = 0
    private var block = PostingBlockWriter()

    /// Adds a document to the open term; its occurrences follow.
    mutating func beginDocument(_ document: DocumentNumber) {
        if block.isFull { closeBlock() }
        block.beginDocument(document)
        count += 1
    }

    /// Adds an occurrence to the open document, after those before it by (attribute, position).
    mutating func append(_ occurrence: Occurrence) {
        block.append(occurrence)
        mask |= AttributeFilter.bit(of: occurrence.attribute)
    }

    /// Ends the open term; the next one begins.
    mutating func endTerm() {
        if block.lastDocument != nil { closeBlock() }
        documentCounts.append(count)
        firstBlocks.append(UInt32(lastDocuments.count))
        masks.append(mask)
        count = 0
        mask = 0
    }

    private mutating func closeBlock() {
        guard let last = block.lastDocument else { return }
        let isFirst = lastDocuments.count == Int(firstBlocks[firstBlocks.count - 1])
        block.write(floor: isFirst ? 0 : lastDocuments[lastDocuments.count - 1] + 1, to: &blob)
        lastDocuments.append(last)
        blockOffsets.append(UInt32(truncatingIfNeeded: blob.count))
    }
}
