import FresnelKernels
import FresnelSystem

/// Ascending byte strings of a packed segment, in blocks: identifiers, or keys of terms.
///
/// A class, so that taking it along counts one reference, and read by addresses, so that a look at
/// one string counts none.
@safe
final class TextBlocks: @unchecked Sendable {
    // Sendable because what the addresses point to never changes and lives as long as the arrays.

    let count: Int
    /// Where each block begins, and where the last ends.
    let starts: PackedArray<UInt32>
    let blob: SharedBytes
    /// What the codes of rests stand for, and their lengths; none where rests stand as they are.
    let pieces: PackedArray<UInt64>
    let lengths: PackedArray<UInt8>

    private let offsets: UnsafeBufferPointer<UInt32>
    private let bytes: UnsafeRawBufferPointer
    private let words: UnsafeBufferPointer<UInt64>
    private let counts: UnsafeBufferPointer<UInt8>
    /// How blocks begin (`PrefixBlocks.makeHeads`); none where strings are not looked for so often.
    private let heads: PackedArray<UInt64>
    private let headWords: UnsafeBufferPointer<UInt64>

    /// - Parameters:
    ///   - isCoded: whether rests are in codes (`SymbolCode`).
    ///   - hasHeads: whether strings are looked for often: eight bytes for sixteen of them.
    init(
        _ reader: inout SectionReader, count: Int, isCoded: Bool, hasHeads: Bool = false
    ) throws(SegmentError) {
        self.count = count
        let pieceCount = isCoded ? try reader.count(limit: SymbolCode.limit) : 0
        if isCoded, pieceCount == 0 { throw reader.broken("a code has pieces") }
        pieces = try reader.array(count: pieceCount)
        lengths = try reader.array(count: pieceCount)
        for place in 0..<pieceCount where lengths[place] > 8 {
            throw reader.broken("a piece has at most eight bytes")
        }
        let length = PrefixBlocks.blockLength
        starts = try reader.array(count: (count + length - 1) / length + 1)
        let byteCount = try reader.count()
        blob = try reader.blob(count: byteCount)
        unsafe offsets = UnsafeBufferPointer(start: starts.unsafeElements, count: starts.count)
        unsafe bytes = blob.unsafeBytes
        unsafe words = UnsafeBufferPointer(start: pieces.unsafeElements, count: pieces.count)
        unsafe counts = UnsafeBufferPointer(start: lengths.unsafeElements, count: lengths.count)
        let table = unsafe PrefixBlocks(
            starts: Span(_unsafeElements: offsets), blob: Span(_unsafeBytes: bytes), count: count,
            pieces: Span(_unsafeElements: words), lengths: Span(_unsafeElements: counts))
        heads = hasHeads ? PackedArray(copying: table.makeHeads()) : PackedArray()
        unsafe headWords = UnsafeBufferPointer(start: heads.unsafeElements, count: heads.count)
    }

    /// Calls `body` with a string; an empty one where there is none.
    ///
    /// Generic here and not below: what another module has is not compiled for each answer, and to
    /// find out what it is costs more than the string.
    @inline(__always)
    func withText<Answer>(_ index: Int, _ body: (Span<UInt8>) -> Answer) -> Answer {
        var answer: Answer?
        table.withText(index) { (text: Span<UInt8>) -> Void in answer = body(text) }
        guard let answer else { preconditionFailure("string \(index) was not read") }
        return answer
    }

    /// The blocks as a table.
    var table: PrefixBlocks {
        @_lifetime(borrow self)
        borrowing get {
            // The memory never changes and lives as long as this object.
            let table = unsafe PrefixBlocks(
                starts: Span(_unsafeElements: offsets), blob: Span(_unsafeBytes: bytes),
                count: count, pieces: Span(_unsafeElements: words),
                lengths: Span(_unsafeElements: counts), heads: Span(_unsafeElements: headWords))
            return unsafe _overrideLifetime(table, borrowing: self)
        }
    }
}
