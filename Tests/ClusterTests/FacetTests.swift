import FresnelJSON
import Testing

extension Clusters {
    /// Facets and highlights through real processes.
    @Suite("Facets and highlights")
    struct FacetTests {
        private static let documents = (0..<40).map { number in
            let title = number % 2 == 0 ? "Große Straße" : "Petite rue"
            let keywords = (0...number % 4).map { "\"k\($0)\"" }.joined(separator: ",")
            return """
                {"uniqueIdentifier":"d\(number)","attributes":{"title":"\(title)",\
                "keywords":[\(keywords)],"rating":\(number % 3)}}

                """
        }

        private static func withDocuments(
            shards: Int, _ body: @Sendable (LiveCluster) async throws -> Void
        ) async throws {
            try await LiveCluster.with(workers: min(2, shards), shards: shards) { cluster in
                let run = try await cluster.run(
                    ["index", "-", "--format", "ndjson"], input: documents.joined())
                #expect(run.code == 0, "\(run.errors)")
                try await body(cluster)
            }
        }

        private static func facets(_ run: Program.Run) throws -> String {
            #expect(run.code == 0, "\(run.errors)")
            let facets = try #require(try Answer(run).completion["facets"])
            return facets.serialized()
        }

        private static let expected = """
            [{"attribute":"keywords","values":[{"value":"k0","count":40},\
            {"value":"k1","count":30}],\
            "documents":40,"missing":0,"distinct":4,"exact":true,"bound":0,"rounds":1},\
            {"attribute":"rating","values":[{"value":0,"count":14},{"value":1,"count":13},\
            {"value":2,"count":13}],"documents":40,"missing":0,"distinct":3,"exact":true,\
            "bound":0,"rounds":1}]
            """

        @Test(
            "Facets are exact for any number of shards, with and without hits", arguments: [1, 3])
        func exact(shards: Int) async throws {
            try await Self.withDocuments(shards: shards) { cluster in
                let flags = ["rating >= 0", "--facet", "keywords:2,rating", "--json"]
                #expect(try Self.facets(try await cluster.run(["search"] + flags)) == Self.expected)
                let few = try await cluster.run(["search"] + flags + ["--limit", "1"])
                #expect(try Self.facets(few) == Self.expected)
                #expect(try Self.facets(try await cluster.run(["count"] + flags)) == Self.expected)
                let table = try await cluster.run([
                    "count", "rating >= 0", "--facet", "keywords:2", "--filter", "rating == 1",
                ])
                #expect(table.output.contains("  13  k0\n"), "\(table.output)")
                #expect(table.output.contains("\n4 values\n"), "\(table.output)")
                let unknown = try await cluster.run(["search", "rating >= 0", "--facet", "keyword"])
                #expect(unknown.errors.contains("did you mean keywords"), "\(unknown.errors)")
                let strict = try await cluster.run([
                    "search", "rating >= 0", "--facet", "keyword", "--strict",
                ])
                #expect(strict.code == 2)
            }
        }

        @Test(
            "More values than a message holds are counted exactly in a second round",
            .tags(.slow))
        func manyValues() async throws {
            try await LiveCluster.with(workers: 3, shards: 3) { cluster in
                let lines = (0..<30_000).map { number in
                    let common = (0...number % 10).map { "\"common \($0)\"" }.joined(separator: ",")
                    return """
                        {"uniqueIdentifier":"d\(number)","attributes":{"rating":1,\
                        "keywords":["unique value \(100_000 + number)",\(common)]}}

                        """
                }
                let run = try await cluster.run(
                    ["index", "-", "--format", "ndjson"], input: lines.joined())
                #expect(run.code == 0, "\(run.errors)")
                // Debug builds on busy machines are slow; the counts are what matters here.
                let flags = ["rating == 1", "--json", "--deadline", "120s", "--facet"]
                let one = try await cluster.run(["count"] + flags + ["keywords:10"])
                #expect(try Self.facets(one).hasSuffix("\"exact\":true,\"bound\":0,\"rounds\":1}]"))
                let two = try await cluster.run(
                    ["search", "--limit", "2"] + flags + ["keywords:12"])
                let common = (0..<10).map { number in
                    "{\"value\":\"common \(number)\",\"count\":\(30_000 - 3000 * number)}"
                }
                let expected = """
                    [{"attribute":"keywords","values":[\(common.joined(separator: ",")),\
                    {"value":"unique value 100000","count":1},\
                    {"value":"unique value 100001","count":1}],"documents":30000,"missing":0,\
                    "distinct":30010,"exact":true,"bound":0,"rounds":2}]
                    """
                #expect(try Self.facets(two) == expected)
                let shards = try #require(try Answer(two).completion["shards"]?.array)
                let times = shards.compactMap { $0["microseconds"]?["facets"]?.integer }
                #expect(times.count == 3 && times.allSatisfy { $0 > 0 }, "\(times)")
            }
        }

        @Test("The moments of an answer are told on standard error, in their order")
        func timing() async throws {
            try await Self.withDocuments(shards: 1) { cluster in
                let search = ["search", "rating >= 0", "--timing", "--sort", "title"]
                let run = try await cluster.run(search + ["--json"])
                #expect(try Answer(run).completion["delivered"]?.integer == 40)
                let line = try #require(run.errors.split(separator: "\n").last)
                let timing = try JSONValue(parsing: String(line))["timing"]
                let moments = ["first", "page", "last", "completion"].compactMap {
                    timing?["\($0)Microseconds"]?.integer
                }
                #expect(moments.count == 4 && moments == moments.sorted(), "\(line)")
                let table = try await cluster.run(search + ["--limit", "3"])
                #expect(table.errors.contains("timing: first "), "\(table.errors)")
                let nothing = try await cluster.run(
                    ["search", "rating == 9", "--timing", "--json"])
                #expect(nothing.errors.contains("\"firstMicroseconds\":null"))
            }
        }

        @Test("Highlights are UTF-8 offsets of what matched, also where folding changes lengths")
        func highlights() async throws {
            try await Self.withDocuments(shards: 2) { cluster in
                let run = try await cluster.run([
                    "search", "title == \"strasse\"cdw || title == \"gros*\"cdw", "--attributes",
                    "title", "--highlight", "--limit", "3", "--json",
                ])
                let answer = try Answer(run)
                #expect(answer.hits.count == 3)
                for hit in answer.hits {
                    #expect(
                        hit["highlights"]?.serialized() == """
                            [{"attribute":"title","element":0,"ranges":[[0,5],[7,14]],\
                            "complete":true}]
                            """)
                }
            }
        }
    }
}
