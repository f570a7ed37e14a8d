import FresnelKernels

/// The part of a block behind its documents: where the occurrences of each are.
struct OccurrenceBlock {
    /// Where the block begins.
    let start: Int
    /// The bit behind its documents.
    let documentsEnd: Int
    /// Its documents, 1...128.
    let count: Int

    /// Finds where the occurrences of each document end: in bytes of the blob, or, with a run, in
    /// numbers of it.
    ///
    /// Where the block is damaged, no document has any.
    ///
    /// - Parameters:
    ///   - bytes: all blocks.
    ///   - isSimple: whether the list is simple.
    ///   - isCoded: whether the lists are of bits.
    ///   - ends: has room for 128 numbers.
    /// - Returns: where those of the first document begin, and the run of a simple list of bits.
    func find(
        _ bytes: Span<UInt8>, isSimple: Bool, isCoded: Bool, ends: inout MutableSpan<UInt32>
    ) -> (start: Int, run: PositionRun?) {
        if isSimple, isCoded {
            if let run = PositionRun(
                bytes, from: start, at: documentsEnd, count: count, ends: &ends)
            {
                return (0, run)
            }
            return none(&ends)
        }
        var offset = (documentsEnd + 7) / 8
        if isSimple, count < BitPacking.blockLength {
            SimpleOccurrences.findEnds(bytes, from: offset, count: count, into: &ends)
            return (offset, nil)
        }
        // Checksums are checked when a file is opened: nothing else reports damage here.
        guard (try? ValueBlock.decode(bytes, at: &offset, count: count, into: &ends)) != nil else {
            return none(&ends)
        }
        var end = UInt32(truncatingIfNeeded: offset)
        if count == BitPacking.blockLength {
            PrefixSum.block(&ends, from: end, step: 0)
        } else {
            for place in 0..<count {
                end = end &+ ends[place]
                ends[place] = end
            }
        }
        return (offset, nil)
    }

    private func none(_ ends: inout MutableSpan<UInt32>) -> (start: Int, run: PositionRun?) {
        for place in 0..<ends.count { ends[place] = 0 }
        return (0, nil)
    }
}
