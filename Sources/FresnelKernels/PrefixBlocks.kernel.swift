// Sorted byte strings of which neighbours begin alike: sixteen make a block, which has once what
// all of them begin with. Unlike with front coding, where each string needs the one before, any
// string can be had alone: the lengths of a block lie in sixteen bytes, and where a string lies is
// the sum of those before its own, added up in two words.
//
// A block is: one byte, the length of the shared beginning; sixteen bytes, the lengths of the rests
// (0 behind the last string of all); the beginning; the rests, one behind the other.

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
    /// The longest shared beginning, and the longest rest.
    package static let partLimit = 255

    /// Where each block begins, and where the last ends.
    package let starts: Span<UInt32>
    /// The blocks.
    package let blob: Span<UInt8>
    /// The number of strings.
    package let count: Int

    /// Looks at a table of so many strings.
    @_lifetime(copy starts, copy blob)
    package init(starts: Span<UInt32>, blob: Span<UInt8>, count: Int) {
        self.starts = starts
        self.blob = blob
        self.count = count
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

        /// The length of the string.
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
        guard start &+ Self.headBytes <= end, end <= blob.count else { return nil }
        // All loads are of the head, which the line before has found inside of the blob.
        let bytes = unsafe blob.bytes
        let low = unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: start &+ 1, as: UInt64.self)
        let high = unsafe bytes.unsafeLoadUnaligned(
            fromUncheckedByteOffset: start &+ 9, as: UInt64.self)
        let startCount = Int(
            unsafe bytes.unsafeLoad(fromUncheckedByteOffset: start, as: UInt8.self))
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
    package func withText(_ index: Int, _ body: (Span<UInt8>) -> Void) {
        guard let parts = parts(index) else { return body(blob.extracting(0..<0)) }
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 2 * Self.partLimit) {
            buffer in
            unsafe blob.withUnsafeBytes { bytes in
                // `parts` lie inside of the blob, and neither is longer than half of the buffer.
                let target = UnsafeMutableRawBufferPointer(buffer)
                unsafe target.copyMemory(
                    from: UnsafeRawBufferPointer(
                        rebasing: bytes[parts.start..<parts.start + parts.startCount]))
                unsafe UnsafeMutableRawBufferPointer(rebasing: target[parts.startCount...])
                    .copyMemory(
                        from: UnsafeRawBufferPointer(
                            rebasing: bytes[parts.rest..<parts.rest + parts.restCount]))
            }
            let text = unsafe UnsafeBufferPointer(rebasing: buffer[0..<parts.count])
            unsafe body(Span(_unsafeElements: text))
        }
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
        return ByteOrder.compare(
            blob.extracting(parts.rest..<parts.rest &+ parts.restCount),
            key.extracting(shared..<key.count))
    }

    /// The index of the first string that is not below a key, or `count`, where strings ascend.
    package func lowerBound(_ key: Span<UInt8>) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = low + (high - low) / 2
            if compare(middle, key) < 0 { low = middle + 1 } else { high = middle }
        }
        return low
    }
}

/// Gathers strings into blocks of sixteen.
package struct PrefixBlockWriter {
    /// Where each block begins, and where the last ends.
    package private(set) var starts: [UInt32] = [0]
    /// The blocks.
    package private(set) var blob: [UInt8] = []
    /// Whether every string so far fits: neither the shared beginning of a block nor a rest may be
    /// longer than 255 bytes, all of them together not longer than 4 GiB.
    package private(set) var isPossible = true
    private var texts: [UInt8] = []
    private var ends: [Int] = []

    package init() {}

    /// Adds a string behind all others.
    package mutating func append(_ text: Span<UInt8>) {
        texts.append(copying: text)
        ends.append(texts.count)
        if ends.count == PrefixBlocks.blockLength { close() }
    }

    /// Ends the last block; nothing may be added then.
    package mutating func finish() {
        if !ends.isEmpty { close() }
    }

    private mutating func close() {
        let shared = min(PrefixBlocks.partLimit, sharedCount())
        blob.append(UInt8(truncatingIfNeeded: shared))
        var start = 0
        for place in 0..<PrefixBlocks.blockLength {
            let end = place < ends.count ? ends[place] : start + shared
            let rest = end - start - shared
            if rest > PrefixBlocks.partLimit { isPossible = false }
            blob.append(UInt8(truncatingIfNeeded: rest))
            if place < ends.count { start = end }
        }
        blob += texts[0..<shared]
        start = 0
        for end in ends {
            blob += texts[start + shared..<end]
            start = end
        }
        if blob.count > Int(UInt32.max) { isPossible = false }
        starts.append(UInt32(truncatingIfNeeded: blob.count))
        texts.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
    }

    /// How many bytes all strings of the open block begin with alike.
    private func sharedCount() -> Int {
        var shared = ends[0]
        var start = ends[0]
        for end in ends.dropFirst() {
            var count = 0
            while count < shared, start + count < end, texts[count] == texts[start + count] {
                count += 1
            }
            shared = count
            start = end
        }
        return shared
    }
}
