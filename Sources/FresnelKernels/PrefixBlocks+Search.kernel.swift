// Searching strings that ascend. What a code stands for is compared as a word, code by code, so
// that no string is put together: mostly its first code tells. For that the key is copied once to
// where eight bytes may be read from any of its places.

extension PrefixBlocks {
    /// A key with zeros behind it, eight at least.
    @safe
    private struct Needle {
        let bytes: UnsafeRawPointer
        let count: Int

        /// Eight bytes from a place on, which is no greater than `count`, the first lowest.
        @inline(__always)
        func word(at place: Int) -> UInt64 {
            UInt64(
                littleEndian: unsafe bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
        }
    }

    /// Below, equal to or above zero as a string is below, equal to or above a key (`ByteOrder`).
    package func compare(_ index: Int, _ key: Span<UInt8>) -> Int {
        withNeedle(key) { compare(index, $0) }
    }

    /// The index of the first string that is not below a key, or `count`, where strings ascend.
    package func lowerBound(_ key: Span<UInt8>) -> Int {
        withNeedle(key) { find($0).place }
    }

    /// The strings that are a key, where strings ascend.
    package func range(of key: Span<UInt8>) -> Range<Int> {
        withNeedle(key) { needle in
            let (start, isFound) = find(needle)
            guard isFound else { return start..<start }
            var end = start &+ 1
            while end < count, compare(end, needle) == 0 { end &+= 1 }
            return start..<end
        }
    }

    /// Calls `body` with a key that can be read by words.
    @inline(__always)
    private func withNeedle<Answer>(
        _ key: Span<UInt8>, _ body: (Needle) -> Answer
    ) -> Answer {
        unsafe withUnsafeTemporaryAllocation(
            byteCount: key.count &+ 16, alignment: 8
        ) { room in
            guard let start = room.baseAddress else {
                preconditionFailure("a key of \(key.count) bytes has no room")
            }
            unsafe (start + key.count).storeBytes(of: 0, as: UInt64.self)
            unsafe key.withUnsafeBytes { bytes in
                guard let first = bytes.baseAddress else { return }
                unsafe start.copyMemory(from: first, byteCount: bytes.count)
            }
            // Eight zeros are behind the key, and it is read only while this room is there.
            return unsafe body(Needle(bytes: UnsafeRawPointer(start), count: key.count))
        }
    }

    /// The first string that is not below a key, or `count`, and whether it is the key.
    @inline(__always)
    private func find(_ key: Needle) -> (place: Int, isFound: Bool) {
        // Blocks first, by their first strings: most are told apart by how those begin.
        let head = key.word(at: 0).byteSwapped
        let (first, end) = blocks(from: head)
        let low = Bisection.end(from: first, to: end) { isFirstBelow(key, head, ofBlock: $0) }
        guard low > 0 else { return (0, count > 0 && compare(0, key) == 0) }
        let next = min(count, low &* Self.blockLength)
        let found = find(key, from: (low &- 1) &* Self.blockLength, to: next)
        // The first string of the next block was only known not to be below.
        let isNext = found.place == next && next < count
        return isNext ? (next, compare(next, key) == 0) : found
    }

    /// How the first string of each block begins: eight bytes as a number that orders like them,
    /// zeros where there are fewer.
    ///
    /// Where they lie side by side, a key is looked for in a few lines of memory, not in two for
    /// each step of halving.
    package func makeHeads() -> [UInt64] {
        var heads: [UInt64] = []
        heads.reserveCapacity(blockCount)
        for block in 0..<blockCount {
            withText(block &* Self.blockLength) { heads.append(ByteOrder.leadingWord(of: $0)) }
        }
        return heads
    }

    /// Between which blocks the first lies whose first string is not below a key that begins so.
    @inline(__always)
    private func blocks(from head: UInt64) -> (low: Int, high: Int) {
        guard heads.count == blockCount else { return (0, blockCount) }
        let low = firstBlock(notBelow: head, from: 0)
        guard low < heads.count, heads[low] == head else { return (low, low) }
        return (low, head == .max ? heads.count : firstBlock(notBelow: head &+ 1, from: low))
    }

    /// The first block from one on whose head is not below another; the number of blocks for none.
    @inline(__always)
    private func firstBlock(notBelow head: UInt64, from start: Int) -> Int {
        var base = start
        var left = heads.count &- start
        while left > 0 {
            let half = left / 2
            // Below `heads.count`: `base + left` never grows and is that at first.
            let isBelow = unsafe heads[unchecked: base &+ half] < head
            base = isBelow ? base &+ half &+ 1 : base
            left = isBelow ? left &- half &- 1 : half
        }
        return base
    }

    /// The same among the strings of a block, of which the first is known to be below the key.
    @inline(__always)
    private func find(
        _ key: Needle, from first: Int, to end: Int
    ) -> (place: Int, isFound: Bool) {
        // All of them begin as the first does.
        guard let shared = parts(first), compareBeginning(shared, key) == nil else {
            return (end, false)
        }
        var (low, high, isFound) = (first &+ 1, end, false)
        while low < high {
            let middle = low &+ (high &- low) / 2
            let order = parts(middle).map { compareRest($0, key) } ?? -1
            if order < 0 {
                low = middle &+ 1
            } else {
                high = middle
                isFound = order == 0
            }
        }
        return (low, isFound)
    }

