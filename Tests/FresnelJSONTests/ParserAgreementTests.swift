import Testing

@testable import FresnelJSON

@Suite("The fast parser and the strict one")
struct ParserAgreementTests {
    @Test("agree on every text that the fast one reads", arguments: 0..<8)
    func agree(round: Int) throws {
        var chance = SplitMix(state: UInt64(round) &+ 77)
        var read = 0
        for _ in 0..<400 {
            var text = Array(Self.text(&chance, depth: 3).utf8)
            for change in 0..<4 {
                if let fast = SimdJSON.value(parsing: text.span, maximumDepth: 64) {
                    read += 1
                    let strict = try Jansson.value(parsing: text.span)
                    #expect("\(fast)" == "\(strict)", "seed \(round): \(text)")
                } else if change == 0 {
                    #expect(throws: JSONError.self, "seed \(round): \(text)") {
                        try Jansson.value(parsing: text.span)
                    }
                }
                guard !text.isEmpty else { break }
                Self.damage(&text, &chance)
            }
        }
        #expect(read > 400)
    }

    @Test(
        "leave to the strict one what only it may decide",
        arguments: [
            "\u{FEFF}1", #"{"a":1,"a":2}"#, #"{"\u00e9":1,"e\u0301":2}"#, #"{"\u0000":1}"#,
            "9223372036854775808", "18446744073709551616", "1e999", "", #""\ud800""#,
            "[[[[1]]]]", #"{"a":{"a":{"a":{}}}}"#,
        ])
    func left(text: String) {
        #expect(SimdJSON.value(parsing: text.utf8.span, maximumDepth: 3) == nil)
    }

    @Test("read one text after the other, large and small, on several threads")
    func reuse() async throws {
        await withTaskGroup(of: Bool.self) { group in
            for task in 0..<4 {
                group.addTask {
                    (1...40).allSatisfy { number in
                        let text = String(repeating: "x", count: task * number * 1000)
                        let value = SimdJSON.value(
                            parsing: "[\"\(text)\",\(number)]".utf8.span, maximumDepth: 2)
                        return value == [.string(text), .integer(Int64(number))]
                    }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    private static func text(_ chance: inout SplitMix, depth: Int) -> String {
        let space = ["", " ", "\n", "\t "].randomElement(using: &chance) ?? ""
        let kinds = depth > 0 ? 8 : 6
        switch Int.random(in: 0..<kinds, using: &chance) {
        case 0: return space + (["null", "true", "false"].randomElement(using: &chance) ?? "0")
        case 1: return "\(Int64(truncatingIfNeeded: chance.next()) >> (chance.next() % 64))"
        case 2: return "\(Double(bitPattern: chance.next()))"
        case 3:
            return ["-0", "-0.0", "0.1", "1E5", "1e-400", "3.0", "123456789012345678.5"]
                .randomElement(using: &chance) ?? "0"
        case 4, 5: return string(&chance)
        case 6:
            let elements = (0..<Int.random(in: 0..<4, using: &chance)).map { _ in
                text(&chance, depth: depth - 1)
            }
            return "[\(elements.joined(separator: space + ","))]" + space
        default:
            let members = (0..<Int.random(in: 0..<16, using: &chance)).map { _ in
                string(&chance) + space + ":" + text(&chance, depth: depth - 1)
            }
            return "{\(members.joined(separator: ","))}"
        }
    }

    private static func string(_ chance: inout SplitMix) -> String {
        let pieces = [
            "a", "bc", "title", "é", "e\u{301}", "😀", "\\n", "\\u00e9", "\\ud83d\\ude00", "\\\\",
            "\\\"", "\\/", "{", "]", "\\u0000", " ",
        ]
        let count = Int.random(in: 0..<6, using: &chance)
        return "\"\((0..<count).map { _ in pieces.randomElement(using: &chance) ?? "" }.joined())\""
    }

    private static func damage(_ text: inout [UInt8], _ chance: inout SplitMix) {
        let place = Int.random(in: text.indices, using: &chance)
        switch Int.random(in: 0..<4, using: &chance) {
        case 0: text[place] = UInt8(truncatingIfNeeded: chance.next())
        case 1: text.remove(at: place)
        case 2:
            let marks = Array(#"{}[]",:\0-e."#.utf8)
            text.insert(marks.randomElement(using: &chance) ?? 0, at: place)
        default: text.removeSubrange(place...)
        }
    }
}
