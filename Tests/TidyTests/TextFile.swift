import Foundation

/// A file of the project, read once: its place, its lines, and for Swift its code and comments.
struct TextFile: Sendable {
    /// From the project's root, with `/`.
    let path: String
    let lines: [String]
    /// Parallel to `lines`; only the file's own words for other languages.
    let tokens: [SwiftLexer.Line]
    /// Every run of ASCII letters, so that a rule can pass over most files without reading them.
    let words: Set<String>

    init(path: String, text: String) {
        self.path = path
        lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        tokens =
            path.hasSuffix(".swift")
            ? SwiftLexer.separate(lines)
            : lines.map { SwiftLexer.Line(code: $0, comment: $0) }
        words = Set(
            text.utf8.split { !(65...90).contains($0 & 0xDF) }.lazy.compactMap { String($0) })
    }

    var isSwift: Bool { path.hasSuffix(".swift") }
    var isMarkdown: Bool { path.hasSuffix(".md") }
    var isKernel: Bool { path.hasSuffix(".kernel.swift") }
    var isGenerated: Bool { path.contains("/Generated/") }
    var isTest: Bool { path.hasPrefix("Tests/") }

    /// The folder below `Sources` or `Tests`, empty elsewhere.
    var room: String {
        let parts = path.split(separator: "/")
        return parts.count > 2 && ["Sources", "Tests"].contains(parts[0]) ? String(parts[1]) : ""
    }

    /// The file's name without folders.
    var name: String { String(path.split(separator: "/").last ?? "") }

    func complaint(_ index: Int, _ message: String) -> Complaint {
        Complaint(path: path, line: index + 1, message: message)
    }

    /// Whether the line or the one above it says why; attributes and lines of the same kind
    /// may stand between.
    func isExplained(at index: Int, skipping marker: String) -> Bool {
        if !tokens[index].comment.isEmpty { return true }
        var above = index - 1
        while above >= 0 {
            if !tokens[above].comment.isEmpty { return true }
            let code = tokens[above].code.trimmingCharacters(in: .whitespaces)
            guard code.hasPrefix("@") || code.contains(marker) else { return false }
            above -= 1
        }
        return false
    }
}
