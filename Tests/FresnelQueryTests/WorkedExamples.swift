import FresnelModel
import FresnelQuery
import Testing

/// Twelve documents, what queries over them must find, and queries that must be refused.
///
/// The same stand in Tests/Fixtures for tests that go through the command line.
enum WorkedExamples {
    /// One query and the identifiers it finds, in the order of the documents.
    struct Example: CustomTestStringConvertible {
        let number: Int
        let query: String
        let matches: [String]

        init(_ number: Int, _ query: String, _ matches: String) {
            self.number = number
            self.query = query
            self.matches = matches.split(separator: " ").map(String.init)
        }

        var testDescription: String { "\(number): \(query)" }
    }

    /// 2026-11-20T15:30Z, a Friday.
    static let context = QueryContext(now: date("2026-11-20T15:30:00Z"))

    /// The schema with the two custom keys of the fixture.
    static func schema() throws -> AttributeSchema {
        try AttributeSchema(declaring: [
            CustomAttributeKey("com_ray_price", .number),
            CustomAttributeKey("com_ray_note", .string),
        ])
    }

    /// The identifiers of the documents that a query finds.
    static func identifiers(matching query: String) throws -> [String] {
        let schema = try schema()
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
        let matcher = ReferenceMatcher(
            expression: try parsed.expression.resolved(in: context), schema: schema)
        return documents.filter(matcher.matches).map(\.uniqueIdentifier)
    }

    /// A point in time from an ISO text with a zone.
    static func date(_ text: String) -> Timestamp {
        guard let iso = ISO8601(text), iso.zoneOffset != nil else {
            preconditionFailure("\(text) is no ISO date with a zone")
        }
        return iso.timestamp()
    }
}
