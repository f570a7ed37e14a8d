import FresnelJSON
import Testing

extension Clusters {
    /// `relatedUniqueIdentifier` from the command line: shards must not show.
    @Suite("Relations")
    struct RelationTests {
        @Test(
            "Moves, refusals and deletions give the same for any number of shards",
            arguments: [1, 2, 5])
        func shards(count: Int) async throws {
            try await LiveCluster.with(workers: min(count, 2), shards: count) { cluster in
                let products = ["apple", "pear", "plum"].map { Self.line($0, title: $0) }
                try await Self.index(products, in: cluster, refused: 0)
                let looked = Self.line("looked", title: "Ada looked", about: "apple")
                try await Self.index([looked], in: cluster, refused: 0)
                #expect(
                    try await Self.titles(in: cluster) == ["Ada looked", "apple", "pear", "plum"])

                // A relation to nothing, and one to a document that has a relation, are refused,
                // and what was there stays.
                let wrong = Self.line("looked", title: "Lost", about: "nothing")
                try await Self.index([wrong], in: cluster, refused: 1)
                let chained = Self.line("again", title: "Chained", about: "looked")
                try await Self.index([chained], in: cluster, refused: 1)
                #expect(
                    try await Self.titles(in: cluster) == ["Ada looked", "apple", "pear", "plum"])

                let moved = Self.line("looked", title: "Ada moved", about: "plum")
                try await Self.index([moved], in: cluster, refused: 0)
                let patch =
                    #"{"uniqueIdentifier":"looked","isUpdate":true,"attributes":{"rating":4}}"#
                try await Self.index([patch], in: cluster, refused: 0)
                #expect(try await cluster.run(["count", "rating == 4"]).output == "1\n")
                #expect(
                    try await Self.titles(in: cluster) == ["Ada moved", "apple", "pear", "plum"])

                #expect(try await cluster.run(["delete", "apple"]).code == 0)
                #expect(try await Self.titles(in: cluster) == ["Ada moved", "pear", "plum"])
                #expect(try await cluster.run(["delete", "plum"]).code == 0)
                #expect(try await Self.titles(in: cluster) == ["pear"])
            }
        }

        private static func line(_ id: String, title: String, about: String? = nil) -> String {
            let relation = about.map { #","relatedUniqueIdentifier":"\#($0)""# } ?? ""
            return #"{"uniqueIdentifier":"\#(id)","attributes":{"title":"\#(title)"\#(relation)}}"#
        }

        private static func index(
            _ lines: [String], in cluster: LiveCluster, refused: Int
        ) async throws {
            let run = try await cluster.run(
                ["index", "-", "--format", "ndjson", "--json"],
                input: lines.map { $0 + "\n" }.joined())
            #expect(run.code == (refused == 0 ? 0 : 1), "\(run.errors)")
            let totals = try JSONValue(parsing: run.output)
            #expect(
                totals["acknowledged"]?.integer == Int64(lines.count - refused), "\(run.errors)")
            #expect(totals["refused"]?.integer == Int64(refused), "\(run.errors)")
        }

        private static func titles(in cluster: LiveCluster) async throws -> [String] {
            let run = try await cluster.run([
                "search", "title == \"*\"", "--sort", "title", "--format", "ndjson", "--attributes",
                "title",
            ])
            let answer = try Answer(run)
            #expect(answer.completion["complete"]?.bool == true, "\(run.output)")
            return answer.hits.compactMap { $0["attributes"]?["title"]?.string }
        }
    }
}
