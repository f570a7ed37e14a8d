/// The lines of a source one by one, as somebody types them or a pipe gives them.
///
/// The same reader as that of imports: a byte order mark is skipped, and what is no UTF-8 is not
/// repaired, since that would make another text of it.
package final class SourceLines {
    private let name: String
    private var stream: ByteStream

    /// Opens a source.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` when it cannot be opened.
    package init(_ source: ImportSource) throws(SearchError) {
        name = source.name
        stream = try ByteStream(source)
    }

    /// The next line without its end; nil at the end of the source.
    ///
    /// - Returns: a failure for a line that is too long or no UTF-8; the next one can be read.
    /// - Throws: `SearchError` of code `.invalidArgument` when the source cannot be read any more.
    package func next() throws(SearchError) -> Result<String, SearchError>? {
        guard let (bytes, line) = try stream.nextLine(limit: ImportLimits.entryBytes) else {
            return nil
        }
        guard let bytes else {
            return .failure(
                SearchError(
                    .invalidArgument,
                    "\(name):\(line): the line has more than \(ImportLimits.entryBytes) bytes"))
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            let encoding = bytes.contains(0) ? "UTF-16" : "LATIN1"
            return .failure(
                SearchError(
                    .invalidArgument, "\(name):\(line): the line is not UTF-8"
                ).hinting("iconv -f \(encoding) -t UTF-8 makes it so, where it is \(encoding)"))
        }
        return .success(text)
    }
}
