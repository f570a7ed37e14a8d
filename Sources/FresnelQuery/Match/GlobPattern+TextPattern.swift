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
        var options: FoldingOptions = []
        if pattern.modifiers.contains(.caseInsensitive) { options.insert(.caseInsensitive) }
        if pattern.modifiers.contains(.diacriticInsensitive) {
            options.insert(.diacriticInsensitive)
        }
        self.init(
            pieces: pieces, options: options,
            wordBased: pattern.modifiers.contains(.wordBased), language: language)
    }
}
