extension ImportSource {
    /// Every line of the source without its end, also of a pipe, whose size nobody knows before.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` when the source cannot be read, or a line
    ///   is too long or no UTF-8.
    package func lines() throws(SearchError) -> [String] {
        var lines: [String] = []
        try forEachLine { lines.append($0) }
        return lines
    }

    /// The last line with a text in it, or, where none has it, the last that is not blank.
    ///
    /// The others are not kept.
    ///
    /// - Throws: as `lines`.
    package func lastLine(with text: String) throws(SearchError) -> String? {
        var last: String?
        var found: String?
        try forEachLine { line in
            if !line.allSatisfy(\.isWhitespace) { last = line }
            if line.contains(text) { found = line }
        }
        return found ?? last
    }

    private func forEachLine(_ body: (String) -> Void) throws(SearchError) {
        let lines = try SourceLines(self)
        while let line = try lines.next() { body(try line.get()) }
    }
}
