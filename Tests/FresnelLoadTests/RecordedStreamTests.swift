import FresnelLoad
import FresnelModel
import Testing

@Suite("Recorded streams")
struct RecordedStreamTests {
    private func stream(_ lines: String) throws(WorkloadError) -> RecordedStream {
        try RecordedStream(parsing: lines.split(separator: "\n", omittingEmptySubsequences: false))
    }

    @Test("Times count from the first query, options are those that were asked")
    func reads() throws {
        let stream = try stream(
            """
            {"at": 800000001.5, "query": "b == {1}", "delivery": "found", "countOnly": true}
            {"at": 800000001, "query": "a", "limit": 3, "sort": ["-rating"], "filters": ["c"]}

            """)
        #expect(stream.offsets == [0, 500_000_000])
        #expect(stream.requests.map(\.query) == ["a", "b == {1}"])
        #expect(stream.requests[0].limit == 3 && stream.requests[1].limit == nil)
        #expect(stream.requests[1].delivery == .found && stream.requests[1].isCountOnly)
        #expect(stream.requests[0].sort.count == 1 && stream.requests[0].filters == ["c"])
    }

    @Test(
        "What is wrong is named by its line",
        arguments: [
            ("{", "line 1"), ("{}", "line 1"), ("{\"at\": 1}", "line 1"),
            ("{\"at\": 1, \"query\": \"a\"}\n[]", "line 2"),
            ("{\"at\": 1, \"query\": \"a\", \"who\": 1}", "line 1.who"),
        ])
    func refuses(text: String, place: String) {
        let error = #expect(throws: WorkloadError.self) { try stream(text) }
        #expect(error?.place == place)
    }
}