    /// Whether the first string of a block is below a key with this head.
    @inline(__always)
    private func isFirstBelow(_ key: Needle, _ head: UInt64, ofBlock block: Int) -> Bool {
        if block &+ 1 < starts.count {
            // There is a word of starts for each block, and the place is checked below.
            let start = unsafe Int(starts[unchecked: block])
            let bytes = unsafe blob.bytes
            if start &+ Self.headBytes &+ 8 <= blob.count {
                let first = Int(
                    unsafe bytes.unsafeLoad(fromUncheckedByteOffset: start, as: UInt8.self))
                let isNarrow = isCoded && first < Self.wide
                let shared = isCoded && !isNarrow ? first &- Self.wide : first
                if shared > 0 {
                    let place = start &+ (isNarrow ? Self.narrowHeadBytes : Self.headBytes)
                    let word = unsafe bytes.unsafeLoadUnaligned(
                        fromUncheckedByteOffset: place, as: UInt64.self)
                    let mask: UInt64 = shared < 8 ? ~(.max &>> UInt64(8 &* shared)) : .max
                    let (mine, its) = (head & mask, word.bigEndian & mask)
                    if mine != its { return its < mine }
                    // The key goes on with all of the beginning: the rest tells.
                    if shared <= 8, shared <= key.count,
                        let parts = parts(block &* Self.blockLength)
                    {
                        return compareRest(parts, key) < 0
                    }
                }
            }
        }
        return compare(block &* Self.blockLength, key) < 0
    }

    /// Below, equal to or above zero as a string is below, equal to or above a key.
    private func compare(_ index: Int, _ key: Needle) -> Int {
        guard let parts = parts(index) else { return key.count == 0 ? 0 : -1 }
        return compareBeginning(parts, key) ?? compareRest(parts, key)
    }

    /// How the beginning of a string stands to a key; nil where the key begins with it.
    @inline(__always)
    private func compareBeginning(_ parts: Parts, _ key: Needle) -> Int? {
        let bytes = unsafe blob.bytes
        var place = 0
        while place < parts.startCount {
            let count = min(8, parts.startCount &- place)
            let offset = parts.start &+ place
            // All of the parts lies inside of the blob.
            let word =
                offset &+ 8 <= blob.count
                ? unsafe UInt64(
                    littleEndian: bytes.unsafeLoadUnaligned(
                        fromUncheckedByteOffset: offset, as: UInt64.self))
                : Self.word(of: blob.extracting(offset..<offset &+ count))
            if let order = Self.order(of: word, count, key, from: place) { return order }
            place &+= count
        }
        return nil
    }

    /// How the rest of a string stands to a key that begins as the string does.
    @inline(__always)
    private func compareRest(_ parts: Parts, _ key: Needle) -> Int {
        guard isCoded else {
            let rest = rest(parts)
            var done = 0
            while done < rest.count {
                let count = min(8, rest.count &- done)
                let word = Self.word(of: rest.extracting(done..<done &+ count))
                let place = parts.startCount &+ done
                if let order = Self.order(of: word, count, key, from: place) { return order }
                done &+= count
            }
            return parts.count &- key.count
        }
        return compareCodes(parts, key)
    }

    /// The same where it is in codes.
    @inline(__always)
    private func compareCodes(_ parts: Parts, _ key: Needle) -> Int {
        let bytes = unsafe blob.bytes
        var place = parts.startCount
        var offset = parts.rest
        let end = parts.rest &+ parts.restCount
        while offset < end {
            // Below the end, which is inside of the blob.
            let code = Int(
                unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self))
            offset &+= 1
            let (word, count): (UInt64, Int)
            if code < pieces.count, code < lengths.count {
                // Looked at in the line before.
                (word, count) = unsafe (
                    pieces[unchecked: code], min(8, Int(lengths[unchecked: code]))
                )
            } else {
                guard offset < end else { break }
                word = UInt64(
                    unsafe bytes.unsafeLoad(fromUncheckedByteOffset: offset, as: UInt8.self))
                count = 1
                offset &+= 1
            }
            if let order = Self.order(of: word, count, key, from: place) { return order }
            place &+= count
        }
        return place &- key.count
    }

    /// At most eight bytes, the first lowest.
    @inline(__always)
    private static func word(of bytes: Span<UInt8>) -> UInt64 {
        ByteOrder.leadingWord(of: bytes).byteSwapped
    }

    /// How some bytes, the first lowest, at most eight, stand to those of a key from a place on;
    /// nil where the key goes on with them.
    @inline(__always)
    private static func order(
        of word: UInt64, _ length: Int, _ key: Needle, from place: Int
    ) -> Int? {
        let left = key.count &- place
        let shared = min(length, left)
        let mine = key.word(at: place)
        let mask: UInt64 = shared < 8 ? (1 &<< UInt64(truncatingIfNeeded: 8 &* shared)) &- 1 : .max
        let difference = (word ^ mine) & mask
        guard difference != 0 else { return length > left ? 1 : nil }
        let shift = UInt64(truncatingIfNeeded: difference.trailingZeroBitCount & 56)
        return Int(truncatingIfNeeded: word &>> shift & 0xFF)
            &- Int(truncatingIfNeeded: mine &>> shift & 0xFF)
    }
}
