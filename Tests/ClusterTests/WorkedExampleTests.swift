import FresnelClient
import FresnelJSON
import Testing

extension Clusters {
    /// The query language through broker, workers and client.
    @Suite("Worked examples through a cluster")
    struct WorkedExampleTests {
        private static let now = "2026-11-20T15:30:00Z"

        private func withDocuments(
            _ body: @Sendable (LiveCluster, SearchClient) async throws -> Void
        ) async throws {
            try await LiveCluster.withClient { cluster, client in
                let file = "\(Project.root)/Tests/Fixtures/worked-examples.ndjson"
                let run = try await cluster.run(["index", file])
                #expect(run.code == 0, "\(run.errors)")
                try await body(cluster, client)
            }
        }

        @Test("Each of the seventy-seven examples finds exactly its documents")
        func examples() async throws {
            try await withDocuments { _, client in
                let lines = try Project.lines("Tests/Fixtures/worked-examples.jsonl")
                #expect(lines.count == 77)
                for line in lines {
                    let example = try JSONValue(parsing: line)
                    let query = try #require(example["query"]?.string)
                    var request = SearchRequest(query)
                    request.now = Timestamp(iso8601: Self.now)
                    let taken = try await Taken(client.search(request))
                    let expected = example["matches"]?.array?.compactMap(\.string) ?? []
                    #expect(Set(taken.identifiers) == Set(expected), "\(query)")
                    #expect(taken.hits.count == expected.count, "\(query)")
                    #expect(taken.completion.isComplete, "\(query)")
                    #expect(taken.completion.searched == 12)
                }
            }
        }

        @Test("Each of the eleven invalid queries is refused with its position")
        func invalid() async throws {
            try await withDocuments { _, client in
                let file = try Project.contents("Tests/Fixtures/invalid-queries.json")
                let queries = try JSONValue(parsing: file).array?.compactMap(\.string) ?? []
                #expect(queries.count == 11)
                for query in queries {
                    let error = await #expect(throws: SearchError.self, "\(query)") {
                        try await Taken(client.search(SearchRequest(query)))
                    }
                    #expect(error?.code == .invalidQuery, "\(query)")
                    #expect((error?.offset ?? -1) <= query.utf8.count && error?.offset != nil)
                }
            }
        }

        @Test("The command line gives the same answers", arguments: [1, 8, 21, 33, 47, 60, 77])
        func commands(number: Int) async throws {
            try await withDocuments { cluster, _ in
                let lines = try Project.lines("Tests/Fixtures/worked-examples.jsonl")
                let example = try JSONValue(parsing: lines[number - 1])
                let query = try #require(example["query"]?.string)
                let run = try await cluster.run(
                    ["search", query, "--format", "ndjson", "--now", Self.now])
                #expect(run.code == 0)
                let expected = example["matches"]?.array?.compactMap(\.string) ?? []
                #expect(Set(try Answer(run).identifiers) == Set(expected))
            }
        }
    }
}
