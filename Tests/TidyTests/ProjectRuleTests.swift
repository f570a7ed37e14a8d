import Testing

@Suite("Rules about documents complain where they should")
struct ProjectRuleTests {
    private static func project(_ texts: [String: String]) -> Project {
        Project(
            files: texts.sorted { $0.key < $1.key }.map { TextFile(path: $0.key, text: $0.value) })
    }

    @Test(
        "A link must lead to a file or heading of the project",
        arguments: [
            ("[a](Documentation/b.md)", false), ("[a](Documentation/c.md)", true),
            ("[a](Documentation/b.md#the-life-of-a-query)", false),
            ("[a](Documentation/b.md#elsewhere)", true), ("[a](#top)", false), ("[a](#end)", true),
            ("[a](https://example.org/x)", false), ("`[a](nowhere.md)`", false),
            ("```\n[a](nowhere.md)\n```", false), ("![a](picture.svg)", true),
        ])
    func links(text: String, isBroken: Bool) {
        let project = Self.project([
            "README.md": "# Top\n" + text,
            "Documentation/b.md": "## The life of a query\n[up](../README.md)",
        ])
        #expect(project.brokenLinks().isEmpty != isBroken)
    }

    @Test(
        "A path that a document or comment names must exist",
        arguments: [
            ("README.md", "see `Sources/FresnelIndex/Match`", false),
            ("README.md", "see `Sources/FresnelIndex/Score`", true),
            ("Sources/FresnelIndex/Match/A.swift", "/// Documentation/gone.md, \"Block\"", true),
            ("Sources/FresnelIndex/Match/A.swift", "let a = \"Documentation/gone.md\"", false),
            ("README.md", "a file `Tests/Foo*`", false),
        ])
    func paths(path: String, text: String, isMissing: Bool) {
        let project = Self.project(["Sources/FresnelIndex/Match/B.swift": "", path: text])
        #expect(project.missingPaths().isEmpty != isMissing)
    }

    @Test("A room that the architecture's page does not know is named")
    func rooms() {
        let project = Self.project([
            "Sources/FresnelIndex/A.swift": "", "Sources/FresnelWire/A.swift": "",
            "Documentation/architecture.md": "`FresnelWire` speaks.",
        ])
        #expect(project.undescribedRooms().map(\.message).count == 1)
        #expect(project.undescribedRooms().first?.message.contains("FresnelIndex") == true)
    }

    @Test(
        "A decision has a number of its own",
        arguments: [
            (["0001-floors.md", "0002-libraries.md"], 0), (["0001-floors.md", "0001-a.md"], 2),
            (["floors.md"], 1), (["0003-With-Capitals.md"], 1),
        ])
    func decisions(names: [String], complaints: Int) {
        let pages = names.map { ("Documentation/decisions/\($0)", "# \($0)") }
        let project = Self.project(Dictionary(uniqueKeysWithValues: pages))
        #expect(project.wrongDecisions().count == complaints)
    }

    @Test(
        "A type with texts needs an equality of its own",
        arguments: [
            ("public struct A: Hashable, Sendable {\n    public var a: String\n}", true),
            ("public struct A: Hashable, Sendable {\n    public var a: Int\n}", false),
            ("struct A: Sendable {\n    let a: String\n}", false),
            ("struct A: Equatable {\n    let a: [String]?\n}", true),
            ("indirect enum A: Equatable {\n    case a(String, by: Int)\n    case b\n}", true),
            ("struct A: Equatable {\n    let a: Int\n    static let b: String\n}", false),
            ("struct A: Equatable {\n    let a: Int\n    var b: String { a() }\n}", false),
            ("struct B {\n    struct A: Hashable {\n        let a: String\n    }\n}", true),
            (
                "struct A: Equatable {\n    let a: String\n}\n"
                    + "extension A {\n    static func == (a: A, b: A) -> Bool {", false
            ),
        ])
    func equalities(text: String, isWrong: Bool) {
        for (room, isConcerned) in [("FresnelModel", true), ("ZeroMQ", false)] {
            let project = Self.project(["Sources/\(room)/Kind.swift": text])
            #expect(project.canonicalEqualities().isEmpty != (isWrong && isConcerned))
        }
    }

    @Test(
        "A quoted error text must stand in the source, wherever its line was broken",
        arguments: [
            ("the disk is full", false), ("the disk is … now", false), ("the disk is empty", true),
        ])
    func errorTexts(quoted: String, isUnknown: Bool) {
        let project = Self.project([
            "Sources/FresnelSystem/A.swift": "\"the disk \"\n    + \"is full now\"",
            "Documentation/failure-modes.md": "| \"\(quoted)\" | means |",
        ])
        #expect(project.unknownErrorTexts().isEmpty != isUnknown)
    }

    @Test(
        "Code, comments and strings are told apart",
        arguments: [
            ("let a = 1 // one", "let a = 1 ", "// one"),
            (#"let a = "b // c\"" + d"#, #"let a = "" + d"#, ""),
            (##"let a = #"b" // "# // c"##, ##"let a = #""# "##, "// c"),
            (#"f("\(g("x")) y") // z"#, #"f("") "#, "// z"),
            ("a /* b /* c */ d */ e", "a  e", "/* b /* c */ d */"),
        ])
    func lexer(line: String, code: String, comment: String) {
        let separated = SwiftLexer.separate([line])
        #expect(separated == [SwiftLexer.Line(code: code, comment: comment)])
    }

    @Test("Strings and comments go on over lines")
    func longTokens() {
        let lines = SwiftLexer.separate([
            "let a = \"\"\"", "unsafe // no \"comment\"", "\"\"\" + b", "/* c", "d */ e",
        ])
        #expect(lines.map(\.code) == ["let a = \"\"\"", "", "\"\"\" + b", "", " e"])
        #expect(lines.map(\.comment) == ["", "", "", "/* c", "d */"])
    }
}
