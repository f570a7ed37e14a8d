// In a token of ASCII a word boundary inside stands between a small letter and a capital one and
// nowhere else (`Tokenizer`), and the folded key is the token in small letters. So whether such a
// token has a plain word can be seen without folding it or compiling a pattern.

/// Plain words in tokens of ASCII.
enum ASCIIWord {
    /// Whether a word stands in a token from one word boundary, its ends included, to another.
    ///
    /// - Parameters:
    ///   - word: in small letters and digits, at least one.
    ///   - token: ASCII.
    static func stands(_ word: Span<UInt8>, in token: Span<UInt8>) -> Bool {
        guard word.count <= token.count else { return false }
        for start in 0...token.count - word.count
        where isBoundary(start, of: token) && isBoundary(start + word.count, of: token) {
            var length = 0
            while length < word.count, small(token[start + length]) == word[length] { length += 1 }
            if length == word.count { return true }
        }
        return false
    }

    private static func isBoundary(_ offset: Int, of token: Span<UInt8>) -> Bool {
        guard offset > 0, offset < token.count else { return true }
        return 0x61...0x7A ~= token[offset - 1] && 0x41...0x5A ~= token[offset]
    }

    private static func small(_ byte: UInt8) -> UInt8 {
        0x41...0x5A ~= byte ? byte | 0x20 : byte
    }
}
