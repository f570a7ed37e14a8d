import Foundation
import FresnelJSON
import Testing

extension Clusters {
    /// Clusters that `fresnel load` starts for itself.
    @Suite("Clusters of a load", .tags(.slow))
    struct LoadClusterTests {
        /// Runs a load of its own clusters, and checks that nothing of them is left.
        private func run(
            _ arguments: [String],
            _ body: @Sendable (LiveProcess, String) async throws -> Void = { _, _ in }
        ) async throws -> (report: String, errors: String, code: Int32) {
            try await TemporaryDirectory.with { directory in
                let source = try directory.write(Samples.lines(0..<300), to: "d.ndjson")
                let report = "\(directory.path)/report.json"
                let home = "\(directory.path)/home"
                try FileManager.default.createDirectory(
                    atPath: home, withIntermediateDirectories: true)
                let (errors, code) = try await LiveProcess.with(
                    program: "TMPDIR=\(home)",
                    [Program.path, "load", "--source", source, "--attributes", "title"]
                        + ["--warmup", "0s", "--json-report", report] + arguments
                ) { process in
                    try await body(process, home)
                    await process.output.waitForEnd()
                    await process.errors.waitForEnd()
                    return process.errors.text
                }
                #expect(try FileManager.default.contentsOfDirectory(atPath: home) == [])
                try await eventually("no process is left") { Self.processes(in: home).isEmpty }
                // A load that failed has written none.
                let text = (try? String(contentsOfFile: report, encoding: .utf8)) ?? ""
                return (text, errors, code)
            }
        }

        /// The command lines of processes that work in a directory.
        private static func processes(in directory: String) -> [String] {
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return numbers.filter { Int($0) != nil }.compactMap { number in
                // A process may end meanwhile.
                let line = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
                return line.flatMap { $0.contains("\(directory)/fresnel-load") ? $0 : nil }
            }
        }

        @Test("One load measures clusters of several sizes and leaves nothing behind")
        func scaling() async throws {
            let run = try await run([
                "--workers", "1,2", "--documents", "100,300", "--clients", "2", "--duration", "1s",
            ])
            #expect(run.code == 0, "\(run.errors)")
            let value = try JSONValue(parsing: run.report)
            let points = try #require(value["scaling"]?["points"]?.array)
            #expect(points.compactMap { $0["workers"]?.integer } == [1, 2, 1, 2])
            #expect(points.compactMap { $0["documents"]?.integer } == [100, 100, 300, 300])
            #expect(points.allSatisfy { $0["throughput"]?.double ?? 0 > 0 })
            #expect(value["scaling"]?["laws"]?.array?.count == 2)
            let kind = value["scaling"]?["simulation"]?["kind"]?.string
            #expect(kind == nil || kind == "simulation")
        }

        @Test("A killed worker is seen in the answers, and one that is started again heals them")
        func faults() async throws {
            let run = try await run([
                "--workers", "2", "--rate", "30", "--duration", "9s", "--inject",
                "at 2s kill worker-2; at 5s start worker-2",
            ])
            let value = try JSONValue(parsing: run.report)
            let main = try #require(value["measurements"]?.array?.first)
            let timeline = try #require(main["timeline"])
            let events = try #require(timeline["events"]?.array)
            #expect(
                events.compactMap { $0["text"]?.string } == ["kill worker-2", "start worker-2"])
            let steps = try #require(timeline["steps"]?.array)
            #expect(steps[0]["failed"]?.integer == 0)
            #expect(steps[2...5].contains { $0["failed"]?.integer ?? 0 > 0 }, "\(steps)")
            #expect(steps.last { $0["good"]?.integer ?? 0 > 0 } != nil)
            // What the broker made of it, which comes later.
            let observed = try #require(timeline["observed"]?.array)
            #expect(observed.first?["text"]?.string == "worker-2 is gone", "\(observed)")
            #expect(observed.contains { $0["text"]?.string == "worker-2 is back" })
            #expect(steps[8]["failed"]?.integer == 0, "\(steps)")
        }

