// One block of a list. All forms begin with what tells their length, so that whatever leaves its
// bytes is found before it is read.

extension PostingBlocks {
    /// Decodes a block of 1...128 numbers; gives the bit behind them, or -1 where it is damaged.
    ///
    /// - Parameters:
    ///   - bytes: holds the block in `place`, if that is inside.
    ///   - base: the least number the block may begin with.
    ///   - limit: every number is below this.
    ///   - isCoded: as in a `List`.
    ///   - out: has room for 128 numbers.
    @inline(__always)
    static func decode(
        _ bytes: UnsafeRawBufferPointer, _ place: Range<Int>, count: Int, from base: UInt32,
        limit: Int, isCoded: Bool, to out: UnsafeMutablePointer<UInt32>
    ) -> Int {
        guard let start = bytes.baseAddress, place.upperBound <= bytes.count, !place.isEmpty,
            base < 1 << 31
        else { return -1 }
        let first = unsafe start.load(fromByteOffset: place.lowerBound, as: UInt8.self)
        var end = -1
        if count == 128 {
            let length = unsafe full(start + place.lowerBound, place.count, out)
            guard length >= 0 else { return -1 }
            end = (place.lowerBound &+ length) &* 8
            // Gaps below 2^24 sum up to less than 2^31, so that nothing wraps.
            if first <= 24 || (first & GapBlock.patched != 0 && first & 0x3F <= 16) {
                unsafe PrefixSum.block(out, from: base, step: 1)
                return unsafe Int(out[127]) < limit ? end : -1
            }
        } else if isCoded {
            end = unsafe GapCodes.decode(
                bytes, at: (place.lowerBound &+ 1) &* 8, count: count,
                order: GapCodes.order(ofChoice: first), to: out)
        } else {
            let length = unsafe integers(start + place.lowerBound, place.count, count, out)
            end = length < 0 ? -1 : (place.lowerBound &+ length) &* 8
        }
        guard end >= 0 else { return -1 }
        var next = UInt64(base)
        for index in 0..<count {
            unsafe next &+= UInt64(out[index])
            unsafe out[index] = UInt32(truncatingIfNeeded: next)
            next &+= 1
        }
        // Sums of 128 numbers of 32 bits fit, and ascend: the last is the greatest.
        return next <= UInt64(limit) ? end : -1
    }

    /// Reads 128 gaps of at most `available` bytes, of which there is one; gives their bytes, or -1
    /// when they are not there.
    @inline(__always)
    private static func full(
        _ bytes: UnsafeRawPointer, _ available: Int, _ out: UnsafeMutablePointer<UInt32>
    ) -> Int {
        let head = unsafe bytes.load(as: UInt8.self)
        let isPatched = head & GapBlock.patched != 0
        let width = Int(head & ~GapBlock.patched)
        guard width <= 32, available > 16 &* width else { return -1 }
        if isPatched { return unsafe patched(bytes, available, width, out) }
        if width > 0 {
            unsafe BitPacking.unpack(bytes + 1, width: width, to: UnsafeMutableRawPointer(out))
        } else {
            unsafe out.update(repeating: 0, count: 128)
        }
        return 1 &+ 16 &* width
    }

    /// The same where some gaps are wider.
    private static func patched(
        _ bytes: UnsafeRawPointer, _ available: Int, _ width: Int,
        _ out: UnsafeMutablePointer<UInt32>
    ) -> Int {
        guard width <= 24, available >= 2 else { return -1 }
        let count = unsafe Int(bytes.load(fromByteOffset: 1, as: UInt8.self))
        let start = 2 &+ 16 &* width
        guard available >= start &+ 2 &* count else { return -1 }
        if width > 0 {
            unsafe BitPacking.unpack(bytes + 2, width: width, to: UnsafeMutableRawPointer(out))
        } else {
            unsafe out.update(repeating: 0, count: 128)
        }
        for number in 0..<count {
            // Both bytes are there, and a place of seven bits is below 128.
            let place = unsafe bytes.load(fromByteOffset: start &+ number, as: UInt8.self) & 127
            let high = unsafe bytes.load(fromByteOffset: start &+ count &+ number, as: UInt8.self)
            unsafe out[Int(place)] |= UInt32(high) &<< UInt32(truncatingIfNeeded: width)
        }
        return start &+ 2 &* count
    }

