import Foundation
import FresnelJSON
import Testing

extension Clusters {
    /// Loads that several processes make together, and streams that are asked again.
    @Suite("Loads of several processes", .tags(.slow))
    struct LoadProcessTests {
        @Test("Three processes make the requests of one plan, each its part, and end with it")
        func together() async throws {
            try await LiveCluster.with(workers: 2, shards: 4) { cluster in
                let put = try await cluster.run(["index", "-"], input: Samples.lines(0..<200))
                #expect(put.code == 0, "\(put.errors)")
                let plan = [
                    "load", "--rate", "40", "--duration", "3s", "--warmup", "0s", "--seed", "5",
                    "--attributes", "title", "--json",
                ]
                let alone = try await cluster.run(plan)
                let together = try await cluster.run(plan + ["--processes", "3"])
                let (one, three) = (try main(of: alone.output), try main(of: together.output))
                #expect(
                    one["total"]?["requests"]?.integer == three["total"]?["requests"]?.integer)
                for number in 0..<9 {
                    #expect(
                        one["classes"]?.array?[number]["requests"]
                            == three["classes"]?.array?[number]["requests"])
                }
                let parts = three["generator"]?["processes"]?.array ?? []
                #expect(parts.count == 3)
                let requests = parts.compactMap { $0["requests"]?.integer }
                #expect(requests.reduce(0, +) == three["total"]?["requests"]?.integer)
                #expect((requests.max() ?? 0) - (requests.min() ?? 0) <= 1)
                #expect(Self.processes(of: cluster.endpoint).isEmpty)
            }
        }

        @Test(
            "A process that dies is named, the run is invalid, and the others end",
            arguments: [SIGKILL, SIGINT])
        func death(signal: Int32) async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                let put = try await cluster.run(["index", "-"], input: Samples.lines(0..<100))
                #expect(put.code == 0, "\(put.errors)")
                let (errors, code) = try await LiveProcess.with([
                    "load", "--rate", "20", "--duration", signal == SIGINT ? "60s" : "9s",
                    "--warmup", "0s", "--attributes", "title", "--processes", "2", "--broker",
                    cluster.endpoint,
                ]) { load in
                    try await eventually("both processes run") {
                        Self.processes(of: cluster.endpoint).count == 2
                    }
                    // What interrupts the load ends all; what kills one is told at the end.
                    let victim = Self.processes(of: cluster.endpoint).max() ?? load.number
                    if signal == SIGINT {
                        load.signal(signal)
                    } else {
                        // Every five seconds it says how it goes.
                        _ = await load.errors.first { $0.contains("planned") ? $0 : nil }
                        kill(victim, signal)
                    }
                    await load.output.waitForEnd()
                    await load.errors.waitForEnd()
                    return load.output.text + load.errors.text
                }
                #expect(code == 1, "\(errors)")
                #expect(
                    signal == SIGINT
                        ? errors.contains("interrupted")
                        : errors.contains("INVALID: load process") && errors.contains("signal 9"),
                    "\(errors)")
                try await eventually("no process is left") {
                    Self.processes(of: cluster.endpoint).isEmpty
                }
            }
        }

        @Test("A stream that a broker wrote down is asked again: its queries, with their gaps")
        func replay() async throws {
            try await TemporaryDirectory.with { directory in
                let log = "\(directory.path)/queries.ndjson"
                let stream = "\(directory.path)/stream.ndjson"
                try await LiveCluster.with(
                    workers: 2, shards: 4, variables: ["FRESNEL_BROKER_QUERY_LOG=\(log)"]
                ) { cluster in
                    let put = try await cluster.run(["index", "-"], input: Samples.lines(0..<200))
                    #expect(put.code == 0, "\(put.errors)")
                    let (_, code) = try await LiveProcess.with([
                        "load", "record", log, "--output", stream, "--duration", "60s",
                    ]) { recording in
                        _ = await recording.errors.first { $0.contains("recording") ? $0 : nil }
                        let asked = try await cluster.run([
                            "load", "--ramp", "10-40", "--duration", "3s", "--warmup", "0s",
                            "--checked", "0", "--attributes", "title",
                        ])
                        #expect(asked.output.contains("good"), "\(asked.errors)")
                        recording.signal(SIGINT)
                        await recording.output.waitForEnd()
                    }
                    #expect(code == 0)
                    let times = try Self.times(of: stream)
                    let run = try await cluster.run([
                        "load", "--replay", stream, "--processes", "2", "--warmup", "0s",
                        "--attributes", "title", "--json",
                    ])
                    let main = try main(of: run.output)
                    #expect(main["label"]?.string == "replay")
                    #expect(main["total"]?["requests"]?.integer == Int64(times.count))
                    let planned = try #require(main["timeline"]?["steps"]?.array).compactMap {
                        $0["planned"]?.integer
                    }
                    var expected = [Int64](repeating: 0, count: planned.count)
                    for time in times { expected[Int(time - times[0])] += 1 }
                    #expect(planned == expected)
                    let wrong = main["total"]?["outcomes"]?["wrong"]?.integer ?? 0
                    #expect(wrong == 0, "\(run.output)")
                }
            }
        }

        @Test(
            "Processes that cannot be meant are refused before anything is asked",
            arguments: [
                ["--processes", "0"], ["--processes", "3", "--connections", "2"],
                ["/dev/stdin", "--processes", "2"],
            ])
        func refuses(arguments: [String]) async throws {
            let run = try await Program.run(["load"] + arguments)
            #expect(run.code == 2, "\(arguments): \(run.code) \(run.errors)")
        }

        private func main(of output: String) throws -> JSONValue {
            let report = try JSONValue(parsing: Array(output.utf8))
            return try #require(report["measurements"]?.array?.first)
        }

        /// When each query of a stream came, in seconds.
        private static func times(of stream: String) throws -> [Double] {
            let text = try String(contentsOfFile: stream, encoding: .utf8)
            return try text.split(separator: "\n").map { line in
                try #require(try JSONValue(parsing: String(line))["at"]?.double)
            }.sorted()
        }

        /// The numbers of the processes that make a load against a broker.
        private static func processes(of endpoint: String) -> [Int32] {
            let numbers = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            return numbers.compactMap { Int32($0) }.filter { number in
                // A process may end meanwhile.
                let line = try? String(contentsOfFile: "/proc/\(number)/cmdline", encoding: .utf8)
                return line?.contains("generate") == true && line?.contains(endpoint) == true
            }
        }
    }
}
