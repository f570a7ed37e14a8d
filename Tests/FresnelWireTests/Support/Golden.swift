import Foundation
import Testing

/// Files with expected bytes; `RECORD_GOLDEN=1` writes them anew.
enum Golden {
    static let directory = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/wire/v1")

    static let repository = directory.appending(path: "../../../..")

    /// Compares with the file's text, or writes it.
    static func expect(
        _ text: String, in file: String, mayRecord: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let url = directory.appending(path: file)
        if mayRecord, ProcessInfo.processInfo.environment["RECORD_GOLDEN"] != nil {
            try Data(text.utf8).write(to: url)
        }
        let stored = try String(contentsOf: url, encoding: .utf8)
        #expect(stored == text, "\(file) differs", sourceLocation: sourceLocation)
    }

    /// A document's lines between a heading and the next of the same or higher rank.
    static func section(_ heading: String, of path: String) throws -> [Substring] {
        let text = try String(contentsOf: repository.appending(path: path), encoding: .utf8)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let start = try #require(lines.firstIndex { $0.hasSuffix(heading) && $0.hasPrefix("#") })
        let rank = lines[start].prefix { $0 == "#" }.count
        return Array(
            lines[(start + 1)...].prefix { line in
                let hashes = line.prefix { $0 == "#" }.count
                return hashes == 0 || hashes > rank
            })
    }

    /// The cells of a table's rows, without heading row and rule.
    static func rows(of section: [Substring]) -> [[String]] {
        let rows = section.filter { $0.hasPrefix("|") }.map { line in
            line.dropFirst().split(separator: "|", omittingEmptySubsequences: false).dropLast()
                .map { $0.trimmingCharacters(in: .whitespaces) }
        }
        return Array(rows.dropFirst(2))
    }
}

extension [UInt8] {
    /// Lines of 32 bytes in hexadecimal.
    var hexadecimal: String {
        stride(from: 0, to: count, by: 32).map { start in
            self[start..<Swift.min(count, start + 32)]
                .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }
                .joined(separator: " ") + "\n"
        }.joined()
    }
}

extension Golden {
    /// A file of the repository.
    static func text(of path: String) throws -> String {
        try String(contentsOf: repository.appending(path: path), encoding: .utf8)
    }

    /// The clause numbers at the beginning of this target's test names.
    static func citedClauses() throws -> Set<String> {
        let folder = URL(filePath: #filePath).deletingLastPathComponent()
            .deletingLastPathComponent()
        let files = try FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: nil)
        return try files.filter { $0.pathExtension == "swift" }.reduce(into: []) { cited, file in
            let text = try String(contentsOf: file, encoding: .utf8)
            cited.formUnion(text.matches(of: /@Test\(\s*"([A-Z]-\d+):/).map { String($0.1) })
        }
    }
}
