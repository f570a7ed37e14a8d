import FresnelIndex
import FresnelKernels
import FresnelModel
import FresnelText
import Testing

struct TermsDictionaryTests {
    private let dictionary: TermDictionary

    init() throws {
        var source = SegmentDocuments(seed: 77)
        dictionary = try SegmentBuilder.build(documents: source.documents(150)).open().terms
    }

    private var keys: [[UInt8]] {
        var keys: [[UInt8]] = []
        for term in 0..<UInt32(dictionary.count) {
            keys.append(dictionary.foldedKey(of: term))
        }
        return keys
    }

    private static let needles = [
        "", "a", "ap", "apple", "apples", "win", "window", "fr", "frederic", "zz", "日", "s", "ss",
        "e", "class", "ı", "i",
    ]

    @Test("The terms with a prefix are those a plain filter finds", arguments: needles)
    func prefixes(prefix: String) {
        let bytes = Array(prefix.utf8)
        let range = dictionary.range(withFoldedPrefix: bytes.span)
        #expect(Array(range) == terms { $0.starts(with: bytes) })
    }

    @Test("The terms with a key are those a plain filter finds", arguments: needles)
    func equalKeys(key: String) {
        let bytes = Array(key.utf8)
        let range = dictionary.range(withFoldedKey: bytes.span)
        #expect(Array(range) == terms { $0 == bytes })
    }

    @Test("The terms that contain a text are those a plain filter finds", arguments: needles)
    func containing(needle: String) throws {
        let found = try dictionary.terms(containing: Array(needle.utf8).span)
        let expected = terms { key in
            needle.isEmpty
                || String(decoding: key, as: UTF8.self).utf8.indices(of: needle).count > 0
        }
        #expect(found == expected)
    }

    @Test(
        "A prefix behind an inner capital is found, one behind an outer is not",
        arguments: [
            ("window", ["mywindowclass"]), ("phone", ["iphone"]), ("class", ["mywindowclass"]),
            ("my", []), ("word", ["camelcaseword"]), ("bra", ["zebra"]),
            ("case", ["camelcaseword"]),
        ])
    func camel(prefix: String, expected: [String]) throws {
        var found: Set<String> = []
        for term in try dictionary.camelTerms(withFoldedPrefix: Array(prefix.utf8).span) {
            let key = dictionary.foldedKey(of: term)
            found.insert(String(decoding: key, as: UTF8.self))
        }
        #expect(found == Set(expected))
    }

    @Test("Every inner boundary of every term is in the camel table")
    func allBoundaries() throws {
        for term in 0..<UInt32(dictionary.count) {
            let original = dictionary.original(of: term)
            for boundary in Tokenizer.tokens(of: original).boundaries {
                let rest = foldedKey(
                    of: String(decoding: original[Int(boundary)...], as: UTF8.self))
                let found = try dictionary.camelTerms(withFoldedPrefix: rest.span)
                #expect(found.contains(term), "\(String(decoding: original, as: UTF8.self))")
            }
        }
    }

    private func terms(_ isWanted: ([UInt8]) -> Bool) -> [UInt32] {
        keys.enumerated().filter { isWanted($0.element) }.map { UInt32($0.offset) }
    }
}

extension String.UTF8View {
    /// Where `needle` begins, as distances, by plain comparison.
    func indices(of needle: String) -> [Int] {
        let (bytes, pattern) = (Array(self), Array(needle.utf8))
        guard pattern.count <= bytes.count else { return [] }
        return (0...bytes.count - pattern.count).filter {
            Array(bytes[$0..<$0 + pattern.count]) == pattern
        }
    }
}
