package import FresnelText

extension GlobPattern {
    /// Compiles a string comparison of a query; `language` is a BCP 47 tag, nil folds neutrally.
    package init(_ pattern: TextPattern, language: String?) {
        let pieces = pattern.pieces.map { piece -> GlobPiece in
            switch piece {
            case .literal(let text): .literal(text)
            case .anyRun: .anyRun
            case .anyCharacter: .anyCharacter
            }
        }
        self.init(
            pieces: pieces, options: FoldingOptions(pattern.modifiers),
            wordBased: pattern.modifiers.contains(.wordBased), language: language)
    }
}

extension FoldingOptions {
    /// What modifiers ignore.
    package init(_ modifiers: Modifiers) {
        self = modifiers.contains(.caseInsensitive) ? .caseInsensitive : []
        if modifiers.contains(.diacriticInsensitive) { insert(.diacriticInsensitive) }
    }
}
