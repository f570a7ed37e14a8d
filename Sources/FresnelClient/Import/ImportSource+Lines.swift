extension ImportSource {
    /// Every line of the source without its end, also of a pipe, whose size nobody knows before.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` when the source cannot be read, or a line
    ///   is too long or no UTF-8.
    package func lines() throws(SearchError) -> [String] {
        var stream = try ByteStream(self)
        var lines: [String] = []
        while let (bytes, line) = try stream.nextLine(limit: ImportLimits.entryBytes) {
            guard let bytes else {
                throw SearchError(
                    .invalidArgument,
                    "\(name):\(line): the line has more than \(ImportLimits.entryBytes) bytes")
            }
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw SearchError(.invalidArgument, "\(name):\(line): the line is not UTF-8")
            }
            lines.append(text)
        }
        return lines
    }
}
