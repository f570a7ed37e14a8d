import FresnelClient
import FresnelJSON
import Glibc
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
            try await LiveCluster.with(
                workers: 2, shards: 3, variables: LiveCluster.keepingNoAnswers
            ) { cluster in
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
                #expect(parts[1]["routes"]?.array?.first?.string?.hasPrefix("column") == true)
                #expect(plan["completion"]?["statistics"]?.string == "asked")
                for part in parts {
                    let counted = try await cluster.run(["count", part["query"]?.string ?? ""])
                    #expect(part["found"]?.integer.map { "\($0)\n" } == counted.output)
                }
            }
        }

        @Test("A plan says who was asked, whence statistics and filters come, and the time")
        func execution() async throws {
            try await LiveCluster.with(workers: 2, shards: 3) { cluster in
                let indexed = try await cluster.run(["index", Project.catalogues[0]])
                #expect(indexed.code == 0, "\(indexed.errors)")
                let explain = [
                    "explain", "title == \"apple\"cw && rating >= 2", "--filter",
                    "keywords == \"fruit\"",
                ]
                let first = try await cluster.run(explain)
                #expect(first.code == 0, "\(first.errors)")
                for words in [
                    "asked 3 shards on 2 workers", "every worker was asked first",
                    "  worker-1: ", "  worker-2: ", "matched ", "travelled ", "behind 1 filter",
                    "    dictionary: one entry of the sorted words", "    column: a range",
                ] { #expect(first.output.contains(words), "\(words) in \(first.output)") }
                let second = try await cluster.run(explain)
                #expect(second.output.contains("remembered from an earlier query"))
                #expect(second.output.contains("filters: remembered in "), "\(second.output)")
                let json = try await cluster.run(explain + ["--json"])
                let shards = try JSONValue(parsing: json.output)["completion"]?["shards"]?.array
                let known = (shards ?? []).compactMap { $0["knownFilters"]?.integer }
                #expect(known.count == 3 && known.reduce(0, +) > 0)
                let unscored = try await cluster.run(["explain", "rating >= 2"])
                #expect(unscored.output.contains("none, since nothing scores"))
                let wrong = try await cluster.run(["explain"])
                #expect(wrong.code == 2 && wrong.errors.contains("--answer"))
            }
        }

        @Test("A plan asks the workers also where the broker has told that answer before")
        func planOfKept() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                let indexed = try await cluster.run(["index", Project.catalogues[0]])
                #expect(indexed.code == 0, "\(indexed.errors)")
                let query = "title == \"apple\"c"
                for _ in 0..<2 {
                    let plan = try await cluster.run(["explain", query])
                    #expect(!plan.output.contains("kept:"), "\(plan.output)")
                }
                let search = ["search", query, "--limit", "1", "--timing"]
                let timings = [try await cluster.run(search), try await cluster.run(search)].map {
                    $0.errors.contains("the broker told this before and asked no worker")
                }
                #expect(timings == [false, true])
                let json = try JSONValue(
                    parsing: try await cluster.run(["explain", query, "--json"]).output)
                #expect(json["completion"]?["kept"] == nil, "\(json)")
            }
        }

        @Test("An answer is explained later, without a cluster: what is missing and what to do")
        func kept() async throws {
            try await LiveCluster.withClient(
                workers: 2, shards: 4, variables: LiveCluster.keepingNoAnswers
            ) { cluster, client in
                try await client.index().index(Samples.documents(0..<60))
                let search = ["search", "title == \"common*\"c", "--json"]
                try await TemporaryDirectory.with { directory in
                    let whole = try directory.write(
                        try await cluster.run(search).output, to: "whole.json")
                    let complete = try await Program.run(["explain", "--answer", whole])
                    #expect(complete.code == 0, "\(complete.errors)")
                    #expect(complete.output.hasPrefix("complete: 60 found"), "\(complete.output)")
                    try cluster.signal("worker-2", SIGSTOP)
                    let late = try await cluster.run(search + ["--deadline", "600ms"])
                    try cluster.signal("worker-2", SIGCONT)
                    #expect(late.code == 3, "\(late.errors)")
                    let run = try await Program.run(
                        ["explain", "--answer", "-"], input: late.output)
                    #expect(run.code == 0, "\(run.errors)")
                    #expect(run.output.hasPrefix("deadline: "), "\(run.output)")
                    #expect(run.output.contains("on worker-2 deadline"), "\(run.output)")
                    #expect(run.output.contains("look at the machine of worker worker-2"))
                    let broken = try await Program.run(
                        ["explain", "--answer", "-"], input: "{\"uniqueIdentifier\":\"a\"}\n")
                    #expect(broken.code == 2 && broken.errors.contains("completion"))
                }
            }
        }
    }
}
