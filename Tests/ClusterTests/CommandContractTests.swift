import FresnelJSON
import Testing

extension Clusters {
    /// What scripts rely on: lines, fields, exit codes.
    @Suite("Command line contract")
    struct CommandContractTests {
        /// A cluster with the example catalogues.
        private func withExamples(
            _ body: @Sendable (LiveCluster) async throws -> Void
        ) async throws {
            try await LiveCluster.with(shards: 8) { cluster in
                let run = try await cluster.run(["index"] + Project.catalogues)
                #expect(run.code == 0, "\(run.errors)")
                #expect(run.errors.contains("256 documents acknowledged, 0 refused"))
                try await body(cluster)
            }
        }

        @Test("NDJSON is one hit a line and the completion last")
        func lines() async throws {
            try await withExamples { cluster in
                let run = try await cluster.run([
                    "search", "** == \"apple\"cdw", "--format", "ndjson", "--attributes",
                    "title,rating", "--sort", "-rating,title",
                ])
                #expect(run.code == 0)
                let answer = try Answer(run)
                #expect(answer.hits.count == 20)
                for hit in answer.hits {
                    #expect(
                        hit.object?.keys
                            == ["uniqueIdentifier", "index", "kind", "score", "attributes"])
                    #expect(hit["index"]?.string == "default")
                    #expect(["product", "activity"].contains(hit["kind"]?.string ?? ""))
                }
                let ratings = answer.hits.compactMap { $0["attributes"]?["rating"]?.double }
                #expect(ratings == ratings.sorted(by: >))
                #expect(ratings.count > 5)
                let completion = answer.completion
                #expect(completion["status"]?.string == "complete")
                #expect(completion["complete"]?.bool == true)
                #expect(completion["found"]?.integer == 20)
                #expect(completion["searched"]?.integer == 256)
                #expect(completion["shards"]?.array?.count == 8)
                #expect(completion["digest"]?.string?.isEmpty == false)
                #expect((completion["elapsedMicroseconds"]?.integer ?? 0) > 0)
            }
        }

        @Test("Relevance has scores, each delivery finds the same, a limit counts all the same")
        func deliveries() async throws {
            try await withExamples { cluster in
                let query = ["search", "** == \"apple\"cdw", "--format", "ndjson"]
                let settled = try Answer(try await cluster.run(query))
                #expect(settled.hits.allSatisfy { ($0["score"]?.double ?? 0) > 0 })
                let final = try Answer(try await cluster.run(query + ["--deliver", "final"]))
                #expect(final.identifiers == settled.identifiers)
                #expect(final.completion["digest"] == settled.completion["digest"])
                let found = try Answer(
                    try await cluster.run(query + ["--deliver", "found", "--credit", "3"]))
                #expect(Set(found.identifiers) == Set(settled.identifiers))
                let limited = try Answer(try await cluster.run(query + ["--limit", "5"]))
                #expect(limited.identifiers == Array(settled.identifiers.prefix(5)))
                #expect(limited.completion["found"]?.integer == 20)
            }
        }

        @Test("Codes: 0 found or not, 1 missing, 2 invalid with the place, 4 out of time")
        func codes() async throws {
            try await withExamples { cluster in
                let nothing = try await cluster.run(["search", "title == \"no such title\""])
                #expect(nothing.code == 0)
                #expect(nothing.output.contains("0 hits found in 256 documents"))
                let missing = try await cluster.run(["get", "produce-apple", "nobody"])
                #expect(missing.code == 1)
                #expect(missing.output.contains("produce-apple"))
                #expect(missing.errors.contains("nobody"))
                let invalid = try await cluster.run(["search", "InRange(title, \"a\", \"b\")"])
                #expect(invalid.code == 2)
                #expect(invalid.errors.contains("\n                 ^"), "\(invalid.errors)")
                let strict = try await cluster.run(["count", "colour == \"red\"", "--strict"])
                #expect(strict.code == 2)
                let late = try await cluster.run(
                    ["search", "** == \"*a*\"", "--deadline", "1us", "--format", "ndjson"])
                #expect(late.code == 4)
                let completion = try Answer(late).completion
                #expect(completion["complete"]?.bool == false)
            }
        }

