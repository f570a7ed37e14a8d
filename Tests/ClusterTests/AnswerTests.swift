import FresnelJSON
import Testing

extension Clusters {
    /// What an answer says beside its hits.
    @Suite("Answers")
    struct AnswerTests {
        /// A cluster with the catalogue that has prices.
        private func withPrices(
            _ body: @Sendable (LiveCluster) async throws -> Void
        ) async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                let run = try await cluster.run(["index", Project.catalogues[0]])
                #expect(run.code == 0, "\(run.errors)")
                try await body(cluster)
            }
        }

        private func warnings(_ run: Program.Run) throws -> [String] {
            (try Answer(run).completion["warnings"]?.array ?? []).compactMap {
                $0["message"]?.string
            }
        }

        @Test("Names that mean nothing are warned of where people and programs look")
        func oddities() async throws {
            try await withPrices { cluster in
                let command = [
                    "search", "title == \"apple\"c", "--sort", "titel", "--attributes",
                    "com_fresnel_prise", "--language", "zz",
                ]
                let people = try await cluster.run(command)
                #expect(people.code == 0)
                let programs = try await cluster.run(command + ["--format", "ndjson"])
                #expect(programs.code == 0)
                let warnings = try warnings(programs)
                #expect(warnings.count == 3)
                for (warning, word) in zip(
                    warnings, ["did you mean title", "did you mean com_fresnel_price", "'zz'"])
                {
                    #expect(warning.contains(word))
                    #expect(people.errors.contains("warning: \(warning)\n"), "\(people.errors)")
                }
            }
        }

        @Test("Declared keys, aliases and the identifier are known names")
        func known() async throws {
            try await withPrices { cluster in
                let run = try await cluster.run([
                    "search", "title == \"apple\"c", "--sort", "-com_fresnel_price",
                    "--attributes", "uniqueIdentifier,com_fresnel_price,rating", "--strict",
                    "--language", "sv", "--json",
                ])
                #expect(run.code == 0, "\(run.errors)")
                #expect(try warnings(run).isEmpty)
            }
        }

        @Test(
            "A strict request with a name that means nothing is refused",
            arguments: [["--sort", "titel"], ["--attributes", "titel"], ["--language", "zz"]])
        func strict(flags: [String]) async throws {
            try await withPrices { cluster in
                let run = try await cluster.run(
                    ["search", "title == \"apple\"c", "--strict", "--json"] + flags)
                #expect(run.code == 2)
                let answer = try Answer(run)
                #expect(answer.hits.isEmpty)
                #expect(answer.completion["error"]?["code"]?.integer == 410)
            }
        }

        @Test("What has no order has no digest, counted or found")
        func digest() async throws {
            try await withPrices { cluster in
                for query in ["title == \"apple\"c", "title == \"nothing\""] {
                    let counted = try await cluster.run(["count", query, "--json"])
                    #expect(try Answer(counted).completion["digest"]?.string == "")
                    let found = try await cluster.run(
                        ["search", query, "--json", "--deliver", "found"])
                    #expect(try Answer(found).completion["digest"]?.string == "")
                    let sorted = try await cluster.run(["search", query, "--json"])
                    #expect(try Answer(sorted).completion["digest"]?.string?.count == 32)
                }
            }
        }

        @Test("Verify counts a query that both sides refuse as invalid, and ends with 1")
        func invalid() async throws {
            try await withPrices { cluster in
                try await TemporaryDirectory.with { directory in
                    let queries = try directory.write(
                        "title == \"apple\"c\n{\"query\": \"a ==\"}\n", to: "queries")
                    let arguments = [
                        "verify", "--queries", queries, "--against", Project.catalogues[0],
                    ]
                    let run = try await cluster.run(arguments)
                    #expect(run.code == 1)
                    #expect(run.output.contains("a ==\n  invalid query: expected a value"))
                    #expect(run.output.contains("1 equal, 0 different, 1 invalid, 0 incomplete"))
                    let json = try await cluster.run(arguments + ["--json"])
                    let totals = try JSONValue(parsing: try #require(json.lines.last))["totals"]
                    #expect(totals?["invalid"]?.integer == 1)
                    #expect(totals?["equal"]?.integer == 1)
                }
            }
        }
    }
}
