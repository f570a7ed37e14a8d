import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelSystem
import Testing

struct PostingsCursorTests {
    /// Documents with `common` in all, `third` in every third, `rare` in few; some in keywords.
    private static func documents(_ count: Int) -> [IncomingDocument] {
        (0..<count).map { number in
            var words = "common"
            if number % 3 == 0 { words += " third" }
            var document = Document(
                uniqueIdentifier: "\(number)", attributes: ["title": .string(words)])
            if number % 500 == 7 {
                document.attributes["keywords"] = .strings(["x", "rare common"])
            }
            return IncomingDocument(encoded: [], document: document, createdSequence: 1)
        }
    }

    private let segment: Segment

    init() throws { segment = try SegmentBuilder.build(documents: Self.documents(3000)).open() }

    private func term(_ text: String) throws -> TermID {
        try #require(segment.terms.range(withFoldedKey: Array(text.utf8).span).first)
    }

    private func expected(_ text: String, _ isWanted: (Int) -> Bool) -> [UInt32] {
        (0..<3000).filter(isWanted).map { UInt32($0) }
    }

    @Test("Long lists give all their documents, one by one, at once and as a set")
    func documents() throws {
        for (text, expected) in [
            ("common", expected("common") { _ in true }),
            ("third", expected("third") { $0 % 3 == 0 }),
            ("rare", expected("rare") { $0 % 500 == 7 }),
        ] {
            let term = try term(text)
            var found: [UInt32] = []
            try segment.postings.appendDocuments(of: term, to: &found)
            #expect(found == expected)
            var set = Bitset(count: 3000)
            try segment.postings.insertDocuments(of: term, into: &set)
            found = []
            set.append(to: &found)
            #expect(found == expected)
            found = []
            var cursor = segment.postings.cursor(for: term)
            while !cursor.isAtEnd {
                found.append(cursor.documentNumber)
                cursor.advance()
            }
            #expect(found == expected)
        }
    }

    @Test("Seeking stops at the first document at or behind the target", arguments: [1, 2, 3, 4])
    func seeking(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for text in ["common", "third", "rare"] {
            let term = try term(text)
            var all: [UInt32] = []
            try segment.postings.appendDocuments(of: term, to: &all)
            var cursor = segment.postings.cursor(for: term)
            var target: UInt32 = 0
            while !cursor.isAtEnd {
                target += UInt32.random(in: 0..<400, using: &generator)
                let before = cursor.documentNumber
                cursor.seek(to: target)
                let expected = all.first { $0 >= max(target, before) }
                #expect(cursor.documentNumber == expected ?? .max)
                if Bool.random(using: &generator) { cursor.advance() }
            }
        }
    }

    @Test("A filter keeps the documents whose occurrence is in one of its attributes")
    func filters() throws {
        let common = try term("common")
        let title = segment.filter(for: ["title"])
        let keywords = segment.filter(for: ["keywords", "absent"])
        var found: [UInt32] = []
        try segment.postings.appendDocuments(of: common, in: title, to: &found)
        #expect(found.count == 3000)
        found = []
        try segment.postings.appendDocuments(of: common, in: keywords, to: &found)
        #expect(found == expected("common") { $0 % 500 == 7 })
        found = []
        try segment.postings.appendDocuments(of: try term("third"), in: keywords, to: &found)
        #expect(found == [])
    }

    @Test("Positions of a later element begin behind a gap of 100")
    func elementGap() throws {
        var cursor = segment.postings.cursor(for: try term("rare"))
        var occurrences: [Occurrence] = []
        cursor.occurrences(into: &occurrences)
        let keywords = try #require(segment.ordinal(of: "keywords"))
        #expect(occurrences == [Occurrence(attribute: keywords, element: 1, position: 101)])
    }

    @Test("More attributes than a mask has bits are still told apart")
    func manyAttributes() throws {
        var document = Document(uniqueIdentifier: "a")
        for number in 100..<200 { document.attributes["k\(number)"] = .string("word w\(number)") }
        let incoming = IncomingDocument(encoded: [], document: document, createdSequence: 1)
        let segment = try SegmentBuilder.build(documents: [incoming]).open()
        for number in 100..<200 {
            let word = Array("w\(number)".utf8)
            let term = try #require(segment.terms.range(withFoldedKey: word.span).first)
            for other in [number, 100, 170, 199] {
                var found: [UInt32] = []
                try segment.postings.appendDocuments(
                    of: term, in: segment.filter(for: ["k\(other)"]), to: &found)
                #expect(found == (other == number ? [0] : []))
            }
        }
    }
}
