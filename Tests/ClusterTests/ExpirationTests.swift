import FresnelClient
import FresnelJSON
import Testing

extension Clusters {
    /// When documents expire, as people are told.
    @Suite("Expiration", .tags(.slow))
    struct ExpirationTests {
        private static let dated = """
            {"uniqueIdentifier":"dated","expirationDate":"2099-01-01","attributes":{"title":"b"}}

            """
        private static let plain =
            #"{"uniqueIdentifier":"plain","attributes":{"title":"a"}}"# + "\n"

        @Test("Nothing expires unless somebody says so; import, status and get say when")
        func told() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, _ in
                let plain = try await cluster.run(
                    ["index", "-", "--index", "ever"], input: Self.plain)
                #expect(plain.errors.contains("; it never expires"), "\(plain.errors)")
                let month = ["index", "-", "--index", "month", "--expiration", "30d"]
                let both = try await cluster.run(month, input: Self.plain + Self.dated)
                #expect(
                    both.errors.contains("those that name no date expire on 2"), "\(both.errors)")
                #expect(both.errors.contains("30 days after indexing"), "\(both.errors)")
                let own = try await cluster.run(month + ["--json"], input: Self.dated)
                #expect(
                    try JSONValue(parsing: own.output)["expirationSeconds"]?.double == 2_592_000)
                let status = try await cluster.run(["status"])
                #expect(status.output.contains("30 days"), "\(status.output)")
                let get = try await cluster.run(["get", "plain", "dated", "--json"])
                let documents = try get.output.split(separator: "\n").map {
                    try JSONValue(parsing: String($0))
                }
                let expires = Dictionary(
                    uniqueKeysWithValues: documents.map { document in
                        let index = document["index"]?.string ?? ""
                        return (
                            "\(index)/\(document["uniqueIdentifier"]?.string ?? "")",
                            document["expires"]
                        )
                    })
                #expect(expires["ever/plain"] == .null)
                #expect(expires["month/plain"]??.string?.hasPrefix("2") == true)
                #expect(expires["month/dated"]??.string == "2099-01-01T00:00:00Z")
                // What get prints can be indexed again.
                let again = try await cluster.run(
                    ["index", "-", "--index", "copy"], input: get.output)
                #expect(again.code == 0, "\(again.errors)")
            }
        }

        @Test(
            "An import that names another expiration than the index has says so and sends nothing")
        func another() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                let first = try await cluster.run(["index", "-"], input: Self.plain)
                #expect(first.code == 0, "\(first.errors)")
                let second = try await cluster.run(
                    ["index", "-", "--expiration", "12h"], input: Self.dated)
                #expect(second.code == 2)
                #expect(
                    second.errors.contains("has expiration never, not 12 hours"), "\(second.errors)"
                )
                #expect(try await client.count("title == \"*\"") == 1)
                await #expect(throws: SearchError.self) {
                    try await client.index(expiration: .after(.seconds(60))).index([
                        Document(uniqueIdentifier: "other")
                    ])
                }
                for text in ["0", "-3d", "soon", "nan", "1e30d"] {
                    let wrong = try await cluster.run(
                        ["index", "-", "--index", "q", "--expiration=\(text)"], input: Self.plain)
                    #expect(wrong.code == 2, "\(wrong.errors)")
                    #expect(wrong.errors.contains("--expiration must be"), "\(wrong.errors)")
                }
                #expect(try await client.status().indexes.map(\.name) == ["default"])
            }
        }
    }
}
