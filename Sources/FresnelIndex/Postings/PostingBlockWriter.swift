import FresnelKernels

/// Gathers up to 128 postings, writes them as one block and is empty again.
struct PostingBlockWriter {
    private var documents: [UInt32] = []
    /// Bytes of the occurrences of each document but the last.
    private var lengths: [UInt32] = []
    private var occurrences: [UInt8] = []
    private var writer = OccurrenceWriter()
    /// Where the occurrences of the last document begin.
    private var start = 0

    /// Whether another document would belong to the next block.
    var isFull: Bool { documents.count == BitPacking.blockLength }

    /// The greatest document, or nil when the block is empty.
    var lastDocument: DocumentNumber? { documents.last }

    mutating func beginDocument(_ document: DocumentNumber) {
        closeDocument()
        documents.append(document)
        writer = OccurrenceWriter()
        start = occurrences.count
    }

    mutating func append(_ occurrence: Occurrence) {
        writer.append(occurrence, to: &occurrences)
    }

    /// Appends the block; `floor` is the least document number it could have held.
    mutating func write(floor: DocumentNumber, to blob: inout [UInt8]) {
        closeDocument()
        do throws(KernelError) {
            try DeltaBlock.encode(documents.span, floor: floor, into: &blob)
        } catch {
            preconditionFailure("the documents of a term do not ascend: \(error)")
        }
        ValueBlock.encode(lengths.span, into: &blob)
        blob.append(contentsOf: occurrences)
        documents.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        occurrences.removeAll(keepingCapacity: true)
    }

    private mutating func closeDocument() {
        guard lengths.count < documents.count else { return }
        lengths.append(UInt32(occurrences.count - start))
    }
}
