import FresnelText

/// The names that attributes get of what people call their columns and keys.
enum AttributeNaming {
    private static let folding = Folding([.diacriticInsensitive])

    /// The name with `_` for everything that an attribute's name may not have, letters without
    /// their marks: `Body (HTML)` is `Body_HTML`, `Größe` is `Grosse`.
    ///
    /// - Returns: the name itself where it breaks no rule, and where nothing is left of it.
    static func attribute(of name: String) -> String {
        guard let rule = CustomAttributeKey.brokenRule(of: name),
            rule == .hasOnlyLettersDigitsUnderscores || rule == .startsWithoutDigit
        else { return name }
        let plain = name.split(separator: "ß", omittingEmptySubsequences: false)
            .joined(separator: "ss")
        var cleaned: [UInt8] = []
        for byte in FoldedText(plain, folding: folding).utf8 {
            if isWord(byte) {
                cleaned.append(byte)
            } else if byte == UInt8(ascii: "."), cleaned.last.map(isWord) ?? false {
                cleaned.append(byte)
            } else if let last = cleaned.last, last != UInt8(ascii: "_"),
                last != UInt8(ascii: ".")
            {
                cleaned.append(UInt8(ascii: "_"))
            }
        }
        while let last = cleaned.last, !isWord(last) || last == UInt8(ascii: "_") {
            cleaned.removeLast()
        }
        guard let first = cleaned.first else { return name }
        let isNumber = UInt8(ascii: "0")...UInt8(ascii: "9") ~= first
        return (isNumber ? "_" : "") + String(decoding: cleaned, as: UTF8.self)
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte == UInt8(ascii: "_")
    }
}
