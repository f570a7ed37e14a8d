import FresnelJSON
import Testing

extension Clusters {
    /// `fresnel index` with sources that give no document.
    @Suite("Imports of nothing")
    struct ImportOfNothingTests {
        private static let sources: [(text: String, format: String, refused: Int64)] = [
            ("id,title\n", "csv", 0), ("", "ndjson", 0), ("\n \n", "ndjson", 0),
            ("# a comment\n\n", "deb822", 0), ("no json\n{\"attributes\":{}}\n", "ndjson", 2),
            ("id,title\n,x\na\n", "csv", 2),
        ]
        private static let patch =
            #"{"uniqueIdentifier":"nobody","isUpdate":true,"attributes":{"title":"x"}}"#
        private static let part =
            #"{"uniqueIdentifier":"p","attributes":{"relatedUniqueIdentifier":"w"}}"#
        private static let whole = #"{"uniqueIdentifier":"w","attributes":{"title":"x"}}"#

        private func indexes(of cluster: LiveCluster) async throws -> [String] {
            let status = try JSONValue(parsing: try await cluster.run(["status", "--json"]).output)
            return (status["indexes"]?.array ?? []).compactMap { $0["name"]?.string }
        }

        @Test("A file and the standard input end alike, in a known index or not, and make none")
        func alike() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                let first = try await cluster.run(
                    ["index", "-", "--index", "known"], input: Samples.lines(0..<3))
                #expect(first.code == 0)
                try await TemporaryDirectory.with { directory in
                    for (number, source) in Self.sources.enumerated() {
                        let file = try directory.write(source.text, to: "\(number).txt")
                        for index in ["known", "other"] {
                            let options = [
                                "--index", index, "--json", "--format", source.format,
                            ]
                            let runs = [
                                try await cluster.run(["index", file] + options),
                                try await cluster.run(
                                    ["index", "-"] + options, input: source.text),
                                try await cluster.run(["index", file] + options),
                            ]
                            for run in runs {
                                #expect(run.code == (source.refused == 0 ? 0 : 1), "\(run.errors)")
                                let totals = try JSONValue(parsing: run.output)
                                #expect(totals["status"]?.string == "complete")
                                #expect(totals["acknowledged"]?.integer == 0)
                                #expect(totals["refused"]?.integer == source.refused)
                            }
                        }
                    }
                }
                #expect(try await indexes(of: cluster) == ["known"])
                #expect(try await cluster.run(["count", "true"]).output == "3\n")
            }
        }

        @Test("What only an index with documents could take makes none, and the lines are refused")
        func refused() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    for (number, lines) in [[Self.patch], [Self.part], [Self.patch, Self.part]]
                        .enumerated()
                    {
                        let text = lines.map { $0 + "\n" }.joined()
                        let file = try directory.write(text, to: "\(number).ndjson")
                        for batch in ["1", "1000"] {
                            let options = ["--index", "other", "--json", "--batch", batch]
                            let runs = [
                                try await cluster.run(["index", file] + options),
                                try await cluster.run(["index", "-"] + options, input: text),
                                try await cluster.run(["index", file] + options),
                            ]
                            for run in runs {
                                #expect(run.code == 1, "\(run.errors)")
                                let totals = try JSONValue(parsing: run.output)
                                #expect(totals["acknowledged"]?.integer == 0)
                                #expect(totals["refused"]?.integer == Int64(lines.count))
                                #expect(run.errors.contains(":1: there is no index \"other\""))
                            }
                        }
                    }
                }
                #expect(try await indexes(of: cluster) == [])
            }
        }

        @Test(
            "A whole document makes the index, also behind lines that are refused for want of one")
        func later() async throws {
            let lines = [Self.patch, Self.part, Self.patch, Self.whole, Self.part, Self.patch]
            let text = lines.map { $0 + "\n" }.joined()
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                try await TemporaryDirectory.with { directory in
                    let file = try directory.write(text, to: "mixed.ndjson")
                    for (name, arguments) in [("file", [file]), ("input", ["-"])] {
                        let run = try await cluster.run(
                            ["index", "--index", name, "--batch", "1", "--json"] + arguments,
                            input: arguments == ["-"] ? text : "")
                        #expect(run.code == 1)
                        let totals = try JSONValue(parsing: run.output)
                        #expect(totals["status"]?.string == "complete", "\(run.errors)")
                        #expect(totals["acknowledged"]?.integer == 2, "\(run.errors)")
                        #expect(totals["refused"]?.integer == 4)
                        let found = try await cluster.run(["count", "true", "--index", name])
                        #expect(found.output == "2\n")
                    }
                    let again = try await cluster.run(["index", file, "--index", "file", "--json"])
                    let totals = try JSONValue(parsing: again.output)
                    #expect(totals["acknowledged"]?.integer == 3, "the part is there now")
                    #expect(totals["refused"]?.integer == 3)
                }
            }
        }
    }
}
