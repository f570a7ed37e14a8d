import Foundation
import FresnelJSON
import Testing

extension Clusters {
    /// `fresnel load` against a live cluster.
    @Suite("Load tests")
    struct LoadTests {
        @Test("A load asks at its rate, every answer is right, and its report compares with itself")
        func measures() async throws {
            try await LiveCluster.with(workers: 2, shards: 4) { cluster in
                let put = try await cluster.run(["index", "-"], input: Samples.lines(0..<200))
                #expect(put.code == 0, "\(put.errors)")
                let report = "\(cluster.directory)/report.json"
                let run = try await cluster.run([
                    "load", "--rate", "100", "--duration", "2s", "--warmup", "0s", "--checked",
                    "100", "--attributes", "title", "--json-report", report, "--accepted", "50",
                    // A busy machine makes a generator late; then the run has to say so.
                    "--json",
                ])
                let value = try JSONValue(parsing: Array(run.output.utf8))
                let main = try #require(value["measurements"]?.array?.first)
                #expect((run.code == 0) == (value["valid"]?.bool == true), "\(run.errors)")
                let total = try #require(main["total"])
                let requests = total["requests"]?.integer ?? 0
                #expect((120...280).contains(requests))
                // A debug build on a busy machine may be asked for more than it can answer.
                let refused = total["outcomes"]?["failed: busy, 301"]?.integer ?? 0
                let good = total["good"]?.integer ?? 0
                #expect(good > 0 && good + refused == requests, "\(run.output)")
                let accepted = total["moments"]?["accepted"]?["count"]?.integer ?? 0
                // A message of the other lane may come after the completion.
                #expect((good / 4...requests / 2 + 1).contains(accepted))
                #expect((main["matchedAnswers"]?.integer ?? 0) > 0)
                let same = try await cluster.run(["load", "compare", report, report])
                #expect(same.code == 0, "\(same.errors)")
            }
        }

        @Test("Loads that write, one right after the other, say that the same documents were asked")
        func sameDocuments() async throws {
            try await LiveCluster.with(workers: 2, shards: 4) { cluster in
                let put = try await cluster.run(["index", "-"], input: Samples.lines(0..<200))
                #expect(put.code == 0, "\(put.errors)")
                let mix = "\(cluster.directory)/mix.json"
                try #"{"classes": [{"query": "title == \"{word}\"cdw"}, {"write": "index"}]}"#
                    .write(toFile: mix, atomically: true, encoding: .utf8)
                let reports = (0..<3).map { "\(cluster.directory)/\($0).json" }
                for report in reports {
                    if report == reports.last {
                        // What a load that was killed would have left.
                        let left = #"{"uniqueIdentifier":"left","domainIdentifier":"fresnel.load"}"#
                        let put = try await cluster.run(["index", "-"], input: left + "\n")
                        #expect(put.code == 0, "\(put.errors)")
                    }
                    _ = try await cluster.run([
                        "load", mix, "--rate", "60", "--duration", "1s", "--warmup", "0s",
                        "--attributes", "title", "--json-report", report,
                    ])
                    let value = try JSONValue(
                        parsing: String(contentsOfFile: report, encoding: .utf8))
                    #expect(value["setting"]?["documents"] == 200)
                }
                let run = try await cluster.run(["load", "compare"] + reports.prefix(2))
                #expect(!run.errors.contains("different documents"), "\(run.errors)")
                #expect(run.code != 2, "\(run.errors)")
            }
        }

        @Test("What a broker writes down is recorded, and asked again with its gaps")
        func records() async throws {
            try await TemporaryDirectory.with { directory in
                let log = "\(directory.path)/queries.ndjson"
                _ = try await LiveProcess.with([
                    "broker", "--data", "\(directory.path)/b", "--listen", "tcp://127.0.0.1:0",
                    "--worker-listen", "tcp://127.0.0.1:0", "--query-log", log,
                ]) { broker in
                    let endpoint = try #require(
                        await broker.output.first { line in
                            line.hasPrefix("ready ") ? String(line.dropFirst(6)) : nil
                        }, "\(broker.errors.text)")
                    let stream = "\(directory.path)/stream.ndjson"
                    let (_, code) = try await LiveProcess.with([
                        "load", "record", log, "--output", stream, "--duration", "60s",
                    ]) { recording in
                        _ = await recording.errors.first { $0.contains("recording") ? $0 : nil }
                        for query in ["title == \"a*\"", "rating > 2"] {
                            _ = try await Program.run(["count", query], broker: endpoint)
                        }
                        try await eventually("both are written") {
                            let text = try String(contentsOfFile: log, encoding: .utf8)
                            return text.split(separator: "\n").count == 2
                        }
                        recording.signal(SIGINT)
                        await recording.output.waitForEnd()
                    }
                    #expect(code == 0)
                    let text = try String(contentsOfFile: stream, encoding: .utf8)
                    let lines = text.split(separator: "\n")
                    #expect(lines.count == 2 && lines[1].contains("rating > 2"))
                    #expect(lines.allSatisfy { $0.contains("countOnly") })
                }
            }
        }

