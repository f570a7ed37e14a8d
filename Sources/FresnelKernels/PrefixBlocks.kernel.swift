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

    /// Looks at a table of so many strings.
    ///
    /// - Parameters:
    ///   - pieces: of the code of the rests; none where they stand as they are.
    ///   - lengths: as many.
    @_lifetime(copy starts, copy blob, copy pieces, copy lengths)
    package init(
        starts: Span<UInt32>, blob: Span<UInt8>, count: Int, pieces: Span<UInt64> = Span(),
        lengths: Span<UInt8> = Span()
    ) {
        self.starts = starts
        self.blob = blob
        self.count = count
        self.pieces = pieces
        self.lengths = lengths
    }

    /// Whether rests are in codes.
    package var isCoded: Bool { pieces.count > 0 }

    fileprivate var code: SymbolCode {
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

    /// Calls `body` with a string, which is put together on the stack; an empty one where there is
    /// none.
    package func withText<Answer>(_ index: Int, _ body: (Span<UInt8>) -> Answer) -> Answer {
        guard let parts = parts(index) else { return body(blob.extracting(0..<0)) }
        return unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.roomBytes) {
            buffer in
            guard let target = buffer.baseAddress else { return body(Span()) }
            let count = unsafe put(parts, to: UnsafeMutableRawPointer(target))
            return unsafe body(
                Span(_unsafeElements: UnsafeBufferPointer(start: target, count: count)))
        }
    }

    /// What a string takes while it is put together.
    static var roomBytes: Int { partLimit + SymbolCode.roomBytes }

    /// Puts a string together and gives its length; `target` has room for `roomBytes`.
    @inline(__always)
    @unsafe
    func put(_ parts: Parts, to target: UnsafeMutableRawPointer) -> Int {
        unsafe blob.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return 0 }
            // `parts` lie inside of the blob, and neither is longer than 255 bytes; of a short
            // beginning eight bytes are copied, which the room has.
            if parts.startCount <= 8, parts.start + 8 <= bytes.count {
                let head = unsafe source.loadUnaligned(
                    fromByteOffset: parts.start, as: UInt64.self)
                unsafe target.storeBytes(of: head, as: UInt64.self)
            } else {
                unsafe target.copyMemory(
                    from: source + parts.start, byteCount: parts.startCount)
            }
            let rest = unsafe source + parts.rest
            let behind = unsafe target + parts.startCount
            guard isCoded else {
                unsafe behind.copyMemory(from: rest, byteCount: parts.restCount)
                return parts.count
            }
            let codes = unsafe rest.assumingMemoryBound(to: UInt8.self)
            return unsafe parts.startCount
                &+ code.unpack(codes, count: parts.restCount, to: behind)
        }
    }

    /// Puts strings of one block together, one behind the other; empty ones where there are none.
    ///
    /// - Parameters:
    ///   - range: inside of one block.
    ///   - target: room for `roomBytes` for each, and eight bytes more.
    ///   - ends: room for as many; gets where each string ends.
    @unsafe
    func put(
        _ range: Range<Int>, to target: UnsafeMutableRawPointer, ends: UnsafeMutablePointer<Int>
    ) {
        var end = 0
        var next: Parts?
        for index in range {
            // The rest of a string begins where that of the one before ends.
            let parts =
                if let former = next { follower(of: former, index) } else { parts(index) }
            next = parts
            if let parts { end &+= unsafe put(parts, to: target + end) }
            unsafe ends[index &- range.lowerBound] = end
        }
    }

    /// Where a string lies that stands in the same block right behind another.
    @inline(__always)
    private func follower(of former: Parts, _ index: Int) -> Parts? {
        let block = index &>> 4
        guard index < count else { return nil }
        // The former string's parts lie in the block, so that its head and end exist.
        let (start, end) = (Int(starts[block]), Int(starts[block &+ 1]))
        let bytes = unsafe blob.bytes
        let isNarrow = former.start == start &+ Self.narrowHeadBytes
        let place = index & 15
        let restCount: Int
        if isNarrow {
            let pair = unsafe bytes.unsafeLoad(
                fromUncheckedByteOffset: start &+ 1 &+ place &>> 1, as: UInt8.self)
            restCount = Int(pair &>> UInt8(4 &* (place & 1))) & 15
        } else {
            restCount = Int(
                unsafe bytes.unsafeLoad(
                    fromUncheckedByteOffset: start &+ 1 &+ place, as: UInt8.self))
        }
        let rest = former.rest &+ former.restCount
        guard rest &+ restCount <= end else { return nil }
        return Parts(
            start: former.start, startCount: former.startCount, rest: rest, restCount: restCount)
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

    /// Appends a string and, before it, its length as LEB128; an empty one where there is none.
    package func appendWithLength(_ index: Int, to bytes: inout [UInt8]) {
        guard isCoded else { return appendPlain(index, to: &bytes) }
        withText(index) { text in
            LEB128Gaps.append(UInt32(truncatingIfNeeded: text.count), to: &bytes)
            bytes.append(copying: text)
        }
    }

    private func appendPlain(_ index: Int, to bytes: inout [UInt8]) {
        guard let parts = parts(index) else { return bytes.append(0) }
        LEB128Gaps.append(UInt32(truncatingIfNeeded: parts.count), to: &bytes)
        if parts.startCount > 0 { bytes.append(copying: beginning(parts)) }
        bytes.append(copying: rest(parts))
    }

    /// What a string begins with as its neighbours do.
    @inline(__always) @_lifetime(copy self)
    fileprivate func beginning(_ parts: Parts) -> Span<UInt8> {
        blob.extracting(parts.start..<parts.start &+ parts.startCount)
    }

    /// What comes behind that.
    @inline(__always) @_lifetime(copy self)
    fileprivate func rest(_ parts: Parts) -> Span<UInt8> {
        blob.extracting(parts.rest..<parts.rest &+ parts.restCount)
    }
}

