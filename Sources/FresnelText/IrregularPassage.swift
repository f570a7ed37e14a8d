// A comparison sees a text as it folds. Where that agrees with what tokens say, character by
// character, tokens decide; so a text that matches although no token says so has the pattern's
// words across a character that folds to another class (`IrregularScalars`). What stands around
// such characters, up to where a word that touches them can reach, is all that needs to be looked
// through to know that there is none.

/// What stands around one irregular character of a text, or around several that stand together.
package struct IrregularPassage: Hashable, Sendable {
    /// The dictionary key of the passage: the word before, what the characters fold to, the word
    /// behind, and what parts them.
    package var key: [UInt8] = []
    /// Where in the key the irregular characters are, all between the first and the last included.
    package var core = 0..<0
    /// Whether one of the characters may change what stands beside it without being part of that:
    /// it folds to no word character, so that words on both sides of it may be one, or neighbours;
    /// or it is part of a word and has a separator at an edge of what it folds to, where a word
    /// beside it ends that no token does (`foo⑴`, folded `foo(1)`).
    package var isGap = false

    /// What the irregular characters fold to.
    package var coreKey: ArraySlice<UInt8> { key[core] }

    /// Calls `body` with the passages of a text, in their order.
    ///
    /// They hold the words of letters that are written with spaces between words; a character of
    /// other scripts ends a passage.
    package static func forEach(in text: borrowing Span<UInt8>, _ body: (IrregularPassage) -> Void)
    {
        guard IrregularScalars.occur(in: text) else { return }
        var before = WordBefore()
        var open: OpenPassage?
        var offset = 0
        while offset < text.count {
            let cluster = Cluster(text, at: offset)
            offset = cluster.end
            if IrregularScalars.occur(in: text.extracting(cluster.start..<cluster.end)) {
                open.take(cluster, behind: before.start)
                if cluster.parts(text) { open?.isGap = true }
                before.isOpen = false
                continue
            }
            if let passage = open, passage.ends(before: cluster) {
                body(passage.closed(at: cluster.start, of: text))
                open = nil
            }
            if cluster.traits.isTakenInWord { open?.hasWordBehind = true }
            before.pass(cluster)
        }
        if let open { body(open.closed(at: text.count, of: text)) }
    }
}

extension Cluster {
    /// Whether the cluster of a text, which is irregular, makes a passage a gap.
    fileprivate func parts(_ text: borrowing Span<UInt8>) -> Bool {
        var key: [UInt8] = []
        appendFoldedKey(of: text.extracting(start..<end), to: &key)
        var words: [Bool] = []
        var offset = 0
        while offset < key.count {
            let folded = Cluster(key.span, at: offset)
            words.append(folded.traits.contains(.word))
            offset = folded.end
        }
        guard words.contains(true) else { return true }
        return traits.contains(.word) && !(words[0] && words[words.count - 1])
    }
}

/// Where the last word begins that a passage would reach back to.
private struct WordBefore {
    var start = 0
    /// Whether the next character of a word belongs to it.
    var isOpen = false

    mutating func pass(_ cluster: Cluster) {
        if cluster.traits.isTakenInWord {
            if !isOpen { start = cluster.start }
            isOpen = true
            return
        }
        if cluster.traits.contains(.spaceless) { start = cluster.end }
        isOpen = false
    }
}

/// A passage whose end has not been seen.
private struct OpenPassage {
    let start: Int
    /// From the first irregular character through the last.
    var core: Range<Int>
    var isGap = false
    /// Whether a word has begun behind the core.
    var hasWordBehind = false

    /// Whether a regular character is not part of it.
    func ends(before cluster: Cluster) -> Bool {
        cluster.traits.contains(.spaceless)
            || hasWordBehind && !cluster.traits.contains(.word)
    }

    func closed(at end: Int, of text: borrowing Span<UInt8>) -> IrregularPassage {
        var passage = IrregularPassage()
        appendFoldedKey(of: text.extracting(start..<core.lowerBound), to: &passage.key)
        let coreStart = passage.key.count
        appendFoldedKey(of: text.extracting(core), to: &passage.key)
        passage.core = coreStart..<passage.key.count
        appendFoldedKey(of: text.extracting(core.upperBound..<end), to: &passage.key)
        passage.isGap = isGap
        return passage
    }
}

extension OpenPassage? {
    /// Takes an irregular character into the passage, or begins one that reaches back to `start`.
    fileprivate mutating func take(_ cluster: Cluster, behind start: Int) {
        guard var passage = self else {
            self = OpenPassage(
                start: min(start, cluster.start), core: cluster.start..<cluster.end)
            return
        }
        passage.core = passage.core.lowerBound..<cluster.end
        passage.hasWordBehind = false
        self = passage
    }
}