        @Test("Help lists every exit code of a load as the documentation does")
        func codes() async throws {
            let help = try await Program.run(["load", "--help"])
            let page = try Project.contents("Documentation/load-testing.md")
            let codes = help.output.split(separator: "\n").compactMap { line -> Substring? in
                line.firstMatch(of: /^ +([0-4])  (\S.*)$/).map { $0.output.2 }
            }
            #expect(codes.count == 5, "\(help.output)")
            for code in codes { #expect(page.contains(code), "\(code)") }
        }

        @Test("What is wrong in a list of rates, or a file, is named once, with its place")
        func places() async throws {
            let steps = try await Program.run(["load", "--steps", "5,,6"])
            #expect(steps.code == 2 && steps.errors.contains("rate 2 (column 3) is nothing"))
            let file = try await Program.run(["load", "/does/not/exist.json"])
            #expect(file.errors.components(separatedBy: "/does/not/exist.json").count == 2)
        }

        @Test("What is no file is told with its path and what to do instead")
        func noFiles() async throws {
            try await TemporaryDirectory.with { directory in
                let cases: [([String], words: [String])] = [
                    (["--report", ""], ["--report", "empty", "name a file"]),
                    (["--json-report", ""], ["--json-report", "empty", "name a file"]),
                    ([directory.path], [directory.path, "is a directory", "name a file in it"]),
                    (["--replay", directory.path], [directory.path, "is a directory"]),
                    ([""], ["empty", "name a file"]),
                    (["--replay", ""], ["--replay", "empty"]),
                    (["record", directory.path, "--output", "x"], ["is a directory"]),
                    (["/does/not/exist.json"], ["there is no such file"]),
                ]
                for (arguments, words) in cases {
                    let run = try await Program.run(["load"] + arguments)
                    #expect(run.code == 2, "\(arguments): \(run.errors)")
                    for word in words {
                        #expect(run.errors.contains(word), "\(arguments): \(run.errors)")
                    }
                    #expect(!run.errors.contains("NSCocoa"), "\(run.errors)")
                }
            }
        }

        @Test("A recording that has nothing to write leaves the old one as it is")
        func recordsNothing() async throws {
            try await TemporaryDirectory.with { directory in
                let log = try directory.write("", to: "queries.ndjson")
                let old = try directory.write("{\"at\": 0, \"query\": \"a\"}\n", to: "old.ndjson")
                for (log, code, words) in [
                    (log, 1 as Int32, "no query came"), ("/does/not/exist", 2, "--query-log"),
                ] {
                    let run = try await Program.run([
                        "load", "record", log, "--output", old, "--duration", "100ms",
                    ])
                    #expect(run.code == code && run.errors.contains(words), "\(run.errors)")
                    let left = try String(contentsOfFile: old, encoding: .utf8)
                    #expect(left == "{\"at\": 0, \"query\": \"a\"}\n", "\(log)")
                }
                #expect(
                    try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
                        == ["old.ndjson", "queries.ndjson"])
            }
        }

        @Test("A report on the standard output is alone there")
        func standardOutput() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                let put = try await cluster.run(["index", "-"], input: Samples.lines(0..<100))
                #expect(put.code == 0, "\(put.errors)")
                for (flag, head) in [("--report", "<!doctype html>"), ("--json-report", "{")] {
                    let run = try await cluster.run([
                        "load", "--rate", "30", "--duration", "1s", "--warmup", "0s",
                        "--attributes", "title", flag, "-",
                    ])
                    #expect(run.output.hasPrefix(head), "\(run.output.prefix(200))")
                    #expect(run.errors.contains("completion"), "\(run.errors)")
                }
            }
        }

        @Test("A file that is no report is named, with the way to have one")
        func foreign() async throws {
            for path in ["/does/not/exist.json", "/etc/passwd", "/dev/null"] {
                let run = try await Program.run(["load", "compare", path, path])
                #expect(run.code == 2)
                #expect(run.errors.contains(path) && run.errors.contains("--json-report"))
            }
        }

        @Test(
            "What cannot be meant is refused before anything is asked",
            arguments: [
                ["--rate", "0"], ["--rate", "5", "--saturate"], ["--slo", "p99"],
                ["--ramp", "5"], ["--duration", "0s"], ["--spacing", "random"],
                ["/does/not/exist.json"], ["--connections", "0"], ["--checked", "101"],
                ["--report", "/does/not/exist/a.html"], ["--json-report", "/tmp"],
                ["--json-report", "/proc/a.json"],
                ["--report", "/tmp/fresnel-same", "--json-report", "/tmp/fresnel-same"],
                ["compare", "/does/not/exist.json", "/etc/passwd"],
                ["compare", "/dev/null", "/dev/null", "--tolerance", "-1"],
                ["--report", "-", "--json"], ["--report", "-", "--json-report", "-"],
                ["--report", "/dev/stdout"], ["--ramp", "1-2-3"],
            ])
        func refuses(arguments: [String]) async throws {
            let run = try await Program.run(["load"] + arguments)
            #expect(run.code == 2, "\(arguments): \(run.code) \(run.errors)")
        }
    }
}
