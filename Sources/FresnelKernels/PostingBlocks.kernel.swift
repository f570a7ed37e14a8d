// A whole list of document numbers at once: blocks of 128 gaps, bit-packed or, in the last, LEB128
// (`DeltaBlock`). Blocks are decoded on the stack and go straight into the array or the bits that
// are wanted, so a list costs no call and no check per document beyond the one against the limit.
//
// A list that leaves its bytes or its limit is damaged: what was read by then stays, and the answer
// is false. Nothing outside of the given spans is ever touched.

/// Decodes lists of documents.
package enum PostingBlocks {
    /// A list as it lies in a segment.
    package struct List: ~Escapable {
        let blob: Span<UInt8>
        let offsets: Span<UInt32>
        let count: Int
        let limit: Int
        let floor: UInt32
        let isCoded: Bool

        /// - Parameters:
        ///   - blob: the bytes of all blocks.
        ///   - offsets: where each block of this list begins, and where the last ends.
        ///   - count: the documents of the list.
        ///   - limit: every document is below this.
        ///   - floor: the least document the first block may have.
        ///   - isCoded: whether short blocks are of codes (`GapBlock`), not of LEB128 integers.
        @_lifetime(copy blob, copy offsets)
        package init(
            blob: Span<UInt8>, offsets: Span<UInt32>, count: Int, limit: Int, floor: UInt32 = 0,
            isCoded: Bool = false
        ) {
            self.floor = floor
            self.isCoded = isCoded
            self.blob = blob
            self.offsets = offsets
            self.count = count
            self.limit = limit
        }
    }

    /// Appends the documents, ascending; false when the list is damaged.
    @discardableResult
    package static func append(_ list: borrowing List, to numbers: inout [UInt32]) -> Bool {
        var isWhole = true
        // Blocks are decoded where they stay; a full one is written whole whatever it has.
        numbers.append(addingCapacity: (list.count + 127) / 128 * 128) { numbers in
            unsafe numbers.withUnsafeMutableBufferPointer { target, written in
                guard let base = target.baseAddress else { return }
                // There is room for so many blocks.
                isWhole = unsafe decode(list, to: { unsafe base + 128 &* $0 }) { _, count in
                    written += count
                }
            }
        }
        return isWhole
    }

    /// Sets the bits of the documents; false when the list is damaged.
    ///
    /// The set has at least `limit` bits.
    @discardableResult
    package static func insert(_ list: borrowing List, into set: inout Bitset) -> Bool {
        precondition(list.limit <= set.count, "documents below \(list.limit) in \(set.count) bits")
        return unsafe set.words.withUnsafeMutableBufferPointer { words -> Bool in
            guard let base = words.baseAddress else { return true }
            return unsafe decode(list) { block, count in
                for place in 0..<count {
                    // Below the limit, so inside the set.
                    let number = unsafe Int(block[place])
                    unsafe base[number &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: number & 63)
                }
            }
        }
    }

    /// Sets the bits of the documents of a list of one short block, as most lists are; false when
    /// it is damaged.
    ///
    /// The set has at least `limit` bits.
    ///
    /// - Parameters:
    ///   - block: the bytes of the block.
    ///   - count: its documents, fewer than 128.
    ///   - limit: every document is below this.
    ///   - isCoded: as in a `List`; the block is the last of its bytes then, or others follow.
    @discardableResult
    package static func insertShort(
        _ block: Span<UInt8>, count: Int, limit: Int, isCoded: Bool = false,
        into set: inout Bitset
    ) -> Bool {
        precondition(limit <= set.count, "documents below \(limit) in \(set.count) bits")
        if isCoded { return insertCoded(block, count: count, limit: limit, into: &set) }
        return unsafe set.words.withUnsafeMutableBufferPointer { words -> Bool in
            guard let base = words.baseAddress else { return count == 0 }
            var offset = 0
            var next: UInt64 = 0
            for _ in 0..<count {
                var shift: UInt64 = 0
                var gap: UInt64 = 0
                while true {
                    guard offset < block.count, shift <= 28 else { return false }
                    let byte = block[offset]
                    offset &+= 1
                    gap |= UInt64(byte & 0x7F) &<< shift
                    shift &+= 7
                    if byte < 0x80 { break }
                }
                next &+= gap
                // Below the limit, so inside the set.
                guard next < UInt64(limit) else { return false }
                let number = Int(truncatingIfNeeded: next)
                unsafe base[number &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: number & 63)
                next &+= 1
            }
            return true
        }
    }

    /// Sets the bits of the documents, and in another set of those that were set already; false
    /// when the list is damaged.
    ///
    /// Both sets have at least `limit` bits.
    @discardableResult
    package static func insert(
        _ list: borrowing List, into set: inout Bitset, repeated: inout Bitset
    ) -> Bool {
        precondition(
            list.limit <= set.count && list.limit <= repeated.count,
            "documents below \(list.limit) in \(set.count) and \(repeated.count) bits")
        return unsafe set.words.withUnsafeMutableBufferPointer { words -> Bool in
            unsafe repeated.words.withUnsafeMutableBufferPointer { others -> Bool in
                guard let base = words.baseAddress, let other = others.baseAddress else {
                    return true
                }
                return unsafe decode(list) { block, count in
                    for place in 0..<count {
                        // Below the limit, so inside both sets.
                        let number = unsafe Int(block[place])
                        let bit: UInt64 = 1 &<< UInt64(truncatingIfNeeded: number & 63)
                        let word = unsafe base[number &>> 6]
                        unsafe other[number &>> 6] |= word & bit
                        unsafe base[number &>> 6] = word | bit
                    }
                }
            }
        }
    }

    /// Appends the documents that are in a set too, ascending; false when the list is damaged.
    @discardableResult
    package static func append(
        _ list: borrowing List, in set: Bitset, to numbers: inout [UInt32]
    ) -> Bool {
        precondition(list.limit <= set.count, "documents below \(list.limit) in \(set.count) bits")
        let start = numbers.count
        numbers.append(contentsOf: repeatElement(0, count: list.count))
        var written = start
        let isWhole = unsafe set.words.withUnsafeBufferPointer { words -> Bool in
            guard let base = words.baseAddress else { return true }
            return unsafe numbers.withUnsafeMutableBufferPointer { target -> Bool in
                guard let out = target.baseAddress else { return true }
                return unsafe decode(list) { block, count in
                    for place in 0..<count {
                        let number = unsafe block[place]
                        let word = unsafe base[Int(number &>> 6)]
                        // Written always, kept if the bit is set: no branch to mispredict. There is
                        // room, as at most so many were written as were decoded before.
                        unsafe out[written] = number
                        written &+= Int(word &>> UInt64(number & 63) & 1)
                    }
                }
            }
        }
        numbers.removeLast(numbers.count - written)
        return isWhole
    }

    /// Calls `body` with the documents of one block after the other.
    @inline(__always)
    private static func decode(
        _ list: borrowing List, _ body: (UnsafePointer<UInt32>, Int) -> Void
    ) -> Bool {
        let total = list.count
        return unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 128) { buffer in
            guard let out = buffer.baseAddress else { return total == 0 }
            return unsafe decode(list, to: { _ in unsafe out }, body: body)
        }
    }

    /// The same, each block where `target` says: there is room for 128 numbers.
    @inline(__always)
    private static func decode(
        _ list: borrowing List, to target: (Int) -> UnsafeMutablePointer<UInt32>,
        body: (UnsafePointer<UInt32>, Int) -> Void
    ) -> Bool {
        let blob = list.blob
        let offsets = list.offsets
        let (limit, isCoded) = (list.limit, list.isCoded)
        let blockCount = (list.count + 127) / 128
        guard offsets.count > blockCount else { return list.count == 0 }
        let total = list.count
        var base = list.floor
        return unsafe blob.withUnsafeBytes { bytes -> Bool in
            for block in 0..<blockCount {
                let count = min(128, total &- 128 &* block)
                let (place, end) = (Int(offsets[block]), Int(offsets[block + 1]))
                let out = unsafe target(block)
                guard place <= end,
                    unsafe decode(
                        bytes, place..<end, count: count, from: base, limit: limit,
                        isCoded: isCoded, to: out) >= 0
                else { return false }
                // Below the limit, which is a count of documents.
                base = unsafe out[count &- 1] &+ 1
                unsafe body(UnsafePointer(out), count)
            }
            return true
        }
    }
}
