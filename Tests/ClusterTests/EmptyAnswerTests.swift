import Testing

extension Clusters {
    /// What people are told where a query finds nothing.
    @Suite("Empty answers")
    struct EmptyAnswerTests {
        @Test("Who asks kind for the kind of a document is shown the field, and only then")
        func kinds() async throws {
            try await LiveCluster.with(workers: 1, shards: 1) { cluster in
                let run = try await cluster.run(
                    ["index", "-"], input: #"{"id":"a","title":"one"}"# + "\n")
                #expect(run.code == 0, "\(run.errors)")
                let hint = "did you mean documentKind == \"product\"\n"
                for arguments in [
                    ["search", "kind == \"product\""], ["count", "kind == \"product\""],
                    ["search", "kind == product", "--json"],
                    ["delete", "--yes", "--query", "kind == \"product\""],
                ] {
                    let run = try await cluster.run(arguments)
                    #expect(run.code == 0 && run.errors.hasSuffix(hint), "\(run.errors)")
                }
                for query in ["documentKind == \"product\"", "kind != \"product\"", "false"] {
                    let run = try await cluster.run(["count", query])
                    #expect(run.code == 0 && run.errors.isEmpty, "\(run.errors)")
                }
            }
        }
    }
}