        @Test("An unknown attribute is a warning on the standard error, not in the answer")
        func warnings() async throws {
            try await withExamples { cluster in
                let run = try await cluster.run(
                    ["search", "titel == \"apple\"", "--format", "ndjson"])
                #expect(run.code == 0)
                #expect(run.errors.contains("warning: "))
                #expect(try Answer(run).hits.isEmpty)
            }
        }

        @Test("Get prints what index reads")
        func documents() async throws {
            try await withExamples { cluster in
                let got = try await cluster.run(
                    ["get", "view-apple", "Atari 400", "--format", "ndjson"])
                #expect(got.code == 0)
                #expect(got.lines.count == 2)
                let put = try await cluster.run(
                    ["index", "-", "--format", "ndjson", "--json"], input: got.output)
                #expect(put.code == 0, "\(put.errors)")
                #expect(try JSONValue(parsing: put.output)["acknowledged"]?.integer == 2)
                let again = try await cluster.run(
                    ["get", "view-apple", "Atari 400", "--format", "ndjson"])
                #expect(again.output == got.output)
            }
        }

        @Test("Deletions by identifier, domain, query and all are gone when the command returns")
        func deletions() async throws {
            try await withExamples { cluster in
                let steps: [([String], Int)] = [
                    (["produce-banana"], 1), (["nobody"], 0),
                    (["--domain", "candy"], 30), (["--query", "com_fresnel_year < 1980"], 19),
                ]
                for (arguments, least) in steps {
                    let run = try await cluster.run(["delete", "--json"] + arguments)
                    #expect(run.code == 0, "\(run.errors)")
                    let deleted = try JSONValue(parsing: run.output)["deleted"]?.integer ?? -1
                    #expect(deleted >= min(1, least), "\(arguments): \(deleted)")
                }
                let query = "uniqueIdentifier == \"produce-banana\" || com_fresnel_year < 1980"
                #expect(try await cluster.run(["count", query]).output == "0\n")
                #expect(
                    try await cluster.run(["count", "domainIdentifier == \"candy*\""]).output
                        == "0\n")
                let all = try await cluster.run(["delete", "--all", "--yes"])
                #expect(all.code == 0)
                #expect(try await cluster.run(["count", "true"]).output == "0\n")
            }
        }

        @Test("Queries from the standard input are answered one after the other")
        func standardInput() async throws {
            try await withExamples { cluster in
                let run = try await cluster.run(
                    ["search", "-", "--format", "ndjson"],
                    input: "# a comment\ntitle == \"apple\"c\n\n(((\ntitle == \"pear\"c\n")
                #expect(run.code == 2)
                let completions = try run.lines.compactMap {
                    try JSONValue(parsing: $0)["completion"]?["status"]?.string
                }
                #expect(completions == ["complete", "failed", "complete"])
            }
        }

        @Test("Status names workers and shards")
        func status() async throws {
            try await withExamples { cluster in
                let run = try await cluster.run(["status", "--json"])
                #expect(run.code == 0)
                let status = try JSONValue(parsing: run.output)
                let states = status["workers"]?.array?.compactMap { $0["state"]?.string }
                #expect(states == ["live", "live", "live"])
                // Workers tell their counts with the heartbeat.
                try await eventually("the documents are counted") {
                    let run = try await cluster.run(["status", "--json"])
                    let indexes = try JSONValue(parsing: run.output)["indexes"]?.array
                    return indexes?.first?["documents"]?.integer == 256
                }
                let people = try await cluster.run(["status"])
                #expect(people.output.contains("worker-3"))
            }
        }

        @Test("Verify agrees with the examples, and finds a document that is gone")
        func verify() async throws {
            try await withExamples { cluster in
                try await TemporaryDirectory.with { directory in
                    let queries = try directory.write(
                        "** == \"apple\"cdw\n{\"cs\": \"rating >= 4\"}\n", to: "queries")
                    let files = Project.catalogues.flatMap { ["--against", $0] }
                    let arguments = ["verify", "--queries", queries] + files
                    let equal = try await cluster.run(arguments)
                    #expect(equal.code == 0, "\(equal.output)\(equal.errors)")
                    #expect(equal.output.contains("2 queries over 256 documents: 2 equal"))
                    _ = try await cluster.run(["delete", "produce-fuji-apple"])
                    let different = try await cluster.run(arguments)
                    #expect(different.code == 1)
                    #expect(different.output.contains("produce-fuji-apple"))
                }
            }
        }
    }
}
