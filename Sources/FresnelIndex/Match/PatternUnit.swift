package import FresnelText

// A word-based pattern is cut where a text that it matches must be cut: at separators and around
// the characters of scripts without spaces. What lies between is matched by exactly one token of
// the text each, one token after the other. The cut is made on the folded literals, because those
// are what is compared; texts that fold across the cuts are `IrregularScalars`' business.

/// A part of a word-based pattern that one token of the text matches.
package struct PatternUnit: Hashable, Sendable {
    /// The globs of the token; literals are folded.
    package var pieces: [GlobPiece]
    /// Whether the unit surely matches a token, not the empty text between two.
    package var isCertain: Bool
    /// Whether the token stands right behind that of the unit before, which is certain too.
    package var isAdjacent: Bool
}

/// The units of a word-based pattern.
package struct PatternUnits: Sendable {
    /// The units in order.
    package private(set) var units: [PatternUnit] = []
    /// Whether a separator stands between or beside units.
    package private(set) var hasSeparators = false
    /// Whether white space, and nothing else, stands between any two units.
    package private(set) var isPartedByWhitespace = true
    /// Whether the cut cannot be trusted; then `units` is empty.
    package private(set) var isUnclear = false
    private var isOpen = false

    /// Cuts a pattern.
    package init(_ pieces: [GlobPiece], folding: Folding) {
        for piece in Self.trimmed(pieces) {
            switch piece {
            case .literal(let text): append(text, folding)
            case .anyRun, .anyCharacter: appendWildcard(piece)
            }
        }
        if isUnclear { units = [] }
    }

    private mutating func append(_ literal: String, _ folding: Folding) {
        let folded = FoldedText(literal, folding: folding).utf8
        if !literal.unicodeScalars.allSatisfy({ $0.isWhite || $0.isWordCharacter }) {
            isPartedByWhitespace = false
        }
        let isMarked =
            literal.unicodeScalars.first.map { !$0.isASCII && $0.properties.isMark } ?? true
        if isMarked || folded.isEmpty { isUnclear = true }
        let tokens = Tokenizer.tokens(of: folded).tokens
        var end = 0
        for token in tokens {
            if Int(token.start) > end { separate() }
            if token.isSpaceless {
                isOpen = false
                isPartedByWhitespace = false
            }
            let text = String(decoding: folded[token.range], as: UTF8.self)
            extend(by: .literal(text))
            isOpen = !token.isSpaceless
            end = Int(token.end)
        }
        if end < folded.count { separate() }
    }

    private mutating func appendWildcard(_ piece: GlobPiece) {
        extend(by: piece)
        isOpen = true
    }

    private mutating func extend(by piece: GlobPiece) {
        let isCertain = piece != .anyRun
        if isOpen, !units.isEmpty {
            units[units.count - 1].pieces.append(piece)
            if isCertain { units[units.count - 1].isCertain = true }
            return
        }
        units.append(PatternUnit(pieces: [piece], isCertain: isCertain, isAdjacent: false))
    }

    private mutating func separate() {
        hasSeparators = true
        isOpen = false
    }

    /// The units with their neighbourhood, or none when the cut cannot be trusted.
    package var linked: [PatternUnit] {
        var linked = units
        for place in linked.indices.dropFirst() {
            linked[place].isAdjacent = linked[place - 1].isCertain && linked[place].isCertain
        }
        return linked
    }

    /// The pieces without white space at both ends, which word-based patterns ignore.
    private static func trimmed(_ pieces: [GlobPiece]) -> [GlobPiece] {
        var pieces = pieces
        if case .literal(let text)? = pieces.first, text.unicodeScalars.first?.isWhite ?? false {
            let rest = text.unicodeScalars.drop { $0.isWhite }
            pieces[0] = .literal(String(rest))
        }
        if case .literal(let text)? = pieces.last, text.unicodeScalars.last?.isWhite ?? false {
            var rest = text.unicodeScalars[...]
            while let last = rest.last, last.isWhite { rest.removeLast() }
            pieces[pieces.count - 1] = .literal(String(rest))
        }
        return pieces.filter { $0 != .literal("") }
    }
}

extension Unicode.Scalar {
    /// Whether the character is white space; told from ASCII without a table.
    fileprivate var isWhite: Bool {
        isASCII ? value == 0x20 || 0x09...0x0D ~= value : properties.isWhitespace
    }

    /// Whether the character is part of a word, as texts are cut, before and after folding.
    fileprivate var isWordCharacter: Bool {
        if isASCII {
            return "a"..."z" ~= self || "0"..."9" ~= self || "A"..."Z" ~= self
        }
        return CharacterTraits(scalar: value).contains(.word) && !IrregularScalars.contains(value)
    }
}

extension Unicode.Scalar.Properties {
    /// Whether the character is a combining mark.
    fileprivate var isMark: Bool {
        switch generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }
}
