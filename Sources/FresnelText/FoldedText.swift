// Folded text is UTF-8, not scalars: ASCII, most of all text, then needs one byte a character and
// no conversion, a folded literal is found by comparing bytes (UTF-8 cannot match out of step),
// and the bytes of a cd-folded token are its dictionary key. Beside each byte stand its traits;
// the map back to the original is left out where it is the identity, in ASCII.

/// One value as a comparison sees it, with the way back to the original.
package struct FoldedText: Sendable {
    /// How the value was folded.
    package let folding: Folding
    /// The folded form.
    package internal(set) var utf8: [UInt8] = []
    /// For each folded byte what its cluster is and what position stands before it.
    package internal(set) var traits: [CharacterTraits] = []
    /// For each folded byte the offset of its cluster in the original; empty for the identity.
    var offsets: [UInt32] = []
    /// The length of the original in UTF-8 bytes.
    package let originalCount: Int

    /// Folds a value.
    package init(_ value: String, folding: Folding) {
        let view = value.utf8
        self.init(utf8: view.span, folding: folding)
    }

    /// Folds a value given as UTF-8; bytes that are not UTF-8 count as U+FFFD.
    ///
    /// A value of 4 GiB or more is a broken invariant: documents are limited far below.
    package init(utf8 bytes: borrowing Span<UInt8>, folding: Folding) {
        precondition(bytes.count <= UInt32.max, "value of \(bytes.count) bytes was let in")
        self.folding = folding
        originalCount = bytes.count
        if !appendASCII(bytes) { appendClusters(bytes) }
    }

    /// The number of folded bytes; `count` is a position too, the end.
    @inline(__always)
    package var count: Int { utf8.count }

    /// The traits of the byte at a position, or of the end.
    @inline(__always)
    func traits(at position: Int) -> CharacterTraits {
        position == utf8.count ? .end : traits[position]
    }

    /// Whether an original cluster begins at a position, or the value ends there.
    package func isClusterStart(_ position: Int) -> Bool {
        traits(at: position).contains(.clusterStart)
    }

    /// Whether a position is a word boundary of the original.
    package func isBoundary(_ position: Int) -> Bool {
        traits(at: position).contains(.boundary)
    }

    /// The UTF-8 offset in the original of the cluster that the byte at `position` came from.
    package func originalOffset(at position: Int) -> Int {
        if position == utf8.count { return originalCount }
        return offsets.isEmpty ? position : Int(offsets[position])
    }

    /// The whole original clusters, as UTF-8 offsets, that a range of folded bytes came from.
    package func originalRange(of range: Range<Int>) -> Range<Int> {
        var end = range.upperBound
        while end > range.lowerBound, !isClusterStart(end) { end += 1 }
        return originalOffset(at: range.lowerBound)..<originalOffset(at: end)
    }
}
