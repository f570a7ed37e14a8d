import FresnelClient
import FresnelJSON
import Testing

/// NDJSON output taken apart as a program would.
struct Answer {
    let hits: [JSONValue]
    let completion: JSONValue

    /// Reads what `fresnel search --format ndjson` printed; the completion must be last and alone.
    init(_ run: Program.Run) throws {
        var values: [JSONValue] = []
        for line in run.lines { values.append(try JSONValue(parsing: line)) }
        let popped = values.popLast()
        let last = try #require(popped, "no output; errors: \(run.errors)")
        completion = try #require(last["completion"], "the last line is no completion")
        hits = values
        #expect(hits.allSatisfy { $0["completion"] == nil })
    }

    /// What was found, in the order of the answer.
    var identifiers: [String] { hits.compactMap { $0["uniqueIdentifier"]?.string } }
}

/// An answer taken through the library.
struct Taken {
    let hits: [Hit]
    let completion: Completion

    init(_ query: SearchQuery) async throws {
        var hits: [Hit] = []
        for try await hit in query.hits { hits.append(hit) }
        self.hits = hits
        completion = try await query.completion()
    }

    var identifiers: [String] { hits.map(\.uniqueIdentifier) }
}
