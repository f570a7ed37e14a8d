import FresnelKernels
import FresnelSystem

// Terms and attribute values are kept alike: sorted by folded key, equal keys by their own bytes,
// so that a rank is a sort position and a prefix is a range of ranks. A text that equals its key,
// most lower-case ASCII, is stored once: its original is the empty string, which no text is.

/// Distinct texts in the order (folded key, original bytes); a text's rank is its place there.
package struct SortedTexts: Sendable {
    /// The folded keys, ascending; equal where texts differ only by case or accents.
    ///
    /// None where there are `blocks`.
    package let keys: StringList
    /// The same in blocks, as terms of packed segments have them.
    let blocks: TextBlocks?
    /// The texts that differ from their keys, and the empty string for others; with `sparse` those
    /// alone.
    let originals: StringList
    /// The ranks of `originals`, ascending, where those are few.
    let sparse: PackedArray<UInt32>
    /// A bit for each text, set for those in `sparse`; empty without.
    let flags: PackedArray<UInt64>

    /// The number of texts.
    package var count: Int { blocks?.count ?? keys.count }

    /// The folded key of a text; of texts that are not in blocks (`flat`).
    @_lifetime(borrow self)
    package borrowing func key(of rank: UInt32) -> Span<UInt8> { keys[Int(rank)] }

    /// The text as it stood in the document; of texts that are not in blocks (`flat`).
    @_lifetime(borrow self)
    package borrowing func original(of rank: UInt32) -> Span<UInt8> {
        isFolded(rank) ? keys[Int(rank)] : originals[place(ofOriginal: rank)]
    }

    /// Calls `body` with the folded key of a text.
    @inline(__always)
    func withKey<Answer>(of rank: UInt32, _ body: (Span<UInt8>) -> Answer) -> Answer {
        guard let blocks else { return body(keys[Int(rank)]) }
        return blocks.withText(Int(rank), body)
    }

    /// Calls `body` with a text as it stood in the document; empty for one that is not there.
    func withOriginal<Answer>(of rank: UInt32, _ body: (Span<UInt8>) -> Answer) -> Answer {
        guard Int(rank) < count else { return body(Span()) }
        return isFolded(rank)
            ? withKey(of: rank, body) : body(originals[place(ofOriginal: rank)])
    }

    /// The same texts with their keys as one run of bytes, for who reads all of them.
    var flat: SortedTexts {
        guard let blocks else { return self }
        var arena = StringArena()
        for place in 0..<blocks.count { blocks.withText(place) { arena.append($0) } }
        return SortedTexts(
            keys: StringList(
                offsets: PackedArray(copying: arena.offsets), blob: SharedBytes(arena.bytes)),
            blocks: nil, originals: originals, sparse: sparse, flags: flags)
    }

    /// Whether a text is its own folded key; so is one that is not there.
    package func isFolded(_ rank: UInt32) -> Bool {
        guard Int(rank) < count else { return true }
        guard flags.count == 0 else {
            return flags[Int(rank >> 6)] & (1 &<< UInt64(rank & 63)) == 0 || sparse.count == 0
        }
        return originals.offsets[Int(rank)] == originals.offsets[Int(rank) + 1]
    }

    /// The place in `originals` of a text that differs from its key.
    private func place(ofOriginal rank: UInt32) -> Int {
        guard flags.count > 0 else { return Int(rank) }
        return min(sparsePlace(from: rank), max(0, sparse.count - 1))
    }

    /// The first place in `sparse` whose rank is not below another.
    private func sparsePlace(from rank: UInt32) -> Int {
        Bisection.end(from: 0, to: sparse.count) { sparse[$0] < rank }
    }

    /// Whether all texts of a range, which lies inside, are their own folded keys.
    func areFolded(_ range: Range<UInt32>) -> Bool {
        guard flags.count == 0 else {
            // A word is few terms, mostly one.
            guard range.count > 16 else { return range.allSatisfy { isFolded($0) } }
            return sparsePlace(from: range.lowerBound) == sparsePlace(from: range.upperBound)
        }
        return originals.offsets[Int(range.lowerBound)]
            == originals.offsets[Int(range.upperBound)]
    }

    /// The texts from a rank on that differ from their keys, which begin with `prefix`, ascending.
    ///
    /// - Parameter rank: that of a text whose key begins with `prefix`, or of the one behind them.
    func unfolded(
        from rank: UInt32, withKeyPrefix prefix: Span<UInt8>, _ control: SearchControl
    ) throws(SearchStop) -> [UInt32] {
        guard flags.count > 0 else {
            let end = max(rank, range(withKeyPrefix: prefix).upperBound)
            return try unfolded(in: rank..<end, control)
        }
        // Those that differ are few: where keys begin otherwise need not be looked for.
        var found: [UInt32] = []
        var pace = CheckPace(control)
        var place = sparsePlace(from: rank)
        while place < sparse.count, sparse[place] < UInt32(count),
            withKey(of: sparse[place], { ByteOrder.hasPrefix($0, prefix) })
        {
            try pace.step(16)
            found.append(sparse[place])
            place += 1
        }
        return found
    }

    /// The texts of a range that differ from their keys, ascending.
    ///
    /// They are where the originals' offsets grow, which is looked for by halves: a range of many
    /// folded texts costs nothing.
    private func unfolded(
        in range: Range<UInt32>, _ control: SearchControl
    ) throws(SearchStop) -> [UInt32] {
        let end = Int(range.upperBound)
        var found: [UInt32] = []
        var pace = CheckPace(control)
        var start = Int(range.lowerBound)
        while start < end, originals.offsets[start] < originals.offsets[end] {
            try pace.step(16)
            let floor = originals.offsets[start]
            let next = Bisection.end(from: start, to: end - 1) {
                originals.offsets[$0 + 1] <= floor
            }
            found.append(UInt32(next))
            start = next + 1
        }
        return found
    }

    /// The texts whose folded key begins with `prefix`.
    package func range(withKeyPrefix prefix: Span<UInt8>) -> Range<UInt32> {
        guard let blocks else { return narrow(keys.range(withPrefix: prefix)) }
        let table = blocks.table
        let start = table.lowerBound(prefix)
        // Mostly they are few.
        let end = Galloping.end(from: start, count: blocks.count) { place in
            blocks.withText(place) { ByteOrder.hasPrefix($0, prefix) }
        }
        return narrow(start..<end)
    }

    /// The texts whose folded key is `key`.
    package func range(withKey key: Span<UInt8>) -> Range<UInt32> {
        guard let blocks else { return narrow(keys.range(of: key)) }
        return narrow(blocks.table.range(of: key))
    }

    /// The texts whose folded key contains `needle`, ascending; all for an empty needle.
    ///
    /// Scans the keys from front to back. A table of trigrams may replace the scan without changing
    /// the answer.
    package func ranks(
        withKeyContaining needle: Span<UInt8>, control: SearchControl? = nil
    ) throws(SearchStop) -> [UInt32] {
        guard needle.count > 0 else { return Array(0..<UInt32(count)) }
        guard blocks == nil else { return try ranksInBlocks(needle, control) }
        let blob = keys.blob.bytes
        let keys = keys
        var ranks: [UInt32] = []
        var pace = CheckPace(control)
        var position = 0
        var rank = 0
        while let found = try offset(of: needle, in: blob, from: position, &pace) {
            rank = advance(rank, to: found)
            guard rank < count else { break }
            let end = keys.start(rank + 1)
            if found + needle.count <= end {
                ranks.append(UInt32(rank))
                position = end
            } else {
                position = found + 1  // it runs over into the next key
            }
        }
        return ranks
    }

    private func ranksInBlocks(
        _ needle: Span<UInt8>, _ control: SearchControl?
    ) throws(SearchStop) -> [UInt32] {
        var ranks: [UInt32] = []
        var pace = CheckPace(control)
        var buffer = TextBuffer()
        for start in stride(from: 0, to: count, by: PrefixBlocks.blockLength) {
            try pace.step(PrefixBlocks.blockLength)
            let end = min(count, start + PrefixBlocks.blockLength)
            appendRanks(of: start..<end, containing: needle, to: &ranks, &buffer)
        }
        return ranks
    }

    /// Appends those of some texts, which exist, whose folded key contains `needle`.
    ///
    /// - Parameters:
    ///   - texts: at most as many as a block has, where keys stand in blocks.
    ///   - buffer: where those are put together.
    func appendRanks(
        of texts: Range<Int>, containing needle: Span<UInt8>, to ranks: inout [UInt32],
        _ buffer: inout TextBuffer
    ) {
        guard !texts.isEmpty else { return }
        guard let blocks else { return appendRanks(of: texts, containing: needle, to: &ranks) }
        buffer.fill(texts, of: blocks.table)
        var (position, place) = (0, 0)
        let bytes = buffer.texts
        while let found = ByteSearch.firstOffset(of: needle, in: bytes, from: position) {
            while buffer.end(place) <= found { place += 1 }
            let end = buffer.end(place)
            if found + needle.count <= end {
                ranks.append(UInt32(truncatingIfNeeded: texts.lowerBound + place))
                position = end
            } else {
                position = found + 1  // it runs over into the next key
            }
        }
    }

    private func appendRanks(
        of texts: Range<Int>, containing needle: Span<UInt8>, to ranks: inout [UInt32]
    ) {
        let blob = keys.blob
        let bytes = blob.bytes
        let end = min(bytes.count, keys.start(texts.upperBound))
        var position = keys.start(texts.lowerBound)
        var rank = texts.lowerBound
        while position < end,
            let found = ByteSearch.firstOffset(
                of: needle, in: bytes.extracting(first: end), from: position)
        {
            // By halves: the last key that begins at the place or before.
            var high = texts.upperBound
            while rank + 1 < high {
                let middle = rank + (high - rank) / 2
                if keys.start(middle) <= found { rank = middle } else { high = middle }
            }
            let keyEnd = keys.start(rank + 1)
            if found + needle.count <= keyEnd {
                ranks.append(UInt32(truncatingIfNeeded: rank))
                position = keyEnd
            } else {
                position = found + 1  // it runs over into the next key
            }
        }
    }

    /// Bytes of keys that are scanned between two looks at the budget: a page of the dictionary.
    private static let pageBytes = 64 << 10

    /// The first place of a needle from an offset on, looked for page by page.
    private func offset(
        of needle: Span<UInt8>, in blob: Span<UInt8>, from start: Int, _ pace: inout CheckPace
    ) throws(SearchStop) -> Int? {
        var position = start
        while position < blob.count {
            // A page is taken with the start of the next, where a needle may end.
            let end = min(blob.count, position + Self.pageBytes + needle.count - 1)
            if let found = ByteSearch.firstOffset(
                of: needle, in: blob.extracting(first: end), from: position)
            {
                try pace.step(1 + (found - position) / 16)
                return found
            }
            try pace.step(CheckPace.interval)
            position += Self.pageBytes
        }
        return nil
    }

    /// The rank, from `rank` on, of the key that holds a byte of the blob.
    private func advance(_ rank: Int, to offset: Int) -> Int {
        Galloping.end(from: rank + 1, count: count + 1) { keys.start($0) <= offset } - 1
    }

    private func narrow(_ range: Range<Int>) -> Range<UInt32> {
        UInt32(range.lowerBound)..<UInt32(range.upperBound)
    }
}
