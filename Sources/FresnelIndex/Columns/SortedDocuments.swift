// The documents of the sorted view are all documents in another order: twenty bits each where there
// are a million, not thirty-two. Answers look at few of them, and ranges read them from front to
// back.

/// The documents of the sorted view of a column.
struct SortedDocuments: Sendable {
    /// The documents; empty where `words` are used.
    let plain: PackedArray<UInt32>
    /// Documents of `width` bits, from the lowest bit on.
    let words: PackedArray<UInt64>
    /// Bits of a document, 1 to 32; 0 where they are plain.
    let width: Int
    let count: Int

    init(_ plain: PackedArray<UInt32>) {
        self.plain = plain
        (words, width, count) = (PackedArray(), 0, plain.count)
    }

    /// - Parameter documents: how many the segment has.
    init(
        packed reader: inout SectionReader, count: Int, of documents: Int
    ) throws(SegmentError) {
        plain = PackedArray()
        self.count = count
        width = Self.width(of: documents)
        words = try reader.array(count: Self.wordCount(count, width))
    }

    /// Bits that the number of any of so many documents fits.
    static func width(of documents: Int) -> Int {
        max(1, Int.bitWidth - max(0, documents - 1).leadingZeroBitCount)
    }

    private static func wordCount(_ count: Int, _ width: Int) -> Int { (count * width + 63) / 64 }

    /// One document; `entry` is in 0..<`count`.
    @inline(__always)
    subscript(entry: Int) -> DocumentNumber {
        guard width > 0 else { return plain[entry] }
        precondition(entry >= 0 && entry < count, "entry \(entry) of \(count)")
        let bit = entry * width
        let shift = UInt64(bit & 63)
        var value = words[bit >> 6] &>> shift
        if Int(shift) + width > 64 { value |= words[bit >> 6 + 1] &<< (64 - shift) }
        return DocumentNumber(truncatingIfNeeded: value & (1 &<< UInt64(width) &- 1))
    }

    /// Calls `body` with some of the documents, unpacked where they are not plain.
    func withDocuments<Answer, Failure: Error>(
        _ entries: Range<Int>, _ body: (Span<DocumentNumber>) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        guard width > 0 else { return try body(plain.span.extracting(entries)) }
        let documents = entries.map { self[$0] }
        return try body(documents.span)
    }

    /// The words of new documents.
    static func words(_ numbers: [DocumentNumber], of documents: Int) -> [UInt64] {
        let width = width(of: documents)
        var words = [UInt64](repeating: 0, count: wordCount(numbers.count, width))
        for (place, number) in numbers.enumerated() {
            let bit = place * width
            let shift = UInt64(bit & 63)
            words[bit >> 6] |= UInt64(number) &<< shift
            if Int(shift) + width > 64 { words[bit >> 6 + 1] |= UInt64(number) &>> (64 - shift) }
        }
        return words
    }
}
