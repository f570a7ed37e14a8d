// The documents of the sorted view are all documents in another order: twenty bits each where there
// are a million, not thirty-two. Answers look at few of them, and ranges read them from front to
// back.

/// The documents of the sorted view of a column.
@safe
struct SortedDocuments: @unchecked Sendable {
    // Sendable because what the address points to never changes and lives as long as the array.

    /// The documents; empty where `words` are used.
    let plain: PackedArray<UInt32>
    /// Documents of `width` bits, from the lowest bit on.
    let words: PackedArray<UInt64>
    /// Bits of a document, 1 to 32; 0 where they are plain.
    let width: Int
    let count: Int
    /// What `words` hold.
    private let address: UnsafePointer<UInt64>?

    init(_ plain: PackedArray<UInt32>) {
        self.plain = plain
        (words, width, count) = (PackedArray(), 0, plain.count)
        unsafe address = nil
    }

    /// - Parameter documents: how many the segment has.
    init(
        packed reader: inout SectionReader, count: Int, of documents: Int
    ) throws(SegmentError) {
        plain = PackedArray()
        self.count = count
        width = Self.width(of: documents)
        words = try reader.array(count: Self.wordCount(count, width))
        unsafe address = words.unsafeElements
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
        guard let address = unsafe address else { return 0 }
        return unsafe document(entry &* width, address)
    }

    /// The document that begins at a bit, of an entry below `count`, for which there are words.
    @inline(__always)
    private func document(_ bit: Int, _ words: UnsafePointer<UInt64>) -> DocumentNumber {
        let shift = UInt64(truncatingIfNeeded: bit & 63)
        var value = unsafe words[bit &>> 6] &>> shift
        if Int(truncatingIfNeeded: shift) &+ width > 64 {
            value |= unsafe words[bit &>> 6 &+ 1] &<< (64 &- shift)
        }
        return DocumentNumber(truncatingIfNeeded: value & (1 &<< UInt64(width) &- 1))
    }

    /// Some of the documents as a list; `entries` are in 0..<`count`.
    func list(_ entries: Range<Int>) -> [DocumentNumber] {
        guard width > 0 else { return entries.map { plain[$0] } }
        precondition(
            entries.lowerBound >= 0 && entries.upperBound <= count, "\(entries) of \(count)")
        guard let address = unsafe address else { return [] }
        let width = width
        let mask: UInt64 = 1 &<< UInt64(width) &- 1
        // Eight bytes from where an entry begins hold all of it; so many entries have them.
        let whole = max(0, words.count &* 64 &- 64) / width
        return [DocumentNumber](capacity: entries.count) { list in
            var bit = entries.lowerBound &* width
            let middle = min(entries.upperBound, max(entries.lowerBound, whole))
            let bytes = unsafe UnsafeRawPointer(address)
            for _ in entries.lowerBound..<middle {
                let word = unsafe bytes.loadUnaligned(
                    fromByteOffset: bit &>> 3, as: UInt64.self)
                let value = word &>> UInt64(truncatingIfNeeded: bit & 7) & mask
                list.append(DocumentNumber(truncatingIfNeeded: value))
                bit &+= width
            }
            for entry in middle..<entries.upperBound { list.append(self[entry]) }
        }
    }

    /// Calls `body` with some of the documents, unpacked where they are not plain.
    func withDocuments<Answer, Failure: Error>(
        _ entries: Range<Int>, _ body: (Span<DocumentNumber>) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        guard width > 0 else { return try body(plain.span.extracting(entries)) }
        return try body(list(entries).span)
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
