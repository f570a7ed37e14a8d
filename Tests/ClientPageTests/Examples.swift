import Foundation

/// Examples in a page and in the file that compiles them: each a list of lines.
enum Examples {
    /// The lines of a file of the project.
    static func text(_ path: String) throws -> [String] {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        return try String(contentsOfFile: "\(root.joined(separator: "/"))/\(path)", encoding: .utf8)
            .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }

    /// What stands in fences of Swift.
    static func ofPage(_ lines: [String]) -> [[String]] {
        between(lines, { $0 == "```swift" }, { $0 == "```" })
    }

    /// What stands between the marks, at the left edge.
    static func ofSource(_ lines: [String]) -> [[String]] {
        between(lines, { $0.hasSuffix(" // example") }, { $0.hasSuffix(" // end") }).map {
            example in
            let indents = example.filter { !$0.isEmpty }.map { $0.prefix { $0 == " " }.count }
            return example.map { String($0.dropFirst(indents.min() ?? 0)) }
        }
    }

    private static func between(
        _ lines: [String], _ begins: (String) -> Bool, _ ends: (String) -> Bool
    ) -> [[String]] {
        var examples: [[String]] = []
        var open: [String]?
        for line in lines {
            if open != nil, ends(line) {
                examples.append(open ?? [])
                open = nil
            } else if open != nil {
                open?.append(line)
            } else if begins(line) {
                open = []
            }
        }
        return examples
    }
}
