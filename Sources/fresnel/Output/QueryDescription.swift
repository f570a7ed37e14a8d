import FresnelClient
import FresnelJSON
import FresnelModel
import FresnelQuery

/// A parsed query for people and programs.
enum QueryDescription {
    /// The tree, one node a line, drawn with branches.
    static func tree(of expression: Expression) -> [String] {
        switch expression {
        case .constant(let value): [value ? "true" : "false"]
        case .and(let parts): branch("all of", parts)
        case .or(let parts): branch("any of", parts)
        case .not(let part): branch("not", [part])
        case .comparison(let comparison): [comparison.description]
        }
    }

    /// Canonical form, tree and warnings: those about the query, then those beside it.
    static func json(of query: ParsedQuery, _ oddities: [Warning] = []) -> JSONValue {
        [
            "canonical": .string(query.expression.description),
            "tree": json(of: query.expression),
            "warnings": .array(
                (query.warnings.map { Warning($0.message, offset: $0.offset) } + oddities)
                    .map(\.json)),
        ]
    }

    /// Why a query is invalid, and where.
    static func json(of error: QueryError) -> JSONValue {
        [
            "error": [
                "code": .integer(Int64(QueryError.code)), "offset": .integer(Int64(error.offset)),
                "expected": .string(error.expected), "found": .string(error.found),
                "hint": error.hint.map { .string($0) } ?? .null,
            ]
        ]
    }

    /// Why a request is refused beside its query string.
    static func json(of error: SearchError) -> JSONValue { ["error": error.json] }

    private static func json(of expression: Expression) -> JSONValue {
        switch expression {
        case .constant(let value): ["constant": .bool(value)]
        case .and(let parts): ["all": .array(parts.map(json))]
        case .or(let parts): ["any": .array(parts.map(json))]
        case .not(let part): ["not": json(of: part)]
        case .comparison(let comparison): ["comparison": .string(comparison.description)]
        }
    }

    private static func branch(_ title: String, _ parts: [Expression]) -> [String] {
        var lines = [title]
        for (position, part) in parts.enumerated() {
            let isLast = position == parts.count - 1
            for (number, line) in tree(of: part).enumerated() {
                let stem = number == 0 ? (isLast ? "└─ " : "├─ ") : (isLast ? "   " : "│  ")
                lines.append(stem + line)
            }
        }
        return lines
    }
}
