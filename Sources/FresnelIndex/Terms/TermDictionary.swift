import FresnelKernels
import FresnelSystem

// The unit is the original run of word characters, as the tokenizer yields it: case and accents
// kept, every character of a script without spaces a run of its own. A word-based pattern without
// separators is decided by one run alone, so such a pattern is decided exactly by matching
// dictionary entries; no document need be looked at.

/// The terms of a segment; a `TermID` is the rank of a term.
///
/// A class, so that looking a word up counts one reference, not those of all tables.
package final class TermDictionary: Sendable {
    /// The terms with their folded keys.
    package let texts: SortedTexts
    /// Where terms can be entered besides their start.
    package let camel: CamelTable
    /// The trigrams of the keys; nil when the dictionary is small enough to be scanned.
    let grams: GramTable?
    /// The terms with boundaries inside, ascending; nil where those are many, and each is told by
    /// its text.
    package let parted: [TermID]?

    /// Boundaries up to which the terms that have them are kept in memory.
    private static let partedLimit = 4096

    init(texts: SortedTexts, camel: CamelTable, grams: GramTable?) {
        self.texts = texts
        self.camel = camel
        self.grams = grams
        guard camel.count <= Self.partedLimit else {
            parted = nil
            return
        }
        let terms = Set((0..<camel.count).map { camel.term(at: $0) })
        parted = terms.filter { Int($0) < texts.count }.sorted()
    }

    /// The number of terms.
    package var count: Int { texts.count }

    /// The folded key of a term, as `foldedKey(of:)` makes it.
    package func foldedKey(of term: TermID) -> [UInt8] {
        texts.withKey(of: term) { [UInt8](copying: $0) }
    }

    /// The term as it stood in the document.
    package func original(of term: TermID) -> [UInt8] {
        texts.withOriginal(of: term) { [UInt8](copying: $0) }
    }

    /// The terms whose folded key begins with `prefix`.
    package func range(withFoldedPrefix prefix: Span<UInt8>) -> Range<TermID> {
        texts.range(withKeyPrefix: prefix)
    }

    /// The terms whose folded key is `key`.
    package func range(withFoldedKey key: Span<UInt8>) -> Range<TermID> {
        texts.range(withKey: key)
    }

    /// The terms whose folded key contains `needle`, ascending.
    package func terms(
        containing needle: Span<UInt8>, control: SearchControl? = nil
    ) throws(SearchStop) -> [TermID] {
        guard let grams, needle.count >= GramTable.length else {
            return try texts.ranks(withKeyContaining: needle, control: control)
        }
        var pace = CheckPace(control)
        let blocks = try grams.candidates(containing: needle, &pace)
        // Of a pattern of three bytes lists of keys are the answer.
        guard grams.blockLength > 1 || needle.count > GramTable.length else { return blocks }
        var found: [UInt32] = []
        var buffer = TextBuffer()
        for block in blocks {
            try pace.step(16)
            texts.appendRanks(
                of: grams.keys(ofBlock: block, of: count), containing: needle, to: &found, &buffer)
        }
        return found
    }

    /// The first blocks of keys that may contain `needle`, ascending; nil without a table of
    /// trigrams.
    ///
    /// Those that have its rarest trigram; fewer than `count` are all of them.
    func firstBlocks(containing needle: Span<UInt8>, atMost count: Int) -> [UInt32]? {
        guard let grams, needle.count >= GramTable.length else { return nil }
        return grams.firstCandidates(containing: needle, atMost: count)
    }

    /// The terms of some blocks of keys whose folded key contains `needle`, ascending as the blocks
    /// do.
    func terms(containing needle: Span<UInt8>, in blocks: some Sequence<UInt32>) -> [TermID] {
        guard let grams else { return [] }
        var found: [UInt32] = []
        var buffer = TextBuffer()
        for block in blocks {
            texts.appendRanks(
                of: grams.keys(ofBlock: block, of: count), containing: needle, to: &found, &buffer)
        }
        return found
    }

    /// The terms that hold inner camel boundaries and whose folded key has `prefix` at one of them,
    /// ascending and distinct.
    ///
    /// Start boundaries are not included: `range(withFoldedPrefix:)` has those.
    package func camelTerms(
        withFoldedPrefix prefix: Span<UInt8>, control: SearchControl? = nil
    ) throws(SearchStop) -> [TermID] {
        try camel.terms(camel.range(withFoldedPrefix: prefix, of: texts), control: control)
    }
}
