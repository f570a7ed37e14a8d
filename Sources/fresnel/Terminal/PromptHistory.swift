import Foundation
import FresnelModel

/// What was typed at the prompt, in this run and those before: one query a line, the newest last.
struct PromptHistory: Equatable {
    /// How many are kept.
    static let lines = 1000
    private static let file = "history"

    /// From the oldest to the newest.
    private(set) var queries: [String] = []

    /// Reads what was written; lines that nobody could have typed are passed over.
    init(_ text: String) {
        for line in text.split(separator: "\n") { add(String(line)) }
    }

    /// What is written.
    var text: String { queries.map { $0 + "\n" }.joined() }

    /// Adds a line.
    ///
    /// - Returns: false for one that is not kept: a blank in front says so, as in a shell, and what
    ///   commands a terminal is no query.
    @discardableResult
    mutating func add(_ line: String) -> Bool {
        guard let first = line.utf8.first, ![0x20, 0x09, UInt8(ascii: "#")].contains(first),
            line.utf8.count <= Limits.queryBytes, ShownText.oneLine(line).hasSameBytes(as: line)
        else { return false }
        if let last = queries.last, last.hasSameBytes(as: line) { return true }
        queries.append(line)
        queries.removeFirst(max(0, queries.count - Self.lines))
        return true
    }
}

extension PromptHistory {
    /// What is remembered; nothing where that cannot be read.
    static func read() -> PromptHistory {
        guard let path = PersonalState.path(file),
            let data = FileManager.default.contents(atPath: path)
        else { return PromptHistory("") }
        return PromptHistory(String(decoding: data, as: UTF8.self))
    }

    /// Adds a line to the file, behind what other prompts have added meanwhile.
    ///
    /// - Returns: whether it is a line to come back; whether it could be written or not.
    static func keep(_ line: String) -> Bool {
        var history = read()
        guard history.add(line) else { return false }
        if let path = PersonalState.path(file) {
            // Nothing depends on it.
            _ = PersonalState.write(Data(history.text.utf8), to: path)
        }
        return true
    }
}
