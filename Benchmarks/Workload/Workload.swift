import FresnelJSON

/// One query of a workload: what is asked, and what the answer must be.
package struct WorkloadQuery: Sendable {
    /// The class, `Q1` and so on.
    package let name: String
    /// The query.
    package let text: String
    /// The most hits; nil for all.
    package let limit: Int?
    /// How many documents match, by a scan of the raw text.
    package let expected: Int
    /// Whether the greatest numbers come first; nil where the answer is not sorted by a number.
    package let isDescending: Bool?
    /// The numbers of the first hits of a sorted answer.
    package let top: [Double]

    init(_ object: JSONValue) throws(BenchmarkError) {
        guard let name = object["class"]?.string, let text = object["cs"]?.string,
            let expected = object["expect"]?.integer
        else { throw .workload("a line has no class, cs or expect") }
        self.name = name
        self.text = text
        let limit = object["limit"]?.integer ?? 0
        self.limit = limit > 0 ? Int(limit) : nil
        self.expected = Int(expected)
        isDescending = object["desc"].map { $0.bool ?? ($0.integer != 0) }
        top = (object["top"]?.array ?? []).compactMap(\.double)
    }
}

/// The queries of a workload by class, in the order of the class numbers.
package struct Workload: Sendable {
    package let classes: [(name: String, queries: [WorkloadQuery])]
    /// Whether the numbers of the documents are days, which the queries compare as instants.
    package let hasDays: Bool

    package init(path: String) throws {
        var queries: [String: [WorkloadQuery]] = [:]
        let bytes = try TextLines.read(path)
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let query = try WorkloadQuery(JSONValue(parsing: Array(line)))
            queries[query.name, default: []].append(query)
        }
        classes = queries.sorted { Self.number($0.key) < Self.number($1.key) }
            .map { ($0.key, $0.value) }
        hasDays = classes.contains { $0.queries.contains { $0.text.contains("$time") } }
    }

    /// The number in the name of a class.
    package static func number(_ name: String) -> Int { Int(name.dropFirst()) ?? 0 }
}

/// What keeps a benchmark from being run, in a sentence.
package enum BenchmarkError: Error, CustomStringConvertible {
    case usage(String)
    case workload(String)
    case wrongAnswer(String)

    package var description: String {
        switch self {
        case .usage(let text), .workload(let text), .wrongAnswer(let text): text
        }
    }
}
