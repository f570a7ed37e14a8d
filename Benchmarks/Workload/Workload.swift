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
        let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (place, line) in lines.enumerated() where line.contains(where: { $0 > 0x20 }) {
            do {
                let query = try WorkloadQuery(JSONValue(parsing: Array(line)))
                queries[query.name, default: []].append(query)
            } catch {
                throw BenchmarkError.workload("\(path), line \(place + 1): \(error)")
            }
        }
        guard !queries.isEmpty else {
            throw BenchmarkError.workload("\(path) has no query: all its lines are blank")
        }
        classes = queries.sorted { Self.number($0.key) < Self.number($1.key) }
            .map { ($0.key, $0.value) }
        hasDays = classes.contains { $0.queries.contains { $0.text.contains("$time") } }
    }

    /// The classes that are named, parted by commas; all when none is.
    package func classes(
        named names: String
    ) throws(BenchmarkError) -> [(name: String, queries: [WorkloadQuery])] {
        let wanted = names.split(separator: ",").map(String.init)
        let unknown = wanted.filter { name in !classes.contains { $0.name == name } }
        guard unknown.isEmpty else {
            let known = classes.map(\.name).joined(separator: ", ")
            throw .usage(
                "the workload has no \(unknown.joined(separator: ", ")); it has \(known)")
        }
        return classes.filter { wanted.isEmpty || wanted.contains($0.name) }
    }

    /// What is said of answers that were compared with the workload's.
    package static func sentence(wrong: Int, of count: Int) -> String {
        wrong == 0
            ? "all \(count) answers are as the workload expects"
            : "\(wrong) of \(count) answers are others than the workload expects"
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
