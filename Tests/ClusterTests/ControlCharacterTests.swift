import Foundation
import FresnelJSON
import Logging
import Testing

@testable import fresnel

/// What a document, a file, a query or a peer holds never commands a terminal.
@Suite("Text for people")
struct ShownTextTests {
    @Test(
        "Controls and signs that turn the order of letters around are replaced",
        arguments: [
            ("plain – „text“ é 京 🍎", "plain – „text“ é 京 🍎"), ("a\u{1B}[31mb", "a\u{FFFD}[31mb"),
            ("a\u{7}b\rc\u{8}", "a\u{FFFD}b c\u{FFFD}"),
            ("a\u{9B}31m\u{7F}", "a\u{FFFD}31m\u{FFFD}"),
            ("\u{202E}gpj.exe\u{2066}x\u{2069}", "\u{FFFD}gpj.exe\u{FFFD}x\u{FFFD}"),
            ("a\tb\u{2028}c\u{85}d", "a b c d"), ("a\u{0}b", "a\u{FFFD}b"),
        ])
    func replaced(text: String, shown: String) {
        #expect(ShownText.lines(text) == shown)
        #expect(ShownText.oneLine(text) == shown)
    }

    @Test("A line break stays between lines and goes out of a value")
    func breaks() {
        #expect(ShownText.lines("a\nb") == "a\nb")
        #expect(ShownText.oneLine("a\nb") == "a b")
    }

    @Test("Only a style's own marks become escape sequences, and a value cannot hold one")
    func styles() {
        let style = Style(isColoured: true)
        let bold = style.bold("a\u{1B}[8m\n")
        #expect(ShownText.oneLine(bold, isStyled: true) == "\u{1B}[1ma\u{FFFD}[8m \u{1B}[0m")
        #expect(ShownText.oneLine(style.alarm("a")) == "\u{FFFD}a\u{FFFD}")
        #expect(ShownText.lines(style.alarm("a")) == "\u{FFFD}a\u{FFFD}")
        #expect(Style(isColoured: false).bold("a") == "a")
    }

    @Test("JSON is another text and the same value", arguments: 0..<100)
    func json(seed: UInt64) throws {
        var chance = SplitMix(state: seed)
        var pool: [Unicode.Scalar] = [
            "\u{0}", "\u{1B}", "\n", "\u{7F}", "\u{9B}", "\u{202E}", "\u{2067}", "é", "\"", "\\",
            "a", "🍎", "\u{2028}",
        ]
        pool.append(try #require(Unicode.Scalar(0xFDD0)))
        var text = String.UnicodeScalarView()
        for _ in 0..<20 { text.append(pool[Int(chance.next() % UInt64(pool.count))]) }
        let value: JSONValue = ["text": .string(String(text))]
        let shown = ShownText.json(value.serialized())
        #expect(try JSONValue(parsing: shown) == value, "seed \(seed)")
        #expect(ShownText.lines(shown) == shown)
    }

    @Test("A line of a log is one, whatever peers call themselves")
    func log() {
        let event = LogEvent(
            level: .info, message: "worker a\u{1B}[2J\nworker b",
            metadata: ["name": "x\r\ny", "list": .array(["\u{9B}1m"])], source: "", file: "",
            function: "", line: 0)
        let shown = TextLogHandler.shown(event)
        #expect("\(shown.message)" == "worker a\u{FFFD}[2J worker b")
        #expect(shown.metadata?["name"] == .string("x  y"))
        #expect(shown.metadata.map { "\($0)" }?.contains("\u{9B}") == false)
    }

    @Test("A table's cell is one line")
    func cell() {
        var table = Table([Table.Column(title: "t")], width: nil, style: Style(isColoured: false))
        #expect(table.lines([["a\nb\u{1B}c"]]) == ["t", "a b\u{FFFD}c"])
    }
}

extension Clusters {
    @Suite("Control characters")
    struct ControlCharacterTests {
        private static let evil = "a\u{1B}]0;owned\u{7}\u{9B}31m\u{202E}b\rc\nrating  9"

