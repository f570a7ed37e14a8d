import FresnelJSON
import Testing

extension Clusters {
    /// Fields that are no attributes, through real processes.
    @Suite("Fields of documents")
    struct FieldTests {
        private static let product = """
            {"uniqueIdentifier":"p","domainIdentifier":"shop.x","attributes":{"title":"one"}}

            """
        private static let activity = """
            {"uniqueIdentifier":"a","kind":"activity","attributes":{"title":"two"},\
            "activity":{"activityType":"org.example.read"}}

            """

        @Test("are asked, sorted, counted and returned")
        func fields() async throws {
            try await LiveCluster.with(workers: 2, shards: 2) { cluster in
                for index in ["first", "second"] {
                    let run = try await cluster.run(
                        ["index", "-", "--index", index, "--format", "ndjson"],
                        input: Self.product + Self.activity)
                    #expect(run.code == 0, "\(run.errors)")
                }
                let all = ["--index", "first", "--index", "second"]
                let sorted = try await cluster.run(
                    [
                        "search", "documentKind == \"*\"", "--sort", "-index,documentKind",
                        "--attributes", "uniqueIdentifier,domainIdentifier,documentKind,index",
                        "--facet", "documentKind,index", "--json", "--strict",
                    ] + all)
                #expect(sorted.code == 0 && sorted.errors.isEmpty, "\(sorted.errors)")
                let answer = try Answer(sorted)
                let attributes = sorted.output.split(separator: "\n").dropLast().map(String.init)
                #expect(attributes.count == 4, "\(sorted.output)")
                for (line, names) in zip(
                    attributes, [("a", "second"), ("p", "second"), ("a", "first"), ("p", "first")])
                {
                    let kind = names.0 == "a" ? "activity" : "product"
                    let domain = names.0 == "a" ? "" : "\"domainIdentifier\":\"shop.x\","
                    let expected = """
                        "attributes":{"documentKind":"\(kind)",\(domain)"index":"\(names.1)",\
                        "uniqueIdentifier":"\(names.0)"}
                        """
                    #expect(line.contains(expected), "\(line)")
                }
                let facets = try #require(answer.completion["facets"]).serialized()
                #expect(facets.contains(#"{"value":"activity","count":2}"#), "\(facets)")
                #expect(facets.contains(#"{"value":"first","count":2}"#), "\(facets)")
                let one = try await cluster.run(
                    ["count", "index == \"first\" && documentKind == \"product\""] + all)
                #expect(one.output.hasPrefix("1"), "\(one.output)")
                let hint = try await cluster.run(["count", "documentKnd == \"product\""] + all)
                #expect(hint.errors.contains("did you mean documentKind"), "\(hint.errors)")
                let deletion = try await cluster.run([
                    "delete", "--query", "index != \"second\"", "--index", "second", "--force",
                ])
                #expect(
                    deletion.code != 0 && deletion.errors.contains("index"), "\(deletion.errors)")
                let kept = try await cluster.run(["count", "true"] + all)
                #expect(kept.output.hasPrefix("4"), "\(kept.output)")
            }
        }
    }
}
