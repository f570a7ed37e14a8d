import FresnelModel
import FresnelQuery

/// An invalid query with the place of its error under it.
struct QueryComplaint: Error, CustomStringConvertible {
    let description: String

    /// What the parser says about a query.
    init(_ error: QueryError, in query: String) {
        let advice = error.hint.map { "\nhint: \($0)" } ?? ""
        description = """
            invalid query: expected \(error.expected), found \(error.found)
            \(Self.indented(error.pointer(in: query)))\(advice)
            """
    }

    /// What the cluster says about a query: with the place if it names one, else as it is.
    static func about(_ error: SearchError, in query: String) -> any Error {
        guard let complaint = QueryComplaint(error, in: query) else { return error }
        return complaint
    }

    private init?(_ error: SearchError, in query: String) {
        guard error.code == .invalidQuery, let offset = error.offset else { return nil }
        let place = QueryError(offset: offset, expected: "", found: "")
        let advice = error.hint.map { "\nhint: \($0)" } ?? ""
        description = """
            invalid query: \(error.message)
            \(Self.indented(place.pointer(in: query)))\(advice)
            """
    }

    private static func indented(_ lines: String) -> String {
        lines.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
    }
}
