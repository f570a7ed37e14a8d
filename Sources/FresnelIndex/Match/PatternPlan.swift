package import FresnelQuery
package import FresnelText

/// A pattern compiled once for all segments: how to decide it, and how to find what to decide.
package struct PatternPlan: Sendable {
    /// How texts that may match are found.
    package enum Shape: Sendable {
        /// By the whole text: the pattern is not word based.
        case values(KeyNarrowing)
        /// By one token, which decides the pattern: one word, or a part of one between stars.
        case token(TokenPlan)
        /// By tokens that must all be there; the text decides.
        case phrase([TokenPlan])
    }

    /// How to find texts that may match.
    package let shape: Shape
    /// Decides texts where no token does.
    private let whole: WholeGlob?
    /// Whether the pattern matches at word boundaries.
    package let isWordBased: Bool
    /// Whether every text that is its own key and fits the narrowing of `values` matches.
    package let decidesFolded: Bool
    /// Whether texts with irregular characters may match although tokens do not say so.
    package let hasIrregularTexts: Bool

    /// Whether a phrase is tokens parted by white space, and nothing else.
    package let isPartedByWhitespace: Bool

    /// Decides a text; compiled when it is asked for, so take it out of loops.
    package var glob: GlobPattern {
        if let whole { return whole.glob.compiled }
        guard case .token(let token) = shape else {
            preconditionFailure("a pattern of \(shape) decides no text")
        }
        return token.glob
    }

    /// Whether a text matches, for texts of which most do not.
    func holds(in text: String) -> Bool {
        let view = text.utf8
        if case .values(let narrowing) = shape, !narrowing.admits(view.span) { return false }
        return glob.matches(text)
    }

    /// Whether values decide the pattern, not tokens.
    package var isDecidedByValues: Bool {
        if case .values = shape { true } else { false }
    }

    /// What its tokens look for (`TokenPlan.literalKey`), of each; nil where one's is not known.
    var literalKeys: [[UInt8]]? {
        switch shape {
        case .values: return nil
        case .token(let token): return token.literalKey.map { [$0] }
        case .phrase(let tokens):
            let keys = tokens.compactMap(\.literalKey)
            return keys.count == tokens.count ? keys : nil
        }
    }

    /// Compiles a pattern as it is written, or with `w` added, as text content has it.
    package init(_ pattern: TextPattern, isWordBased: Bool = false, language: String?) {
        var pattern = pattern
        if isWordBased { pattern.modifiers.insert(.wordBased) }
        self.isWordBased = pattern.modifiers.contains(.wordBased)
        if let word = PlainWord(pattern, isWordBased: self.isWordBased, language: language) {
            whole = nil
            shape = .token(TokenPlan(word, LazyGlob(pattern, language: nil)))
            decidesFolded = !self.isWordBased && word.isKey
            hasIrregularTexts = pattern.modifiers.contains(.diacriticInsensitive)
            isPartedByWhitespace = true
            return
        }
        if let words = PlainWord.phrase(
            pattern, isWordBased: self.isWordBased, language: language)
        {
            whole = WholeGlob(LazyGlob(pattern, language: nil))
            let modifiers = pattern.modifiers
            shape = .phrase(
                words.enumerated().map { place, word in
                    let own = TextPattern(pieces: [.literal(word.text)], modifiers: modifiers)
                    return TokenPlan(
                        word.word, LazyGlob(own, language: nil), isAdjacent: place > 0)
                })
            decidesFolded = false
            hasIrregularTexts = pattern.modifiers.contains(.diacriticInsensitive)
            isPartedByWhitespace = true
            return
        }
        let glob = GlobPattern(pattern, language: language)
        let cut = PatternUnits(glob.pieces, folding: glob.folding)
        let units = cut.linked
        isPartedByWhitespace =
            cut.isPartedByWhitespace && !units.isEmpty && units.allSatisfy(\.isCertain)
        decidesFolded =
            !glob.isWordBased && KeyNarrowing.decides(glob.pieces, folding: glob.folding)
        shape = Self.shape(glob, units, hasSeparators: cut.hasSeparators, language: language)
        let ignoresMarks = glob.folding.options.contains(.diacriticInsensitive)
        switch shape {
        case .values: (whole, hasIrregularTexts) = (WholeGlob(LazyGlob(glob)), false)
        case .token: (whole, hasIrregularTexts) = (nil, ignoresMarks)
        case .phrase: (whole, hasIrregularTexts) = (WholeGlob(LazyGlob(glob)), ignoresMarks)
        }
    }

    private static func shape(
        _ glob: GlobPattern, _ units: [PatternUnit], hasSeparators: Bool, language: String?
    ) -> Shape {
        let isOneToken = units.count == 1 && units[0].isCertain && !hasSeparators
        if glob.isWordBased ? isOneToken : isOneToken && isInfix(glob.pieces) {
            return .token(TokenPlan(units[0], LazyGlob(glob), glob.folding))
        }
        guard glob.isWordBased else { return .values(KeyNarrowing(glob.pieces)) }
        return .phrase(
            units.filter(\.isCertain).map { unit in
                let glob = GlobPattern(
                    pieces: unit.pieces, options: glob.folding.options, wordBased: true,
                    language: language)
                return TokenPlan(unit, LazyGlob(glob), glob.folding)
            })
    }

    /// Whether a pattern is a literal without white space between two stars: a text without
    /// irregular characters contains the literal, once known to be part of one word, exactly if one
    /// of its tokens does.
    private static func isInfix(_ pieces: [GlobPiece]) -> Bool {
        guard pieces.count == 3, pieces[0] == .anyRun, pieces[2] == .anyRun,
            case .literal(let text) = pieces[1]
        else { return false }
        return !text.unicodeScalars.contains { $0.properties.isWhitespace }
    }
}

