import Testing

@testable import FresnelSystem

@Suite("The title of a process")
struct ProcessTitleTests {
    @Test(
        "Arguments are shown whole or not at all, and what is left is zeros",
        arguments: [
            (["fresnel", "worker"], 15, "fresnel\0worker\0"),
            (["fresnel", "worker"], 17, "fresnel\0worker\0\0\0"),
            (["fresnel", "worker"], 14, "fresnel\0\0\0\0\0\0\0"), (["fresnel"], 3, "\0\0\0"),
            (["a\0b", "c"], 6, "ab\0c\0\0"), ([], 2, "\0\0"),
        ])
    func layout(arguments: [String], size: Int, shown: String) {
        #expect(ProcessTitle.layout(arguments, size: size) == Array(shown.utf8))
    }

    private static func status(name: String, first: String, last: String) -> String {
        let fields = (3...52).map { $0 == 48 ? first : $0 == 49 ? last : "\($0)" }
        return "17 (\(name)) " + fields.joined(separator: " ") + "\n"
    }

    @Test("The place of the arguments is found behind any name", arguments: ["fresnel", "a) 1 (b"])
    func place(name: String) {
        let line = Self.status(name: name, first: "4096", last: "4200")
        #expect(ProcessTitle.argumentPlace(inStatus: line) == 4096..<4200)
    }

    @Test(
        "A line without a place, or with an impossible one, has none",
        arguments: [
            "", "17 (fresnel) S 1 2", status(name: "a", first: "0", last: "0"),
            status(name: "a", first: "5", last: "5"), status(name: "a", first: "9", last: "5"),
            status(name: "a", first: "1", last: "99999999999"),
            status(name: "a", first: "x", last: "5"),
        ])
    func noPlace(line: String) {
        #expect(ProcessTitle.argumentPlace(inStatus: line) == nil)
    }
}
