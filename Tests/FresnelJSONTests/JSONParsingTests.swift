import FresnelJSON
import Testing

struct JSONParsingTests {
    @Test(
        "A value reads as what it says",
        arguments: [
            ("null", .null), (" true ", true), ("false", false), ("0", 0), ("-7", -7),
            ("9223372036854775807", .integer(.max)), ("-9223372036854775808", .integer(.min)),
            ("9223372036854775808", .number(0x1p63)), ("18446744073709551615", .number(0x1p64)),
            ("-9223372036854775809", .number(-0x1p63)), ("100000000000000000000", .number(1e20)),
            ("[100000000000000000000,7,\"x\"]", [.number(1e20), 7, "x"]),
            ("1.5", 1.5), ("1e3", 1000), ("-0.0", .number(-0.0)), (#""""#, ""),
            (#""a\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00""#, "a\"\\/\u{8}\u{c}\n\r\té😀"),
            (#""\u0000""#, "\0"), ("[]", []), ("[1,[2]]", [1, [2]]), ("{}", [:]),
            (#"{"b":1,"a":{"c":null}}"#, ["b": 1, "a": ["c": nil]]),
        ] as [(String, JSONValue)])
    func reading(text: String, value: JSONValue) throws {
        #expect(try JSONValue(parsing: text) == value)
        #expect(try JSONValue(parsing: Array(text.utf8)) == value)
    }

    @Test(
        "What is not JSON is refused",
        arguments: [
            "", " ", "nul", "[1,]", "{\"a\":1,}", "[1 2]", "{\"a\"}", "\"a", "\"\\x\"", "01", "1.",
            "NaN", "Infinity", "1e999", "1" + String(repeating: "0", count: 309), "'a'", "[", "]",
            "1 1", "// a",
            "\"\u{1}\"", "\"\\ud800\"", "{\"a\":1,\"a\":2}", "{1:2}", "\u{FEFF}1",
            #"{"\u0000":1}"#,
        ])
    func refusing(text: String) {
        #expect(throws: JSONError.self) { try JSONValue(parsing: text) }
    }

    @Test(
        "Bytes that are not UTF-8 are refused",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
        ] as [[UInt8]])
    func encoding(bytes: [UInt8]) {
        let quote = UInt8(ascii: "\"")
        #expect(throws: JSONError.self) { try JSONValue(parsing: [quote] + bytes + [quote]) }
    }

    @Test("An error says line, column and byte of the trouble")
    func position() throws {
        let error = try #require(throws: JSONError.self) {
            try JSONValue(parsing: "{\n  \"é\": nope\n}")
        }
        let position = try #require(error.position)
        #expect(position.line == 2)
        #expect((8...12).contains(position.column))
        #expect((10...14).contains(position.offset))
        #expect(error.description.contains("nope"))
        #expect(error.description.contains("line 2"))
    }

    @Test("Nesting is bounded, wherever brackets inside texts do not count")
    func depth() throws {
        let deepest = String(repeating: "[", count: 64) + String(repeating: "]", count: 64)
        _ = try JSONValue(parsing: deepest)
        let error = try #require(throws: JSONError.self) {
            try JSONValue(parsing: "\n[" + deepest + "]")
        }
        #expect(error == .tooDeep(limit: 64, at: try #require(error.position)))
        #expect(error.position?.line == 2 && error.position?.offset == 65)
        _ = try JSONValue(parsing: #"["[[[[\"[[["]"#, maximumDepth: 1)
        let bomb = String(repeating: "[", count: 1_000_000)
        #expect(throws: JSONError.self) { try JSONValue(parsing: bomb) }
        #expect(throws: JSONError.self) { try JSONValue(parsing: bomb, maximumDepth: .max) }
    }

    @Test("Two spellings of one key are refused, because one value would be lost")
    func equivalentKeys() {
        #expect(throws: JSONError.equivalentKeys("e\u{301}")) {
            try JSONValue(parsing: "{\"\u{e9}\":1,\"e\u{301}\":2}")
        }
    }
}
