extension TextPattern {
    /// The globs between the white space of a glob; wildcards stay on their token.
    package static func tokens(of pieces: [Piece]) -> [[Piece]] {
        var tokens: [[Piece]] = []
        var token: [Piece] = []
        var literal = String.UnicodeScalarView()
        func endLiteral() {
            if !literal.isEmpty { token.append(.literal(String(literal))) }
            literal = String.UnicodeScalarView()
        }
        func endToken() {
            endLiteral()
            if !token.isEmpty { tokens.append(token) }
            token = []
        }
        for piece in pieces {
            guard case .literal(let text) = piece else {
                endLiteral()
                token.append(piece)
                continue
            }
            for scalar in text.unicodeScalars {
                if scalar.properties.isWhitespace { endToken() } else { literal.append(scalar) }
            }
            endLiteral()
        }
        endToken()
        return tokens
    }
}
