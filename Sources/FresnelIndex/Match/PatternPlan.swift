package import FresnelQuery
package import FresnelText

/// A pattern compiled once for all segments: how to decide it, and how to find what to decide.
package struct PatternPlan: Sendable {
    /// How texts that may match are found.
    package enum Shape: Sendable {
        /// By the whole text: the pattern is not word based.
        case values(KeyNarrowing)
        /// By one token, which decides the pattern.
        case token(TokenPlan)
        /// By tokens that must all be there; the text decides.
        case phrase([TokenPlan])
    }

    /// Decides a text.
    package let glob: GlobPattern
    /// How to find texts that may match.
    package let shape: Shape
    /// Whether every text that is its own key and fits the narrowing of `values` matches.
    package let decidesFolded: Bool
    /// Whether documents with irregular characters must be decided by their texts.
    package let hasIrregularTexts: Bool

    /// Compiles a pattern as it is written, or with `w` added, as text content has it.
    package init(_ pattern: TextPattern, isWordBased: Bool = false, language: String?) {
        var pattern = pattern
        if isWordBased { pattern.modifiers.insert(.wordBased) }
        let glob = GlobPattern(pattern, language: language)
        self.glob = glob
        hasIrregularTexts =
            glob.isWordBased && glob.folding.options.contains(.diacriticInsensitive)
        guard glob.isWordBased else {
            let pieces = glob.pieces
            shape = .values(KeyNarrowing(pieces))
            decidesFolded = KeyNarrowing.decides(pieces, folding: glob.folding)
            return
        }
        decidesFolded = false
        let cut = PatternUnits(glob.pieces, folding: glob.folding)
        let units = cut.linked
        if units.count == 1, units[0].isCertain, !cut.hasSeparators {
            shape = .token(TokenPlan(units[0], glob: glob))
        } else {
            shape = .phrase(
                units.filter(\.isCertain).map { unit in
                    TokenPlan(
                        unit,
                        glob: GlobPattern(
                            pieces: unit.pieces, options: glob.folding.options, wordBased: true,
                            language: language))
                })
        }
    }
}

/// One token of a word-based pattern.
package struct TokenPlan: Sendable {
    /// Decides a token.
    package let glob: GlobPattern
    /// What the key of the token, from its start or from a word boundary inside, looks like.
    package let narrowing: KeyNarrowing
    /// Whether every token that is its own key and fits the narrowing matches.
    package let decidesFolded: Bool
    /// Whether the token stands right behind that of the plan before.
    package let isAdjacent: Bool

    init(_ unit: PatternUnit, glob: GlobPattern) {
        self.glob = glob
        narrowing = KeyNarrowing(unit.pieces.joined)
        decidesFolded = KeyNarrowing.decides(unit.pieces.joined, folding: glob.folding)
        isAdjacent = unit.isAdjacent
    }
}

extension [GlobPiece] {
    /// The pieces with neighbouring literals as one.
    fileprivate var joined: [GlobPiece] {
        var joined: [GlobPiece] = []
        for piece in self {
            if case .literal(let text) = piece, case .literal(let former)? = joined.last {
                joined[joined.count - 1] = .literal(former + text)
            } else {
                joined.append(piece)
            }
        }
        return joined
    }
}