/// The glob of a pattern that is not that of its only token.
private final class WholeGlob: Sendable {
    let glob: LazyGlob

    init(_ glob: consuming LazyGlob) { self.glob = glob }
}

/// One token of a word-based pattern.
///
/// A class, since it goes from hand to hand while a query is answered.
package final class TokenPlan: Sendable {
    private let lazy: LazyGlob
    /// Decides a token; compiled when it is asked for, so take it out of loops.
    package var glob: GlobPattern { lazy.compiled }
    /// What the key of the token, from its start or from a word boundary inside, looks like.
    package let narrowing: KeyNarrowing
    /// Whether every token that is its own key and fits the narrowing matches.
    package let decidesFolded: Bool
    /// Whether every token of ASCII whose whole key fits the narrowing matches.
    let decidesASCII: Bool
    /// What the comparison ignores; of a plain word.
    let options: FoldingOptions
    /// Whether the token stands right behind that of the plan before.
    package let isAdjacent: Bool
    /// The key of the only literal, with at most stars around it, where that is letters and digits
    /// of ASCII: a text that matches has it in a token, or where it touches an irregular character
    /// (`IrregularPassage`).
    let literalKey: [UInt8]?

    init(_ unit: PatternUnit, _ lazy: consuming LazyGlob, _ folding: Folding) {
        self.lazy = lazy
        narrowing = KeyNarrowing(unit.pieces.joined)
        literalKey = unit.pieces.joined.isOneLiteral ? narrowing.plainKey : nil
        decidesFolded = KeyNarrowing.decides(unit.pieces.joined, folding: folding)
        decidesASCII = false
        options = folding.options
        isAdjacent = unit.isAdjacent
    }

    init(_ word: PlainWord, _ lazy: consuming LazyGlob, isAdjacent: Bool = false) {
        self.lazy = lazy
        narrowing = word.narrowing
        literalKey = narrowing.plainKey
        decidesFolded = word.isKey
        decidesASCII = word.ignoresCase
        options = word.options
        self.isAdjacent = isAdjacent
    }
}

extension KeyNarrowing {
    /// The key, where it is letters and digits of ASCII.
    fileprivate var plainKey: [UInt8]? {
        guard let key, !key.isEmpty, key.allSatisfy(IrregularPassages.isPlain) else { return nil }
        return key
    }
}

extension [GlobPiece] {
    /// Whether they are one literal with at most stars around it.
    fileprivate var isOneLiteral: Bool {
        var literals = 0
        for piece in self {
            switch piece {
            case .literal: literals += 1
            case .anyRun: break
            case .anyCharacter: return false
            }
        }
        return literals == 1
    }

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