    /// Reads LEB128 integers of at most `available` bytes; gives their bytes, or -1 when they are
    /// not there.
    @inline(__always)
    private static func integers(
        _ bytes: UnsafeRawPointer, _ available: Int, _ count: Int,
        _ out: UnsafeMutablePointer<UInt32>
    ) -> Int {
        var offset = 0
        for index in 0..<count {
            guard offset < available else { return -1 }
            var byte = unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
            offset &+= 1
            var value = UInt32(byte & 0x7F)
            var shift: UInt32 = 7
            while byte >= 0x80 {
                guard offset < available, shift <= 28 else { return -1 }
                byte = unsafe bytes.load(fromByteOffset: offset, as: UInt8.self)
                offset &+= 1
                value |= UInt32(byte & 0x7F) &<< shift
                shift &+= 7
            }
            unsafe out[index] = value
        }
        return offset
    }

    /// Decodes one block into the front of `numbers`; gives the bit behind its numbers, or nil
    /// where it is damaged.
    ///
    /// - Parameters:
    ///   - list: the whole list, of which limit and form count.
    ///   - place: where the block lies in the list's bytes.
    ///   - count: its numbers, 1...128.
    ///   - floor: the least number it may begin with.
    ///   - numbers: has room for 128.
    package static func decode(
        _ list: borrowing List, _ place: Range<Int>, count: Int, floor: UInt32,
        into numbers: inout MutableSpan<UInt32>
    ) -> Int? {
        precondition(numbers.count >= 128 && count >= 1 && count <= 128, "a block of \(count)")
        let (limit, isCoded) = (list.limit, list.isCoded)
        let blob = list.blob
        let end = unsafe blob.withUnsafeBytes { bytes in
            unsafe numbers.withUnsafeMutableBufferPointer { buffer -> Int in
                guard let out = buffer.baseAddress else { return -1 }
                // Room for 128 was checked above.
                return unsafe decode(
                    bytes, place, count: count, from: floor, limit: limit, isCoded: isCoded,
                    to: out)
            }
        }
        return end < 0 ? nil : end
    }

    /// Sets the bits of the documents of a short block of codes.
    static func insertCoded(
        _ block: Span<UInt8>, count: Int, limit: Int, into set: inout Bitset
    ) -> Bool {
        guard block.count > 0, count <= 128 else { return count == 0 }
        return unsafe block.withUnsafeBytes { bytes -> Bool in
            unsafe withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 128) { buffer -> Bool in
                guard let out = buffer.baseAddress else { return false }
                let end = unsafe GapCodes.decode(
                    bytes, at: 8, count: count, order: GapCodes.order(ofChoice: bytes[0]), to: out)
                guard end >= 0 else { return false }
                return unsafe set.words.withUnsafeMutableBufferPointer { words -> Bool in
                    guard let base = words.baseAddress else { return count == 0 }
                    var next = 0
                    for index in 0..<count {
                        next &+= unsafe Int(out[index])
                        // Below the limit, so inside the set.
                        guard next < limit else { return false }
                        unsafe base[next &>> 6] |= 1 &<< UInt64(truncatingIfNeeded: next & 63)
                        next &+= 1
                    }
                    return true
                }
            }
        }
    }
}

extension PostingBlocks {
    /// The bit behind the documents of a block, for who wants none of them; nil where they are not
    /// there.
    ///
    /// - Parameters:
    ///   - bytes: all blocks.
    ///   - place: where the block lies.
    ///   - count: its documents, 1...128.
    ///   - isCoded: as in a `List`.
    package static func documentsEnd(
        _ bytes: Span<UInt8>, _ place: Range<Int>, count: Int, isCoded: Bool
    ) -> Int? {
        guard place.lowerBound < bytes.count, place.upperBound <= bytes.count else { return nil }
        var offset = place.lowerBound
        let head = bytes[offset]
        guard count < 128 else {
            let packed = 1 + 16 * Int(head & ~GapBlock.patched)
            guard head & GapBlock.patched != 0 else { return (offset + packed) * 8 }
            guard offset + 1 < bytes.count else { return nil }
            return (offset + packed + 1 + 2 * Int(bytes[offset + 1])) * 8
        }
        guard !isCoded else {
            var bit = (offset + 1) * 8
            let order = GapCodes.order(ofChoice: head)
            return GapCodes.skip(bytes, at: &bit, count: count, order: order) ? bit : nil
        }
        var left = count
        while left > 0 {
            guard offset < bytes.count else { return nil }
            if bytes[offset] < 0x80 { left -= 1 }
            offset += 1
        }
        return offset * 8
    }
}
