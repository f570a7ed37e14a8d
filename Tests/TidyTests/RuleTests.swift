import Testing

/// A rule that never complains is no rule: each is shown files that it must refuse or pass.
@Suite("Rules complain where they should")
struct RuleTests {
    /// A rule's name, a file, and the line that it complains about; 0 where it keeps quiet.
    struct Case: Sendable, CustomTestStringConvertible {
        let rule: String
        let path: String
        let text: String
        let line: Int

        init(_ rule: String, _ text: String, at line: Int, in path: String = swift) {
            (self.rule, self.path, self.text, self.line) = (rule, path, text, line)
        }

        var testDescription: String { "\(rule): \(text.prefix(60))" }
    }

    private static let swift = "Sources/FresnelIndex/Match/Intersection.swift"
    private static let kernel = "Sources/FresnelIndex/Match/Rows.kernel.swift"
    private static let test = "Tests/FresnelIndexTests/MatchTests.swift"

    private static let sizes: [Case] = [
        Case("line length", "let a = 1\n" + String(repeating: "é", count: 101), at: 2),
        Case("line length", String(repeating: "é", count: 100), at: 0),
        Case("line length", String(repeating: "x", count: 101), at: 0, in: "README.md"),
        Case("line length", String(repeating: "x", count: 101), at: 1, in: "Makefile"),
        Case("file length", String(repeating: "\n", count: 501), at: 501),
        Case("file length", String(repeating: "\n", count: 500), at: 0),
        Case("function length", function(ofLines: 71), at: 2),
        Case("function length", function(ofLines: 70), at: 0),
        Case(
            "function length",
            "protocol P {\n  func a()\n" + String(repeating: "\n", count: 90) + "}", at: 0),
    ]

    private static let texts: [Case] = [
        Case("text keys", "var known: [String: Int] = [:]", at: 1),
        Case("text keys", "var known: [[String]: Int] = [:]", at: 1),
        Case("text keys", "let seen: Set<String> = []", at: 1),
        Case("text keys", "let all = Set(hits.map(\\.uniqueIdentifier))", at: 1),
        Case("text keys", "var known: [ExactText: [String]] = [:]", at: 0),
        Case("text keys", "let texts: [String] = []", at: 0),
        Case("text keys", "let seen: Set<String> = []", at: 0, in: test),
        Case(
            "text keys", "let seen: Set<String> = []", at: 0,
            in: "Sources/FresnelIndex/Segment/Segment.swift"),
    ]

    private static let words: [Case] = [
        Case("unsafe words", "let a = unsafe b", at: 1),
        Case("unsafe words", "let a = unsafe b", at: 0, in: kernel),
        Case("unsafe words", "/// Nothing unsafe.\nlet a = \"unsafe\"", at: 0),
        Case("unsafe signatures", "package func f(_ a: UnsafeRawPointer)", at: 1, in: kernel),
        Case("unsafe signatures", "func f(_ a: UnsafeRawPointer)", at: 0, in: kernel),
        Case("unsafe signatures", "@unsafe\npackage let p: UnsafeRawPointer", at: 0, in: kernel),
        Case("writing for people", "print(text)", at: 1),
        Case("writing for people", "try FileHandle.standardError.write(data)", at: 1),
        Case("writing for people", "let out: FileHandle = .standardOutput", at: 1),
        Case("writing for people", "let log = StreamLogHandler.standardError(label: a)", at: 1),
        Case("writing for people", "Streams.say(line.serialized())", at: 1),
        Case("writing for people", "Streams.sayJSON(hit.jsonText)", at: 0),
        Case("writing for people", "process.standardOutput = pipe\nfingerprint()", at: 0),
        Case(
            "writing for people", "write(.standardError)", at: 0,
            in: "Sources/fresnel/Terminal/Streams.swift"),
        Case("clocks", "let now = Date()", at: 1),
        Case("clocks", "let now = ContinuousClock.now", at: 1, in: test),
        Case("clocks", "let now = ContinuousClock.now", at: 0, in: "Tests/ClusterTests/A.swift"),
        Case("clocks", "let now = Date()", at: 0, in: "Sources/FresnelSystem/Time/A.swift"),
        Case("chance", "let a = Int.random(in: 1...6)", at: 1),
        Case("chance", "let a = Int.random(in: 1...6, using: &generator)", at: 0),
        Case("sleeping", "try await Task.sleep(for: .seconds(1))", at: 1, in: test),
        Case("unowned concurrency", "\nTask.detached { }", at: 2),
        Case("unowned concurrency", "let queue = DispatchQueue.main", at: 1, in: test),
        Case("dying", "default: fatalError()", at: 1),
        Case("dying", "let a = b as! C", at: 1),
        Case("public", "public struct A {}", at: 1),
        Case("public", "public struct A {}", at: 0, in: "Sources/FresnelModel/A.swift"),
        Case("public", "if open == quote {}", at: 0),
        Case("public", "public import FresnelWire", at: 0),
    ]

