// A pattern is compiled once into an automaton over the folded bytes (GlobAutomaton), which reads
// a value once from left to right whatever the pattern: no backtracking, so no input is slow out
// of proportion. Where exactly a match lies is asked only for highlights, and is found by running
// the same automaton back from the end of the match (GlobPattern+Ranges).
//
// What a star may cut: a literal beside a star begins and ends at a letter of the folded value, so
// "stras*"c finds "Straße" (folded strasse) while the user is still typing, but never between a
// letter and its mark, so "cafe*" does not find "café". Beside wildcards with a `?` among them and
// at the ends of the value a literal begins and ends with a whole original character.

/// A compiled string comparison: a glob with its modifiers.
package struct GlobPattern: Sendable {
    /// The glob, as given.
    package let pieces: [GlobPiece]
    /// How both sides are folded; values handed to `matches` must be folded so.
    package let folding: Folding
    /// Whether the pattern matches at word boundaries inside the value (`w`).
    package let isWordBased: Bool
    let form: Form

    /// What the glob amounts to.
    enum Form: Sendable {
        /// An empty glob: no value matches.
        case nothing
        /// Only stars: every value matches.
        case everything
        /// No wildcard and anchored at both ends: the folded value is these bytes.
        case exactly([UInt8])
        case automaton(GlobAutomaton)
    }

    /// Compiles a pattern; `language` is a BCP 47 tag, nil folds neutrally.
    ///
    /// White space at either end of a word-based pattern is ignored.
    package init(
        pieces: [GlobPiece], options: FoldingOptions, wordBased: Bool = false,
        language: String? = nil
    ) {
        self.pieces = pieces
        folding = Folding(options, language: language)
        isWordBased = wordBased
        var compiler = GlobCompiler(folding: folding, isWordBased: wordBased)
        form = compiler.compile(pieces)
    }

    /// Whether a value matches.
    package func matches(_ value: String) -> Bool {
        switch form {
        case .nothing: false
        case .everything: true
        case .exactly, .automaton: matches(FoldedText(value, folding: folding))
        }
    }

    /// Whether a value given as UTF-8 matches.
    package func matches(utf8 value: borrowing Span<UInt8>) -> Bool {
        switch form {
        case .nothing: false
        case .everything: true
        case .exactly, .automaton: matches(FoldedText(utf8: value, folding: folding))
        }
    }

    /// Whether a value matches that was folded with this pattern's `folding`.
    package func matches(_ folded: FoldedText) -> Bool {
        precondition(
            folded.folding == folding, "value folded with \(folded.folding), not \(folding)")
        return switch form {
        case .nothing: false
        case .everything: true
        case .exactly(let bytes): folded.utf8 == bytes
        case .automaton(let automaton): automaton.earliestEnd(in: folded, from: 0) != nil
        }
    }
}
