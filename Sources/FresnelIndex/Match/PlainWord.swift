import FresnelQuery

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
    /// Whether upper and lower case are the same.
    let ignoresCase: Bool

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
        ignoresCase = pattern.modifiers.contains(.caseInsensitive)
        isKey = ignoresCase || !hasUpperCase
        switch pieces.count {
        case 1: narrowing = .exact(key)
        case 2: narrowing = .prefix(key)
        default: narrowing = .containing(key)
        }
    }

    /// A word of a phrase.
    private init?(_ word: Substring.UTF8View, ignoresCase: Bool) {
        guard let (key, hasUpperCase) = Self.key(of: word) else { return nil }
        self.ignoresCase = ignoresCase
        isKey = ignoresCase || !hasUpperCase
        narrowing = .exact(key)
    }

    /// The words of a phrase with single spaces between them; nil for every other pattern.
    static func phrase(
        _ pattern: TextPattern, isWordBased: Bool, language: String?
    ) -> [(text: String, word: PlainWord)]? {
        guard isWordBased, language == nil, pattern.pieces.count == 1,
            case .literal(let text) = pattern.pieces[0], text.utf8.contains(0x20)
        else { return nil }
        let ignoresCase = pattern.modifiers.contains(.caseInsensitive)
        var words: [(text: String, word: PlainWord)] = []
        for part in text.split(separator: " ", omittingEmptySubsequences: false) {
            guard let word = PlainWord(part.utf8, ignoresCase: ignoresCase) else { return nil }
            words.append((String(part), word))
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