    private static let habits: [Case] = [
        Case("C libraries", "import CZeroMQ", at: 1),
        Case("C libraries", "internal import CHash", at: 0, in: "Sources/FresnelKernels/A.swift"),
        Case("C libraries", "import CZeroMQ", at: 0, in: "Tests/ZeroMQTests/A.swift"),
        Case("Foundation", "\npackage import FoundationEssentials", at: 2),
        Case("Foundation", "import struct Foundation.Date", at: 1),
        Case("Foundation", "import Foundation", at: 0, in: test),
        Case("swallowed errors", "try? remove(file)", at: 1),
        Case("swallowed errors", "func next() -> Entry?", at: 0),
        Case("swallowed errors", "// It may be gone already.\ntry? remove(file)", at: 0),
        Case("swallowed errors", "try? remove(file)  // it may be gone already", at: 0),
        Case("unchecked sendability", "final class A: @unchecked Sendable {}", at: 1),
        Case("unchecked sendability", "/// Never written.\nnonisolated(unsafe) let a = b", at: 0),
        Case("open tasks", "// TODO: faster", at: 1),
        Case("open tasks", "# FIXME", at: 1, in: "Makefile"),
        Case("open tasks", "// TODO(#12): faster", at: 0),
        Case("file names", "", at: 1, in: "Sources/FresnelIndex/StringUtils.swift"),
        Case("file names", "", at: 1, in: "Documentation/the plan.md"),
        Case("file names", "", at: 0, in: "Sources/FresnelModel/Database.swift"),
        Case("type names", "final class SegmentManager {}", at: 1),
        Case("type names", "struct NodeTable {}", at: 1),
        Case("type names", "struct Dataset { enum Documentation {} }", at: 0),
        Case("vague verbs", "func handleMessage(_ message: Message)", at: 1),
        Case("vague verbs", "func handler() {}", at: 0),
    ]

    private static func function(ofLines count: Int) -> String {
        "struct A {\n    func f(\n        of a: Int = { 1 }()\n    ) {\n"
            + String(repeating: "        if true { print(\"{\") }\n", count: count - 4) + "    }\n}"
    }

    @Test("A rule complains about the line it is about", arguments: sizes + words + texts + habits)
    func fires(given: Case) throws {
        let rule = try #require(Rule.all.first { $0.name == given.rule })
        let complaints = rule.complaints(TextFile(path: given.path, text: given.text))
        #expect(complaints.map(\.line) == (given.line == 0 ? [] : [given.line]))
        for complaint in complaints {
            #expect(complaint.message.contains(", use "), "says what to do instead")
        }
    }

    @Test("Every rule is shown a file that it must refuse")
    func completeness() {
        let shown = (Self.sizes + Self.words + Self.texts + Self.habits).filter { $0.line > 0 }.map(
            \.rule)
        #expect(Set(Rule.all.map(\.name)).subtracting(shown).isEmpty)
    }
}
