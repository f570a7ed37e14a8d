import FresnelClient
import FresnelJSON
import Testing

extension Clusters {
    /// `fresnel delete`, which cannot be undone.
    @Suite("Deletions")
    struct DeletionTests {
        @Test(
            "A deletion by a query with a warning says what count says, and deletes nothing",
            arguments: [
                "titel != \"zzz\"", "rating != \"five\"", "!(titel == \"x\")",
                "true && com_shop_nothing != 3",
            ])
        func warnings(query: String) async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                _ = try await cluster.run(["index", "-"], input: Samples.lines(0..<5))
                let count = try await cluster.run(["count", query])
                let run = try await cluster.run(["delete", "--query", query])
                #expect(run.code == 2)
                #expect(count.errors.contains("warning: "))
                #expect(run.errors.hasPrefix(count.errors), "\(run.errors)")
                #expect(run.errors.contains("nothing was deleted"), "\(run.errors)")
                let strict = try await cluster.run(["delete", "--query", query, "--strict"])
                let strictCount = try await cluster.run(["count", query, "--strict"])
                #expect(strict.code == 2)
                if strictCount.code != 0 { #expect(strict.errors == strictCount.errors) }
                #expect(try await cluster.run(["count", "true"]).output == "5\n")
                let meant = try await cluster.run(["delete", "--query", query, "--force"])
                #expect(meant.code == 0, "\(meant.errors)")
                #expect(meant.output == "5 documents deleted\n")
            }
        }

        @Test("Without a terminal --all needs --yes, and a sound query needs nothing")
        func yes() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                _ = try await cluster.run(["index", "-"], input: Samples.lines(0..<5))
                for arguments in [["delete", "--all"], ["delete", "--all", "--json"]] {
                    let run = try await cluster.run(arguments)
                    #expect(run.code == 2)
                    #expect(run.errors.contains("--yes"), "\(run.errors)")
                }
                let some = try await cluster.run(["delete", "--query", "rating >= 0", "--strict"])
                #expect(some.code == 0, "\(some.errors)")
                #expect(some.errors.isEmpty)
                let all = try await cluster.run(["delete", "--all", "--yes"])
                #expect(all.code == 0, "\(all.errors)")
                let none = try await cluster.run(["delete", "--query", "true", "--index", "no"])
                #expect(none.code == 1)
            }
        }

        @Test("The library's deletion by a query with a warning throws it, unless it is accepted")
        func library() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                let index = client.index()
                try await index.index(Samples.documents(0..<5))
                let error = await #expect(throws: SearchError.self) {
                    try await index.delete(matching: "titel != \"x\"")
                }
                #expect(error?.code == .invalidQuery)
                #expect(error?.message.contains("titel") == true)
                let report = try await index.delete(
                    matching: "titel != \"x\"", acceptsWarnings: true)
                #expect(report.deleted == 5)
            }
        }
    }
}
