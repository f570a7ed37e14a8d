import FresnelJSON
import Testing

extension Clusters {
    /// `fresnel verify` says "equal" only of what was compared.
    @Suite("Verification")
    struct VerifyTests {
        private static let documents = """
            {"uniqueIdentifier":"a","attributes":{"title":"Apple"}}
            {"uniqueIdentifier":"b","attributes":{"title":"Pear"}}

            """

        /// A cluster with two documents, which are in a file, too.
        private func withDocuments(
            _ body: @Sendable (LiveCluster, TemporaryDirectory, String) async throws -> Void
        ) async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let file = try directory.write(Self.documents, to: "two.ndjson")
                    let run = try await cluster.run(["index", file])
                    #expect(run.code == 0, "\(run.errors)")
                    try await body(cluster, directory, file)
                }
            }
        }

        @Test("Queries are read from the standard input, a pipe and a FIFO as from a file")
        func streams() async throws {
            try await withDocuments { cluster, directory, file in
                let queries = "title == \"apple\"c\ntitle == \"*\""
                let typed = try await cluster.run(
                    ["verify", "--against", file, "--queries", "-"], input: queries)
                #expect(typed.code == 0, "\(typed.errors)")
                #expect(typed.output.contains("2 queries over 2 documents: 2 equal"))
                let lines = [
                    "printf '%s\\n' true false | fresnel verify --against \(file) "
                        + "--queries /dev/stdin",
                    "mkfifo \(directory.path)/q; printf '%s\\n' true false > \(directory.path)/q & "
                        + "fresnel verify --against \(file) --queries \(directory.path)/q",
                    "fresnel verify --against - --queries <(printf 'true\\nfalse') < \(file)",
                ]
                for line in lines {
                    let run = try await Program.shell("bash -c \(quoted(line))", cluster)
                    #expect(run.code == 0, "\(line): \(run.errors)")
                    #expect(run.output.contains("2 queries over 2 documents: 2 equal"), "\(line)")
                }
            }
        }

        @Test("No query and no document are not verified: exit code 1 with a sentence")
        func nothing() async throws {
            try await withDocuments { cluster, directory, file in
                let none = try await cluster.run(
                    ["verify", "--against", file, "--queries", "-"], input: "# nothing\n\n")
                #expect(none.code == 1)
                #expect(none.errors.contains("- holds no query"), "\(none.errors)")
                let empty = try directory.write("", to: "empty.ndjson")
                let bare = try await cluster.run(
                    ["verify", "--against", empty, "--queries", "-"], input: "true\n")
                #expect(bare.code == 1)
                #expect(bare.errors.contains("empty.ndjson gives no document"), "\(bare.errors)")
            }
        }

        @Test("What is broken beside replicas is counted too")
        func besideReplicas() async throws {
            try await TemporaryDirectory.with { directory in
                _ = try directory.write("east\nxxh3 0000000000000000\n", to: "worker-name")
                let run = try await Program.run(["verify", "--data", directory.path])
                #expect(run.code == 1 && run.output.contains("worker-name is damaged"), "\(run)")
                #expect(run.lines.last == "0 replicas, 0 broken; 1 other thing is broken")
            }
        }

        @Test("Refused lines are counted, the first is named, and the exit code is 1")
        func refusals() async throws {
            try await withDocuments { cluster, directory, _ in
                let text = Self.documents + "nonsense\n{\"uniqueIdentifier\":\"\"}\n"
                let file = try directory.write(text, to: "bad.ndjson")
                let run = try await cluster.run(
                    ["verify", "--against", file, "--queries", "-", "--json"], input: "true\n")
                #expect(run.code == 1)
                #expect(
                    run.errors.contains("2 lines refused, the first: \(file):3:"), "\(run.errors)")
                let totals = try JSONValue(parsing: run.output)["totals"]
                #expect(totals?["equal"]?.integer == 1)
                #expect(totals?["refused"]?.integer == 2)
            }
        }

        private func quoted(_ line: String) -> String {
            "'"
                + line.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
        }
    }
}

extension Program {
    fileprivate static func shell(_ line: String, _ cluster: LiveCluster) async throws -> Run {
        try await shell(line, broker: cluster.endpoint)
    }
}