extension OrderedKey {
    /// Adds a string of a table, ascending; an empty one where there is none.
    package mutating func append(_ index: Int, of table: borrowing PrefixBlocks) {
        guard let parts = table.parts(index) else {
            return append(beginning: Span(), rest: Span())
        }
        guard !table.isCoded else { return table.withText(index) { append(span: $0) } }
        append(beginning: table.beginning(parts), rest: table.rest(parts))
    }
}

extension PrefixBlocks {
    /// Below, equal to or above zero as a string is below, equal to or above a key (`ByteOrder`).
    package func compare(_ index: Int, _ key: Span<UInt8>) -> Int {
        guard let parts = parts(index) else { return key.count == 0 ? 0 : -1 }
        let shared = min(parts.startCount, key.count)
        let start = blob.extracting(parts.start..<parts.start &+ shared)
        let difference = ByteOrder.compare(start, key.extracting(first: shared))
        guard difference == 0 else { return difference }
        guard shared == parts.startCount else { return 1 }
        guard !isCoded else {
            return withText(index) { ByteOrder.compare($0, key) }
        }
        return ByteOrder.compare(
            blob.extracting(parts.rest..<parts.rest &+ parts.restCount),
            key.extracting(shared..<key.count))
    }

    /// The index of the first string that is not below a key, or `count`, where strings ascend.
    package func lowerBound(_ key: Span<UInt8>) -> Int {
        // Blocks first, by their first strings: most are told apart by their shared beginnings.
        let head = Self.head(of: key)
        var low = 0
        var high = (count &+ Self.blockLength &- 1) / Self.blockLength
        while low < high {
            let middle = low &+ (high &- low) / 2
            if isFirstBelow(key, head, ofBlock: middle) { low = middle &+ 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        high = min(count, low &* Self.blockLength)
        low = (low &- 1) &* Self.blockLength &+ 1
        while low < high {
            let middle = low &+ (high &- low) / 2
            if compare(middle, key) < 0 { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// Whether the first string of a block is below a key with this head.
    @inline(__always)
    private func isFirstBelow(_ key: Span<UInt8>, _ head: UInt64, ofBlock block: Int) -> Bool {
        if block &+ 1 < starts.count {
            let start = Int(starts[block])
            let first = start < blob.count ? Int(blob[start]) : 0
            let isNarrow = isCoded && first < Self.wide
            let shared = isCoded && !isNarrow ? first &- Self.wide : first
            let place = start &+ (isNarrow ? Self.narrowHeadBytes : Self.headBytes)
            if shared > 0, place &+ 8 <= blob.count {
                let word = unsafe blob.bytes.unsafeLoadUnaligned(
                    fromUncheckedByteOffset: place, as: UInt64.self)
                let mask: UInt64 = shared < 8 ? ~(.max &>> UInt64(8 &* shared)) : .max
                let (mine, its) = (head & mask, word.bigEndian & mask)
                if mine != its { return its < mine }
            }
        }
        return compare(block &* Self.blockLength, key) < 0
    }

    /// The first eight bytes of a key as a number that orders like them; zeros where there are
    /// fewer.
    private static func head(of key: Span<UInt8>) -> UInt64 {
        var head: UInt64 = 0
        for index in 0..<min(8, key.count) {
            head |= UInt64(key[index]) &<< UInt64(56 &- 8 &* index)
        }
        return head
    }
}
