import FresnelJSON
package import FresnelModel

/// Queries as they came to a broker: when, and what was asked (Documentation/file-formats.md,
/// "Query log").
package struct RecordedStream: Sendable {
    /// Nanoseconds after the first query, ascending.
    package let offsets: [Int64]
    /// What was asked, in the same order.
    package let requests: [SearchRequest]

    /// No stream is longer.
    package static let queriesMost = 5_000_000

    /// Reads lines of a query log; empty ones are skipped.
    ///
    /// - Throws: `WorkloadError` naming the line and the key.
    package init(parsing lines: [Substring]) throws(WorkloadError) {
        var entries: [(at: Double, request: SearchRequest)] = []
        for (number, line) in lines.enumerated() where !line.isEmpty {
            let place = "line \(number + 1)"
            guard entries.count < Self.queriesMost else {
                throw WorkloadError(place, "there are more than \(Self.queriesMost) queries")
            }
            let value: JSONValue
            do throws(JSONError) {
                value = try JSONValue(parsing: String(line))
            } catch {
                throw WorkloadError(place, "\(error)")
            }
            let object = try ObjectReader(value, place: place, knows: LoadClass.recordedKeys)
            guard let at = try object.number("at"), let query = try object.text("query") else {
                throw WorkloadError(place, "needs at and query")
            }
            var request = try LoadClass.request(of: object, place: place)
            request.query = query
            // A log says of every limit that there was.
            if !object.has("limit") { request.limit = nil }
            entries.append((at, request))
        }
        entries = entries.enumerated().sorted {
            ($0.element.at, $0.offset) < ($1.element.at, $1.offset)
        }.map(\.element)
        let start = entries.first?.at ?? 0
        offsets = entries.map { Int64(($0.at - start) * 1e9) }
        requests = entries.map(\.request)
    }

    /// The stream as a workload: request by request what was asked.
    package func workload(named name: String) -> Workload {
        Workload(
            name: name,
            classes: [LoadClass(name: "recorded", weight: 1, action: .recorded(requests))])
    }
}
