import FresnelQuery
import FresnelText

// Most patterns are one word of ASCII letters and digits, alone, before a star or between two. Such
// a word is one token of every text that has it, and its key is the word in lower case, whatever
// case and accents mean to the comparison: nothing has to be cut, folded or compiled to know it.
// Languages may fold letters of ASCII in their own way (Turkish does), and go the general way.

/// A pattern of one ASCII word with at most stars around it, or one of several.
struct PlainWord {
    /// What the key of a token looks like.
    let narrowing: KeyNarrowing
    /// Whether the comparison's own folding of the word is its key.
    let isKey: Bool
    /// What the comparison ignores.
    let options: FoldingOptions
    /// Whether upper and lower case are the same.
    var ignoresCase: Bool { options.contains(.caseInsensitive) }

    /// Nil for every other pattern.
    init?(_ pattern: TextPattern, isWordBased: Bool, language: String?) {
        guard language == nil else { return nil }
        let pieces = pattern.pieces
        let place: Int
        switch pieces.count {
        case 1 where isWordBased: place = 0
        case 2 where isWordBased && pieces[1] == .anyRun: place = 0
        case 3 where pieces[0] == .anyRun && pieces[2] == .anyRun: place = 1
        default: return nil
        }
        guard case .literal(let text) = pieces[place],
            let (key, hasUpperCase) = Self.key(of: text.utf8)
        else { return nil }
        options = FoldingOptions(pattern.modifiers)
        isKey = options.contains(.caseInsensitive) || !hasUpperCase
        switch pieces.count {
        case 1: narrowing = .exact(key)
        case 2: narrowing = .prefix(key)
        default: narrowing = .containing(key)
        }
    }

    /// A word of a phrase.
    private init?(_ word: ArraySlice<UInt8>, _ options: FoldingOptions) {
        guard let (key, hasUpperCase) = Self.key(of: word) else { return nil }
        self.options = options
        isKey = options.contains(.caseInsensitive) || !hasUpperCase
        narrowing = .exact(key)
    }

    /// The words of a phrase with single spaces between them; nil for every other pattern.
    static func phrase(
        _ pattern: TextPattern, isWordBased: Bool, language: String?
    ) -> [(text: String, word: PlainWord)]? {
        guard isWordBased, language == nil, pattern.pieces.count == 1,
            case .literal(let text) = pattern.pieces[0]
        else { return nil }
        // Bytes, since a string is parted character by character.
        let bytes = Array(text.utf8)
        let options = FoldingOptions(pattern.modifiers)
        var words: [(text: String, word: PlainWord)] = []
        var start = 0
        while start <= bytes.count {
            let end = bytes[start...].firstIndex(of: 0x20) ?? bytes.count
            guard start > 0 || end < bytes.count,
                let word = PlainWord(bytes[start..<end], options)
            else { return nil }
            words.append((String(decoding: bytes[start..<end], as: UTF8.self), word))
            start = end + 1
        }
        return words
    }

    /// A word in lower case, and whether that is another; nil for what is no word of ASCII.
    private static func key(
        of text: some Collection<UInt8>
    ) -> (key: [UInt8], hasUpperCase: Bool)? {
        guard !text.isEmpty else { return nil }
        var key = Array(text)
        var hasUpperCase = false
        for place in key.indices {
            switch key[place] {
            case 0x61...0x7A, 0x30...0x39: break
            case 0x41...0x5A:
                hasUpperCase = true
                key[place] |= 0x20
            default: return nil
            }
        }
        return (key, hasUpperCase)
    }
}
