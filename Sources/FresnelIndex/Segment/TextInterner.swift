import FresnelKernels
import FresnelSystem
import FresnelText

// Millions of tokens are a hundred thousand distinct terms. Tokens are looked up as bytes in an
// arena by open addressing, without making a string of any, and only distinct ones are folded.

/// Gives every distinct text a number, in the order they first occur.
struct TextInterner {
    private(set) var texts = StringArena()
    private var hashes: [UInt32] = []
    /// The number of a text plus one, or 0 for free; a power of two, at most half full.
    private var slots = [UInt32](repeating: 0, count: 64)

    var count: Int { texts.count }

    /// The number of a text; nil when it has none.
    func known(_ text: Span<UInt8>) -> UInt32? {
        let slot = slots[slot(of: text, hash: Self.hash(of: text))]
        return slot == 0 ? nil : slot &- 1
    }

    /// The number of a text.
    mutating func number(of text: Span<UInt8>) -> UInt32 {
        number(of: text, hash: Hash.checksum(of: text))
    }

    /// The number of a text whose hash is known (`Hash.checksum`).
    mutating func number(of text: Span<UInt8>, hash: UInt64) -> UInt32 {
        let hash = UInt32(truncatingIfNeeded: hash)
        let slot = slot(of: text, hash: hash)
        if slots[slot] != 0 { return slots[slot] &- 1 }
        let number = UInt32(texts.count)
        slots[slot] = number &+ 1
        hashes.append(hash)
        texts.append(text)
        if texts.count &* 2 > slots.count { grow() }
        return number
    }

    private static func hash(of text: Span<UInt8>) -> UInt32 {
        UInt32(truncatingIfNeeded: Hash.checksum(of: text))
    }

    /// The slot of a text, or the free one that it would take.
    @inline(__always)
    private func slot(of text: Span<UInt8>, hash: UInt32) -> Int {
        let mask = slots.count &- 1
        var slot = Int(hash) & mask
        while slots[slot] != 0 {
            let number = Int(slots[slot] &- 1)
            if hashes[number] == hash, isEqual(number, text) { break }
            slot = (slot &+ 1) & mask
        }
        return slot
    }

    @inline(__always)
    private func isEqual(_ number: Int, _ text: Span<UInt8>) -> Bool {
        ByteOrder.compare(texts[number], text) == 0
    }

    private mutating func grow() {
        slots = [UInt32](repeating: 0, count: slots.count * 2)
        let mask = slots.count - 1
        for (number, hash) in hashes.enumerated() {
            var slot = Int(hash) & mask
            while slots[slot] != 0 { slot = (slot + 1) & mask }
            slots[slot] = UInt32(number) + 1
        }
    }
}

extension TextInterner {
    /// The texts in the order (folded key, original bytes), and for each number its rank there.
    func sorted() -> (texts: SortedArena, ranks: [UInt32]) {
        var keys = StringArena()
        keys.reserve(count: count, bytes: texts.bytes.count)
        var yieldPace = YieldPace()
        for number in 0..<count {
            yieldPace.step(every: 16)
            keys.append { appendFoldedKey(of: texts[number], to: &$0) }
        }
        var sorted = SortedArena()
        sorted.keys.reserve(count: count, bytes: keys.bytes.count)
        sorted.originals.reserve(count: count, bytes: 0)
        var ranks = [UInt32](repeating: 0, count: count)
        for (rank, number) in order(keys).enumerated() {
            yieldPace.step(every: 32)
            sorted.append(key: keys[number], original: texts[number])
            ranks[number] = UInt32(rank)
        }
        return (sorted, ranks)
    }

    /// The numbers in the order (folded key, original bytes).
    private func order(_ keys: StringArena) -> [Int] {
        // Eight bytes of the key decide most of it without touching the arena.
        var entries = (0..<count).map {
            RadixSort.Entry(key: ByteOrder.leadingWord(of: keys[$0]), value: UInt32($0))
        }
        RadixSort.sort(&entries)
        var order = entries.map { Int($0.value) }
        var start = 0
        while start < order.count {
            var end = start + 1
            while end < order.count, entries[end].key == entries[start].key { end += 1 }
            if end > start + 1 {
                order[start..<end].sort { left, right in
                    let difference = ByteOrder.compare(keys[left], keys[right])
                    if difference != 0 { return difference < 0 }
                    return ByteOrder.compare(texts[left], texts[right]) < 0
                }
            }
            start = end
        }
        return order
    }
}