        /// Whether nothing in an output commands a terminal.
        private func isHarmless(_ text: String) -> Bool {
            text.unicodeScalars.allSatisfy { scalar in
                scalar == "\n"
                    || scalar.properties.generalCategory != .control
                        && !(0x202A...0x202E).contains(scalar.value)
            }
        }

        @Test("No command shows a control character of a document, a file or a query")
        func commands() async throws {
            try await LiveCluster.with(workers: 1, shards: 1) { cluster in
                let evil = Self.evil
                let line: JSONValue = [
                    "uniqueIdentifier": .string(evil),
                    "attributes": ["title": .string(evil), "keywords": [.string(evil)]],
                ]
                let put = try await cluster.run(["index", "-"], input: line.serialized() + "\n")
                #expect(put.code == 0, "\(put.errors)")
                let commands: [([String], String)] = [
                    (["get", evil], ""), (["get", "no\u{1B}\u{7}"], ""), (["search", "true"], ""),
                    (["search", "true", "--json", "--attributes", "*"], ""),
                    (["get", evil, "--json"], ""), (["count", "title == \"\u{1B}x"], ""),
                    (["explain", "title == \"\(evil.prefix(20))\""], ""),
                    (["explain", "** == \"a*\"", "--id", evil], ""),
                    (["search", "true", "--facet", "title,keywords"], ""),
                    (["parse", "title == \"\u{1B}[31m\u{9B}\""], ""),
                    (["parse", "t\u{1B}itle == \"\u{1B}[31m\""], ""),
                    (["count", "ti\u{9B}tle == 3"], ""), (["frob\u{1B}nicate"], ""),
                    (["count", "true", "--index", "a\u{1B}b"], ""),
                    (["index", "-", "--format", "csv"], "id,ti\u{1B}tle\n1,2\n"),
                    (["index", "-", "--format", "csv"], "id,rating\n1,x\u{1B}\u{202E}\n"),
                    (["index", "-"], "{\"uniqueIdentifier\":\"a\",\"x\\u001b\\n\":1}\n"),
                    (["index", "no\u{1B}file.csv"], ""),
                    (["search", "-"], "title == \"\u{1B}[31m\"\ntitle = \u{1B}\n"),
                    (["delete", "--query", "ti\u{1B} != 3"], ""),
                ]
                for (arguments, input) in commands {
                    let run = try await cluster.run(arguments, input: input)
                    #expect(isHarmless(run.output), "\(arguments): \(run.output.debugDescription)")
                    #expect(isHarmless(run.errors), "\(arguments): \(run.errors.debugDescription)")
                }
                let shown = try await cluster.run(["get", evil])
                #expect(!shown.lines.contains { $0.hasPrefix("rating") }, "a forged line")
                let json = try await cluster.run(["get", evil, "--json"])
                let title = try JSONValue(parsing: json.output)["attributes"]?["title"]?.string
                #expect(title == evil, "JSON keeps what is stored")
            }
        }

        @Test("Queries on the standard input are read as imports are: UTF-8, a mark is skipped")
        func queries() async throws {
            try await LiveCluster.with(workers: 1, shards: 1) { cluster in
                let line = "{\"uniqueIdentifier\":\"a\",\"attributes\":{\"title\":\"Straße\"}}\n"
                _ = try await cluster.run(["index", "-"], input: line)
                let marked = try await cluster.run(
                    ["search", "-"], input: "\u{FEFF}title == \"Straße\"\r\n")
                #expect(marked.code == 0, "\(marked.errors)")
                #expect(marked.output.contains("1 hit found"))
                let script = "printf 'title == \"Stra\\337e\"\\ntrue\\n' | fresnel search -"
                let latin = try await Program.shell(script, broker: cluster.endpoint)
                #expect(latin.code == 2)
                #expect(latin.errors.contains("-:1: the line is not UTF-8"), "\(latin.errors)")
                #expect(latin.output.contains("1 hit found"), "the next line is asked all the same")
            }
        }
    }
}
