// Sorted byte strings of which neighbours begin alike: sixteen make a block, which has once what
// all of them begin with. Unlike with front coding, where each string needs the one before, any
// string can be had alone: the lengths of a block lie in sixteen bytes, and where a string lies is
// the sum of those before its own, added up in two words.
//
// A block is: one byte, the length of the shared beginning; sixteen bytes, the lengths of the rests
// (0 behind the last string of all); the beginning; the rests, one behind the other. Where rests
// are in codes (`SymbolCode`), lengths are theirs, and mostly have four bits each, the first
// lowest: then the first byte is below 128; else 128 is added to it, and lengths have a byte each.

/// Byte strings in blocks of sixteen, each block with its shared beginning once.
///
/// Offsets and lengths that do not fit read as no string: a damaged table gives wrong answers,
/// never a crash.
package struct PrefixBlocks: ~Escapable {
    /// Strings of a block.
    package static let blockLength = 16
    /// Bytes of a block before its shared beginning.
    @inlinable
    package static var headBytes: Int { 17 }
    /// The same where lengths have four bits.
    @inlinable
    package static var narrowHeadBytes: Int { 9 }
    /// In the first byte of a block with codes: lengths have a byte each.
    @inlinable
    package static var wide: Int { 128 }
    /// The longest shared beginning, and the longest rest.
    package static let partLimit = 255

    /// Where each block begins, and where the last ends.
    package let starts: Span<UInt32>
    /// The blocks.
    package let blob: Span<UInt8>
    /// The number of strings.
    package let count: Int
    /// What the codes of the rests stand for; none where rests stand as they are.
    package let pieces: Span<UInt64>
    package let lengths: Span<UInt8>
    /// How the first string of each block begins (`makeHeads`); none where that is not at hand.
    package let heads: Span<UInt64>

    /// Looks at a table of so many strings.
    ///
    /// - Parameters:
    ///   - pieces: of the code of the rests; none where they stand as they are.
    ///   - lengths: as many.
    ///   - heads: what `makeHeads` gave, or none.
    @_lifetime(copy starts, copy blob, copy pieces, copy lengths, copy heads)
    package init(
        starts: Span<UInt32>, blob: Span<UInt8>, count: Int, pieces: Span<UInt64> = Span(),
        lengths: Span<UInt8> = Span(), heads: Span<UInt64> = Span()
    ) {
        self.starts = starts
        self.blob = blob
        self.count = count
        self.pieces = pieces
        self.lengths = lengths
        self.heads = heads
    }

    /// The number of blocks.
    var blockCount: Int { (count &+ Self.blockLength &- 1) / Self.blockLength }

    /// Whether rests are in codes.
    package var isCoded: Bool { pieces.count > 0 }

    var code: SymbolCode {
        @_lifetime(copy self)
        get { SymbolCode(pieces: pieces, lengths: lengths) }
    }

    /// Where the two parts of a string lie in `blob`.
    @frozen
    package struct Parts: Hashable, Sendable {
        /// Where the shared beginning begins.
        package let start: Int
        /// Its length.
        package let startCount: Int
        /// Where the rest begins.
        package let rest: Int
        /// The length of the rest.
        package let restCount: Int

        /// The length of the string, of one whose rest is in codes that of both parts.
        @inlinable @inline(__always)
        package var count: Int { startCount &+ restCount }

        /// A string of two parts.
        @inlinable @inline(__always)
        package init(start: Int, startCount: Int, rest: Int, restCount: Int) {
            self.start = start
            self.startCount = startCount
            self.rest = rest
            self.restCount = restCount
        }

        /// The same in a word: the place of the rest in 32 bits, how far before it the beginning is
        /// in 16, the length of the beginning and that of the rest in 8 each.
        @inline(__always)
        fileprivate var word: UInt64 {
            UInt64(truncatingIfNeeded: rest) | UInt64(truncatingIfNeeded: rest &- start) &<< 32
                | UInt64(truncatingIfNeeded: startCount) &<< 48
                | UInt64(truncatingIfNeeded: restCount) &<< 56
        }

    }

    /// Where a string lies; nil where there is none.
    @inlinable @inline(__always)
    package func parts(_ index: Int) -> Parts? {
        let block = index &>> 4
        guard index >= 0, index < count, block &+ 1 < starts.count else { return nil }
        let start = Int(starts[block])
        let end = Int(starts[block &+ 1])
        guard start &+ Self.narrowHeadBytes <= end, end <= blob.count else { return nil }
        let bytes = unsafe blob.bytes
        // All loads are of the head, which is inside of the blob.
        let first = Int(unsafe bytes.unsafeLoad(fromUncheckedByteOffset: start, as: UInt8.self))
        if pieces.count > 0, first < Self.wide {
            let word = unsafe bytes.unsafeLoadUnaligned(
                fromUncheckedByteOffset: start &+ 1, as: UInt64.self)
            return Self.narrowParts(index, word, from: start, first, end)
        }
        guard start &+ Self.headBytes <= end else { return nil }
        let low = unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: start &+ 1, as: UInt64.self)
        let high = unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: start &+ 9, as: UInt64.self)
        let startCount = pieces.count > 0 ? first &- Self.wide : first
        let restCount = Int(
            unsafe bytes.unsafeLoad(
                fromUncheckedByteOffset: start &+ 1 &+ (index & 15), as: UInt8.self))
        // The lengths before its own, without a branch that nobody can foresee.
        let bits = UInt64(truncatingIfNeeded: index & 7) &* 8
        let before = (1 &<< bits) &- 1
        let isHigh = UInt64(truncatingIfNeeded: (index &>> 3) & 1)
        let sum = Self.sum(low & (before | (0 &- isHigh)), high & before & (0 &- isHigh))
        let rest = start &+ Self.headBytes &+ startCount &+ sum
        guard rest &+ restCount <= end else { return nil }
        return Parts(
            start: start &+ Self.headBytes, startCount: startCount, rest: rest,
            restCount: restCount)
    }

    /// Where a string lies whose block has lengths of four bits.
    ///
    /// - Parameters:
    ///   - word: the lengths.
    ///   - start: where the block begins.
    ///   - startCount: the length of its shared beginning.
    ///   - end: where it ends.
    @inlinable @inline(__always)
    static func narrowParts(
        _ index: Int, _ word: UInt64, from start: Int, _ startCount: Int, _ end: Int
    ) -> Parts? {
        let bits = UInt64(truncatingIfNeeded: index & 15) &* 4
        let half: UInt64 = 0x0F0F_0F0F_0F0F_0F0F
        let before = word & ((1 &<< bits) &- 1)
        let pairs = (before & half) &+ ((before &>> 4) & half)
        let sum = Int(truncatingIfNeeded: (pairs &* 0x0101_0101_0101_0101) &>> 56)
        let rest = start &+ narrowHeadBytes &+ startCount &+ sum
        let restCount = Int(truncatingIfNeeded: (word &>> bits) & 15)
        guard rest &+ restCount <= end else { return nil }
        return Parts(
            start: start &+ narrowHeadBytes, startCount: startCount, rest: rest,
            restCount: restCount)
    }

    /// The sum of the sixteen bytes of two words.
    @inlinable @inline(__always)
    package static func sum(_ low: UInt64, _ high: UInt64) -> Int {
        let even: UInt64 = 0x00FF_00FF_00FF_00FF
        // Four of them first, which fit sixteen bits, then all by one multiplication.
        let pairs =
            (low & even) &+ ((low &>> 8) & even) &+ (high & even) &+ ((high &>> 8) & even)
        return Int(truncatingIfNeeded: (pairs &* 0x0001_0001_0001_0001) &>> 48)
    }

    /// Where strings lie, and how long they are together.
    package struct Places: Sendable {
        /// A word each (`Parts.word`), up to the first that is not there.
        package var words: [UInt64] = []
        /// The bytes of all of them.
        package var byteCount = 0
        /// How many of them have a length that takes two bytes as LEB128.
        package var longCount = 0
    }

    /// Finds strings, up to the first that is not there, and brings them into the cache.
    package func places(of indices: Span<UInt32>) -> Places {
        var places = Places()
        var all = 0
        let words = [UInt64](capacity: indices.count) { words in
            var (byteCount, longCount, touched) = (0, 0, 0)
            for place in indices.indices {
                guard let parts = parts(Int(indices[place])) else { break }
                words.append(parts.word)
                byteCount &+= parts.count
                longCount &+= parts.count < 0x80 ? 0 : 1
                // The byte before the rest is of the block, as its head stands before that. Reading
                // it here, where nothing waits for it, brings many of them in at once.
                touched &+= Int(
                    unsafe blob.bytes.unsafeLoad(
                        fromUncheckedByteOffset: parts.rest &- 1, as: UInt8.self))
            }
            (places.byteCount, places.longCount, all) = (byteCount, longCount, touched)
        }
        // Never so many; but only a sum that is used is made.
        guard all < .max else { return Places() }
        places.words = words
        return places
    }
}
