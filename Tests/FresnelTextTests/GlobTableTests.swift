import Testing

@testable import FresnelText

/// One row: a pattern, its modifiers, a value and whether they match.
struct GlobRow: Sendable, CustomTestStringConvertible {
    var pattern: String
    var modifiers: String
    var value: String
    var matches: Bool

    init(_ pattern: String, _ modifiers: String, _ value: String, _ matches: Bool) {
        self.pattern = pattern
        self.modifiers = modifiers
        self.value = value
        self.matches = matches
    }

    var testDescription: String { "\"\(pattern)\"\(modifiers) \(matches ? "~" : "!~") \(value)" }
    var glob: GlobPattern { GlobPattern(text: pattern, modifiers: modifiers) }
}

extension GlobPattern {
    /// Reads `*`, `?` and `\x`, as the query language does.
    init(text: String, modifiers: String, language: String? = nil) {
        var pieces: [GlobPiece] = []
        var literal = ""
        var isEscaped = false
        for scalar in text.unicodeScalars {
            if isEscaped || !["*", "?", "\\"].contains(scalar) {
                literal.unicodeScalars.append(scalar)
                isEscaped = false
            } else if scalar == "\\" {
                isEscaped = true
            } else {
                if !literal.isEmpty { pieces.append(.literal(literal)) }
                literal = ""
                pieces.append(scalar == "*" ? .anyRun : .anyCharacter)
            }
        }
        if !literal.isEmpty { pieces.append(.literal(literal)) }
        var options: FoldingOptions = []
        if modifiers.contains("c") { options.insert(.caseInsensitive) }
        if modifiers.contains("d") { options.insert(.diacriticInsensitive) }
        self.init(
            pieces: pieces, options: options, wordBased: modifiers.contains("w"),
            language: language)
    }
}

/// The titles A1…A12 of the worked examples of the query language.
let exampleTitles = [
    "Apple", "Fuji Apple", "Pineapple", "Snapple Iced Tea", "apple-pie.jpg", "MyWindowClass",
    "Broken Window", "NSWindow", "Crème Brûlée", "Banana", "50% off* today?",
    "O'Brien \"Best\" Potatoes",
]

@Suite("The worked examples of the query language")
struct GlobTableTests {
    @Test(
        "A pattern over the example titles matches the documented ones",
        arguments: [
            ("Apple", "", [1]), ("apple", "", []), ("apple", "c", [1]), ("Banana", "", [10]),
            ("apple", "wc", [1, 2, 5]), ("*apple*", "c", [1, 2, 3, 4, 5]),
            ("apple*", "c", [1, 5]), ("*apple", "c", [1, 2, 3]),
            ("*apple", "wc", [1, 2, 3, 4, 5]), ("appl*", "wc", [1, 2, 5]),
            ("Window", "w", [6, 7]), ("*window*", "c", [6, 7, 8]), ("MyWindow", "w", [6]),
            ("win*class", "wc", [6]), ("apple pie", "wc", [5]), ("pie apple", "cw", []),
            ("pie", "cw", [5]), ("best potatoes", "cdw", [12]), ("creme brulee", "", []),
            ("creme brulee", "cd", [9]), ("50% off\\* today\\?", "", [11]), ("*\\**", "", [11]),
            ("O'Brien*", "", [12]), ("*\"Best\"*", "", [12]), ("?PPLE", "c", [1]),
            ("*", "", Array(1...12)), ("apple fuji", "cdw", []), ("app*", "cdw", [1, 2, 5]),
        ] as [(String, String, [Int])])
    func titles(pattern: String, modifiers: String, expected: [Int]) {
        let glob = GlobPattern(text: pattern, modifiers: modifiers)
        let found = exampleTitles.indices.filter { glob.matches(exampleTitles[$0]) }.map { $0 + 1 }
        #expect(found == expected)
    }

    @Test(
        "A pattern over the other example attributes matches as documented",
        arguments: [
            GlobRow("Frédéric", "", "Frédéric", true), GlobRow("Frédéric", "", "Frederic", false),
            GlobRow("Frédéric", "cd", "Frederic", true), GlobRow("Frederic", "d", "Frédéric", true),
            GlobRow("Steve", "", "Steve Jones", false), GlobRow("Steve", "wc", "Steve Jones", true),
            GlobRow("trop*", "", "tropical", true), GlobRow("trop*", "", "fruit", false),
            GlobRow("banana", "cw", "The banana is a berry.", true),
            GlobRow("nan*", "cw", "The banana is a berry. Bananas ripen.", false),
            GlobRow("audio", "wc", "public.audio", true),
            GlobRow("audio", "wc", "public.movie", false),
            GlobRow("picked", "w", "hand picked", true),
            GlobRow("Paris", "wc", "I love Paris", true),
            GlobRow("Paris", "wc", "paris-france.jpg", true),
            GlobRow("Paris", "wc", "Comparison", false), GlobRow("iphone", "wc", "iPhone", true),
            GlobRow("phone", "wc", "iPhone", true), GlobRow("Window", "w", "Windows", false),
        ])
    func values(row: GlobRow) {
        #expect(row.glob.matches(row.value) == row.matches)
    }
}
