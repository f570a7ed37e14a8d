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

    /// Appends the block.
    ///
    /// - Parameters:
    ///   - floor: the least document number it could have held.
    ///   - isCoded: whether documents are written as in packed segments (`GapBlock`).
    mutating func write(floor: DocumentNumber, isCoded: Bool, to blob: inout [UInt8]) {
        closeDocument()
        if !isCoded, documents.count == 1, documents[0] >= floor {
            // Most terms are in one document: both blocks below are a number each.
            LEB128Gaps.append(documents[0] - floor, to: &blob)
            LEB128Gaps.append(lengths[0], to: &blob)
            return finish(&blob)
        }
        if isCoded {
            writeCoded(floor: floor, to: &blob)
        } else {
            do throws(KernelError) {
                try DeltaBlock.encode(documents.span, floor: floor, into: &blob)
            } catch {
                preconditionFailure("the documents of a term do not ascend: \(error)")
            }
        }
        ValueBlock.encode(lengths.span, into: &blob)
        finish(&blob)
    }

    private mutating func finish(_ blob: inout [UInt8]) {
        blob.append(copying: occurrences.span)
        documents.removeAll(keepingCapacity: true)
        lengths.removeAll(keepingCapacity: true)
        occurrences.removeAll(keepingCapacity: true)
    }

    private func writeCoded(floor: DocumentNumber, to blob: inout [UInt8]) {
        let gaps = GapBlock.gaps(documents.span, floor: floor)
        guard gaps.count < BitPacking.blockLength else {
            return GapBlock.appendFull(gaps, to: &blob)
        }
        let choice = GapCodes.choice(for: gaps)
        blob.append(choice)
        var run = BitRunWriter()
        for gap in gaps {
            GapCodes.append(gap, order: GapCodes.order(ofChoice: choice), to: &run)
        }
        blob += run.bytes
    }

    private mutating func closeDocument() {
        guard lengths.count < documents.count else { return }
        lengths.append(UInt32(occurrences.count - start))
    }
}
