import FresnelJSON
import Testing

extension Clusters {
    /// Where scores come from.
    @Suite("Explanations")
    struct ExplainTests {
        @Test("A score is explained to its last bit, over several shards and workers")
        func score() async throws {
            try await LiveCluster.with(workers: 2, shards: 3) { cluster in
                let indexed = try await cluster.run(["index"] + Project.catalogues)
                #expect(indexed.code == 0, "\(indexed.errors)")
                let query = "** == \"apple\"cdw || title == \"Atari*\""
                let answer = try Answer(try await cluster.run(["search", query, "--json"]))
                let hit = try #require(answer.hits.first)
                let identifier = try #require(hit["uniqueIdentifier"]?.string)
                let explain = ["explain", query, "--id", identifier]
                let run = try await cluster.run(explain + ["--json"])
                #expect(run.code == 0, "\(run.errors)")
                let explained = try #require(try Answer(run).hits.first)
                #expect(explained["score"]?.double == hit["score"]?.double)
                #expect(explained["explanation"]?["total"]?.double == hit["score"]?.double)
                #expect(explained["explanation"]?["terms"]?.array?.count == 2)
                let words = try await cluster.run(explain)
                #expect(words.code == 0)
                #expect(words.output.contains("documents match it"), "\(words.output)")
                let missing = try await cluster.run(["explain", query, "--id", "nobody"])
                #expect(missing.code == 1 && missing.errors.contains("nobody"))
            }
        }

        @Test("A query asked again is scored with remembered statistics, until something changes")
        func statistics() async throws {
            try await LiveCluster.with(workers: 2, shards: 3) { cluster in
                let indexed = try await cluster.run(["index", Project.catalogues[0]])
                #expect(indexed.code == 0, "\(indexed.errors)")
                let search = ["search", "title == \"apple\"c", "--json"]
                let first = try Answer(try await cluster.run(search)).completion
                let second = try Answer(try await cluster.run(search)).completion
                #expect(first["statistics"]?.string == "asked")
                #expect(second["statistics"]?.string == "cached")
                #expect(first["digest"] == second["digest"])
                let scored = (second["shards"]?.array ?? []).compactMap { $0["scored"]?.integer }
                #expect(scored.reduce(0, +) == second["found"]?.integer)
                let deleted = try await cluster.run(["delete", "nobody"])
                #expect(deleted.code == 0 || deleted.code == 1, "\(deleted.errors)")
                let third = try Answer(try await cluster.run(search)).completion
                #expect(third["statistics"]?.string == "asked")
                #expect(first["digest"] == third["digest"])
            }
        }

        @Test("Without an identifier the parts of a query are counted")
        func plan() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                let indexed = try await cluster.run(["index", Project.catalogues[0]])
                #expect(indexed.code == 0, "\(indexed.errors)")
                let query = "title = 'apple' c && !(rating >= 4)"
                let run = try await cluster.run(["explain", query, "--json"])
                #expect(run.code == 0, "\(run.errors)")
                let plan = try JSONValue(parsing: try #require(run.lines.last))
                #expect(plan["canonical"]?.string == "title == \"apple\"c && !(rating >= 4)")
                let parts = try #require(plan["parts"]?.array)
                #expect(
                    parts.map { $0["query"]?.string } == ["title == \"apple\"c", "rating >= 4"])
                for part in parts {
                    let counted = try await cluster.run(["count", part["query"]?.string ?? ""])
                    #expect(part["found"]?.integer.map { "\($0)\n" } == counted.output)
                }
            }
        }
    }
}