        @Test("A broker that is silent for little more than a second stands on the timeline")
        func silence() async throws {
            let run = try await run([
                "--workers", "1", "--rate", "20", "--duration", "6s", "--inject",
                "at 2s stop broker; at 3200ms continue broker",
            ])
            let main = try JSONValue(parsing: run.report)["measurements"]?.array?.first
            let observed = try #require(main?["timeline"]?["observed"]?.array)
            let told = observed.filter { $0["text"]?.string?.contains("answer") == true }
            #expect(
                told.compactMap { $0["text"]?.string } == [
                    "the broker does not answer", "the broker answers again",
                ], "\(observed)")
            let times = told.compactMap { $0["seconds"]?.double }
            #expect((1.9...2.9).contains(times.first ?? 0), "\(observed)")
            #expect((3.1...5).contains(times.last ?? 0), "\(observed)")
        }

        @Test("What a cluster with copies does by itself stands on the timeline: merges, copies")
        func observed() async throws {
            try await TemporaryDirectory.with { directory in
                let mix = try directory.write(
                    "{\"classes\": [{\"write\": \"index\"}]}", to: "mix.json")
                let run = try await run([
                    "--workers", "2", "--replicas", "2", "--shards", "1", "--rate", "60",
                    "--duration", "20s", "--inject", "at 1s kill worker-2; at 3s start worker-2",
                    mix,
                ])
                let main = try JSONValue(parsing: run.report)["measurements"]?.array?.first
                let observed = try #require(main?["timeline"]?["observed"]?.array)
                let texts = observed.compactMap { $0["text"]?.string }
                for words in [
                    "worker-2 is gone", "on worker-2 left", "on worker-2 joined", "merged",
                ] {
                    #expect(texts.contains { $0.contains(words) }, "\(words): \(texts)")
                }
            }
        }

        @Test("A load tells which answers its broker told again, and measures without on demand")
        func keptAnswers() async throws {
            try await TemporaryDirectory.with { directory in
                let mix = try directory.write(
                    #"{"classes": [{"query": "uniqueIdentifier == \"*1\"", "limit": 3}]}"#,
                    to: "mix.json")
                for size in [16, 0] as [Int64] {
                    let run = try await run([
                        "--workers", "1", "--shards", "1", "--rate", "30", "--duration", "2s",
                        "--kept-answers", "\(size)", "--checked", "50", mix,
                    ])
                    let value = try JSONValue(parsing: run.report)
                    #expect(value["setting"]?["keptAnswers"]?.integer == size)
                    let main = try #require(value["measurements"]?.array?.first)
                    let kept = main["total"]?["kept"]?.integer ?? -1
                    let good = main["total"]?["good"]?.integer ?? 0
                    #expect(size > 0 ? kept > good / 2 : kept == 0, "\(kept) of \(good)")
                    let whole = main["shards"]?.array?.first?["whole"]?.integer ?? 0
                    #expect(whole == good - kept, "\(whole), \(kept) of \(good)")
                    #expect(main["matchedAnswers"]?.integer ?? 0 > 0)
                    let remarks = value["remarks"]?.array?.compactMap(\.string).joined() ?? ""
                    #expect(remarks.contains("told again by the broker") == (size > 0))
                }
            }
        }

        @Test("What a broker may keep is refused for one that runs, with what to do instead")
        func keptAnswersOfOthers() async throws {
            let run = try await Program.run(["load", "--kept-answers", "0"])
            #expect(run.code == 2, "\(run.errors)")
            for word in ["runs already", "start that one with --kept-answers 0", "--workers 2"] {
                #expect(run.errors.contains(word), "\(run.errors)")
            }
            let most = try await self.run(["--workers", "1", "--kept-answers", "5000"])
            #expect(most.code == 2 && most.errors.contains("--kept-answers must be a number"))
        }

        @Test("An interrupt ends the load and every process that it had started")
        func interrupt() async throws {
            let run = try await run([
                "--workers", "2", "--rate", "20", "--duration", "60s", "--inject",
                "at 100ms stop worker-1",
            ]) { process, home in
                try await eventually("both workers run") { Self.processes(in: home).count >= 3 }
                process.signal(SIGINT)
            }
            #expect(run.code == 1)
            #expect(run.errors.contains("interrupted"))
        }

        @Test("What a cluster would be filled with, and asked, is read before one is started")
        func readsFirst() async throws {
            try await TemporaryDirectory.with { directory in
                let few = try directory.write("{\"uniqueIdentifier\": \"a\"}\n", to: "few.ndjson")
                let wrong = try directory.write(
                    Samples.lines(0..<3) + "{\"title\": \"b\"}\n", to: "wrong.ndjson")
                let mixes = [
                    #"{"name": "bad", "query": "title =="}"#,
                    #"{"name": "bad", "query": "title == \"a\"", "filters": ["rating >"]}"#,
                    #"{"name": "bad", "query": "title == \"a\"", "indexes": ["shop"]}"#,
                    #"{"name": "bad", "write": "index", "indexes": ["shop"]}"#,
                ]
                var cases: [([String], words: [String])] = [
                    (
                        ["--documents", "100,301"],
                        ["--documents 301", "d.ndjson", "300 documents"]
                    ),
                    (["--source", "\(directory.path)/none.ndjson"], ["none.ndjson"]),
                    (["--source", few], ["few.ndjson", "title"]),
                    (["--source", wrong], ["wrong.ndjson:4", "title"]),
                    (["--source", directory.path, "--source-format", "csv"], ["directory"]),
                    (["--index", "shop"], ["--index shop", "default"]),
                ]
                for (number, mix) in mixes.enumerated() {
                    let file = try directory.write(
                        "{\"classes\": [\(mix)]}", to: "mix\(number).json")
                    cases.append(([file], ["mix\(number).json", "classes[0]"]))
                }
                for (arguments, words) in cases {
                    let run = try await run(["--workers", "1,2"] + arguments)
                    #expect(run.code == 2, "\(arguments): \(run.code) \(run.errors)")
                    #expect(!run.errors.contains("starting"), "\(arguments): \(run.errors)")
                    for word in words {
                        #expect(run.errors.contains(word), "\(arguments): \(run.errors)")
                    }
                }
            }
        }

        @Test("Copies for which there are no workers are refused with both numbers")
        func replicas() async throws {
            for workers in ["2", "4,2"] {
                let run = try await run(["--workers", workers, "--replicas", "3"])
                #expect(run.code == 2 && !run.errors.contains("starting"), "\(run.errors)")
                #expect(run.errors.contains("--replicas 3"), "\(run.errors)")
                #expect(run.errors.contains("2 workers"), "\(run.errors)")
            }
        }

        @Test(
            "Clusters that cannot be meant are refused before one is started",
            arguments: [
                ["--workers", "0"], ["--workers", "1,1"], ["--workers", "1,x"],
                ["--workers", "2", "--broker", "tcp://127.0.0.1:1"],
                ["--workers", "2", "--inject", "at 2s kill worker-3"],
                ["--workers", "2", "--saturate", "--inject", "at 2s kill worker-2"],
                ["--workers", "2", "--replicas", "4"], ["--inject", "at 2s kill broker"],
                ["--workers", "2", "--source-format", "xml"],
            ])
        func refuses(arguments: [String]) async throws {
            let run = try await run(arguments)
            #expect(run.code == 2, "\(arguments): \(run.code) \(run.errors)")
        }
    }
}
