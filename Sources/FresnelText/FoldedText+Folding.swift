extension FoldedText {
    /// Folds a value that is ASCII throughout; otherwise changes nothing and returns false.
    mutating func appendASCII(_ bytes: borrowing Span<UInt8>) -> Bool {
        for index in bytes.indices {
            let byte = bytes[index]
            if byte >= 0x80 || (byte == 0x49 && folding.isTurkishCase) { return false }
        }
        utf8.reserveCapacity(bytes.count)
        traits.reserveCapacity(bytes.count)
        let folding = folding
        var left: CharacterTraits = []
        for index in bytes.indices {
            let byte = bytes[index]
            let right = CharacterTraits(ascii: byte)
            utf8.append(folding.fold(ascii: byte))
            traits.append(right.union(Self.positionTraits(between: left, and: right)))
            left = right
        }
        return true
    }

    /// Folds any value.
    ///
    /// A cluster that folds to nothing (a mark that stands alone, under d) leaves the boundary
    /// before it to its successor.
    mutating func appendClusters(_ bytes: borrowing Span<UInt8>) {
        var buffer = FoldingBuffer()
        var left: CharacterTraits = []
        var inherited: CharacterTraits = []
        var offset = 0
        while offset < bytes.count {
            let cluster = Cluster(bytes, at: offset)
            let positions = Self.positionTraits(between: left, and: cluster.traits)
                .union(inherited)
            let former = utf8.count
            append(cluster, of: bytes, positions, with: &buffer)
            inherited = utf8.count == former ? positions.intersection(.boundary) : []
            left = cluster.traits
            offset = cluster.end
        }
    }

    /// What the position before a cluster is; the start of the value has a separator at its left.
    @inline(__always)
    private static func positionTraits(
        between left: CharacterTraits, and right: CharacterTraits
    ) -> CharacterTraits {
        CharacterTraits.isBoundary(between: left, and: right)
            ? .end : [.clusterStart, .letterStart]
    }

    /// Folds one cluster and appends it.
    private mutating func append(
        _ cluster: Cluster, of bytes: borrowing Span<UInt8>, _ positions: CharacterTraits,
        with buffer: inout FoldingBuffer
    ) {
        let byte = bytes[cluster.start]
        let origin = UInt32(truncatingIfNeeded: cluster.start)
        if cluster.end == cluster.start + 1, byte < 0x80, !(byte == 0x49 && folding.isTurkishCase) {
            utf8.append(folding.fold(ascii: byte))
            traits.append(cluster.traits.union(positions))
            offsets.append(origin)
            return
        }
        folding.fold(cluster, of: bytes, with: &buffer)
        var role = positions
        let isOne = buffer.folded.count == 1
        var letter = Letter(end: utf8.count)
        for scalar in buffer.folded {
            if !isOne, isLetter(scalar, behind: &letter), role.isEmpty { role = .letterStart }
            let former = utf8.count
            appendUTF8(scalar, to: &utf8)
            traits.append(cluster.traits.union(role))
            for _ in former + 1..<utf8.count { traits.append(cluster.traits) }
            for _ in former..<utf8.count { offsets.append(origin) }
            if letter.isNew { letter = Letter(scalar: letter.scalar, end: utf8.count) }
            role = []
        }
    }

    /// The letter of a cluster so far, with its signs.
    private struct Letter {
        var scalar: UInt32 = 0
        /// Where its bytes end.
        var end: Int
        var isNew = false

        mutating func become(_ scalar: UInt32) { (self.scalar, isNew) = (scalar, true) }
    }

    /// Whether a star may stand before a folded scalar of a cluster: not before an accent, nor
    /// inside of what is one letter without diacritics.
    private mutating func isLetter(_ scalar: UInt32, behind letter: inout Letter) -> Bool {
        let isMark = scalar >= 0x80 && UnicodeCategory(of: scalar) == .mark
        if isMark ? !LetterSigns.contains(scalar) : Ignorables.contains(scalar) { return !isMark }
        if isMark || LetterSigns.voicesKana(scalar), joins(scalar, to: &letter) {
            // What stands between is dropped there.
            for place in letter.end..<utf8.count where !traits[place].contains(.clusterStart) {
                traits[place].remove(.letterStart)
            }
            letter.isNew = true
            return false
        }
        letter.become(scalar)
        return true
    }

    /// Whether a sign is one letter with what stands before it; makes that the letter.
    private func joins(_ sign: UInt32, to letter: inout Letter) -> Bool {
        // Without diacritics it is one scalar already, or no part of a letter.
        guard !folding.ignoresMarks else { return false }
        if LetterSigns.isHalfWidth(sign) { return true }
        guard let whole = LetterSigns.composite(of: letter.scalar, sign) else { return false }
        letter.become(whole)
        return true
    }
}
