import FresnelJSON
import Testing

extension Clusters {
    /// True and false through real processes.
    @Suite("Booleans")
    struct BooleanTests {
        private static let catalogue = """
            {"id":"a","inStock":true,"sale":false,"title":"one"}
            {"id":"b","inStock":false,"sale":12.5,"title":"two"}
            {"id":"c","sale":1,"title":"three"}

            """

        @Test("are asked as such, and shown as such in tables, JSON and facets")
        func shown() async throws {
            try await LiveCluster.with(workers: 2, shards: 2) { cluster in
                let run = try await cluster.run(["index", "-"], input: Self.catalogue)
                #expect(run.code == 0, "\(run.errors)")
                for (query, count) in [
                    ("inStock == true", "1"), ("inStock == 1", "1"), ("inStock == false", "1"),
                    ("inStock != true", "2"), ("inStock < true", "1"), ("sale == true", "1"),
                    ("sale > 1", "1"), ("inStock == \"*\"", "2"),
                ] {
                    let run = try await cluster.run(["count", query])
                    #expect(run.output.hasPrefix(count + "\n") && run.errors.isEmpty, "\(query)")
                }
                let search = ["search", "title == \"*\"", "--attributes", "inStock,sale"]
                let flags = ["--sort", "inStock,sale", "--facet", "inStock,sale"]
                // The second answer is told again by the broker.
                for _ in 0..<2 {
                    let json = try await cluster.run(search + flags + ["--json"])
                    let answer = try Answer(json)
                    #expect(
                        answer.hits.compactMap { $0["attributes"]?.serialized() } == [
                            #"{"inStock":false,"sale":12.5}"#, #"{"inStock":true,"sale":false}"#,
                            #"{"sale":true}"#,
                        ], "\(json.output)")
                    let facets = try #require(answer.completion["facets"]).serialized()
                    #expect(facets.contains(#"{"value":true,"count":1}"#), "\(facets)")
                    #expect(facets.contains(#"{"value":12.5,"count":1}"#), "\(facets)")
                }
                let table = try await cluster.run(search + ["--sort", "inStock"])
                #expect(table.output.contains("false"), "\(table.output)")
                let get = try await cluster.run(["get", "a", "--json"])
                #expect(get.output.contains(#""inStock":true,"sale":false"#), "\(get.output)")
                let again = try await cluster.run(
                    ["index", "-", "--index", "copy"], input: get.output)
                #expect(again.code == 0, "\(again.errors)")
                let copy = try await cluster.run([
                    "search", "true", "--index", "copy", "--attributes", "*", "--json",
                ])
                #expect(copy.output.contains(#""inStock":true,"sale":false"#), "\(copy.output)")
            }
        }

        @Test("A key that is a number takes true, and stays a number")
        func number() async throws {
            try await LiveCluster.with(workers: 1, shards: 1) { cluster in
                for document in [#"{"id":"a","stock":7}"#, #"{"id":"b","stock":true}"#] {
                    let run = try await cluster.run(["index", "-"], input: document + "\n")
                    #expect(run.code == 0, "\(run.errors)")
                }
                let run = try await cluster.run([
                    "search", "stock > 0", "--attributes", "stock", "--sort", "stock", "--json",
                ])
                let stocks = try Answer(run).hits.map { $0["attributes"]?.serialized() }
                #expect(stocks == [#"{"stock":1}"#, #"{"stock":7}"#], "\(run.output)")
            }
        }
    }
}
