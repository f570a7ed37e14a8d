import Foundation

/// Files of the project that tests read.
enum Project {
    /// The top level.
    static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// The catalogues of Examples/, in the order in which their README loads them.
    static let catalogues = [
        "green-grocer.ndjson", "candy.ndjson", "retro-computers.ndjson", "pictures.ndjson",
        "prices.csv",
    ].map { "\(root)/Examples/\($0)" }

    /// The contents of a file by its path from the top.
    static func contents(_ path: String) throws -> String {
        try String(contentsOfFile: "\(root)/\(path)", encoding: .utf8)
    }

    /// The lines of a file that are not blank.
    static func lines(_ path: String) throws -> [String] {
        try contents(path).split(separator: "\n").map(String.init)
    }
}
