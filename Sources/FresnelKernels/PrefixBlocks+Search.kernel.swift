// Searching strings that ascend.

extension PrefixBlocks {
    /// Below, equal to or above zero as a string is below, equal to or above a key (`ByteOrder`).
    package func compare(_ index: Int, _ key: Span<UInt8>) -> Int {
        guard let parts = parts(index) else { return key.count == 0 ? 0 : -1 }
        let shared = min(parts.startCount, key.count)
        let difference = ByteOrder.compare(
            beginning(parts).extracting(first: shared), key.extracting(first: shared))
        guard difference == 0 else { return difference }
        guard shared == parts.startCount else { return 1 }
        let others = key.extracting(shared..<key.count)
        guard isCoded else { return ByteOrder.compare(rest(parts), others) }
        return withUnpackedRest(parts) { ByteOrder.compare($0, others) }
    }

    /// The index of the first string that is not below a key, or `count`, where strings ascend.
    package func lowerBound(_ key: Span<UInt8>) -> Int {
        // Blocks first, by their first strings: most are told apart by their shared beginnings.
        let head = ByteOrder.leadingWord(of: key)
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
}
