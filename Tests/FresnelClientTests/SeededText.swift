/// Texts that people should not type but do, made from a seed.
struct SeededText {
    private static let scalars: [Unicode.Scalar] = [
        "a", "Z", "é", "\u{301}", "ß", "京", "🍎", " ", "\t", "\n", "*", "?", "\"", "'", "\\", "%",
        "$", "(", ")", "&", "|", "!", "=", "<", "[", "]", "c", "d", "w", "t", "\u{0}", "\u{FEFF}",
        "\u{200D}", ".", "-", "0",
    ]

    private var state: UInt64

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// A number of 0..<bound.
    mutating func number(below bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state % UInt64(bound))
    }

    mutating func text(upTo length: Int = 12) -> String {
        var text = String.UnicodeScalarView()
        for _ in 0..<number(below: length + 1) {
            text.append(Self.scalars[number(below: Self.scalars.count)])
        }
        return String(text)
    }
}
