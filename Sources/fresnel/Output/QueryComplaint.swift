import FresnelModel
import FresnelQuery

/// An invalid query with the place of its error under it.
struct QueryComplaint: Error, CustomStringConvertible {
    let description: String
    /// What is wrong, on one line.
    let reason: String

    /// What the parser says about a query.
    init(_ error: QueryError, in query: String) {
        let pointer = error.pointer(in: query).split(separator: "\n").map { "  \($0)" }
        let advice = error.hint.map { "\nhint: \($0)" } ?? ""
        reason = ShownText.oneLine("expected \(error.expected), found \(error.found)")
        description = """
            invalid query: \(reason)
            \(pointer.joined(separator: "\n"))\(advice)
            """
    }

    /// What the cluster says about a request, with the place in the query string that it means.
    ///
    /// - Parameter queries: the query strings of the request, filters too.
    static func about(_ error: SearchError, in queries: [String]) -> any Error {
        guard error.code == .invalidQuery, let offset = error.offset else { return error }
        for strict in [false, true] {
            for query in queries {
                do throws(QueryError) {
                    _ = try QueryParser.parse(query, options: ParseOptions(strict: strict))
                } catch {
                    if error.offset == offset { return QueryComplaint(error, in: query) }
                }
            }
        }
        // Only the cluster knows the declared keys: what it says stands without a picture.
        return error
    }
}
