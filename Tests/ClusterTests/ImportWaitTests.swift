import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Imports that wait for a worker which is away, and imports that are refused by the thousand.
    @Suite("Waiting imports", .tags(.slow))
    struct ImportWaitTests {
        /// A broker, and a worker that has died after the index was made.
        private func withoutWorker(
            _ body: @escaping @Sendable (String, TemporaryDirectory) async throws -> Void
        ) async throws {
            try await TemporaryDirectory.with { directory in
                let broker = [
                    "broker", "--data", "\(directory.path)/broker", "--listen",
                    "ipc://\(directory.path)/clients", "--worker-listen",
                    "ipc://\(directory.path)/workers", "--expect-workers", "1", "--shards", "2",
                ]
                let worker = [
                    "worker", "--data", "\(directory.path)/w", "--name", "w", "--broker",
                    "ipc://\(directory.path)/workers",
                ]
                _ = try await LiveProcess.with(broker) { process in
                    let ready = await process.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                    let endpoint = String(try #require(ready).dropFirst(6))
                    _ = try await LiveProcess.with(worker) { process in
                        _ = await process.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                        let put = try await Program.run(
                            ["index", "-"], input: Samples.lines(0..<5), broker: endpoint)
                        #expect(put.code == 0, "\(put.errors)")
                        process.signal(SIGKILL)
                        await process.output.waitForEnd()
                    }
                    try await eventually("the broker misses the worker") {
                        try await Program.run(["status"], broker: endpoint).code == 3
                    }
                    try await body(endpoint, directory)
                }
            }
        }

        @Test(
            "An import that waits for a shard names it, and ends soon after one signal",
            arguments: [SIGTERM, SIGINT])
        func signals(number: Int32) async throws {
            try await withoutWorker { endpoint, directory in
                let file = try directory.write(Samples.lines(0..<40), to: "some.ndjson")
                let arguments = ["index", file, "--json", "--broker", endpoint]
                let (process, code) = try await LiveProcess.with(arguments) { process in
                    let told = await process.errors.first {
                        $0.contains("waiting for an acknowledgement since 3 s") ? $0 : nil
                    }
                    #expect(told?.contains("shard default/0 on w is unreachable") == true)
                    let start = ContinuousClock.now
                    process.signal(number)
                    await process.output.waitForEnd()
                    #expect(ContinuousClock.now - start < .seconds(6))
                    return process
                }
                #expect(code == 1)
                let totals = try JSONValue(parsing: process.output.text)
                #expect(totals["status"]?.string == "interrupted")
                #expect(totals["acknowledged"]?.integer == 0)
                let advice = process.errors.lines.last ?? ""
                #expect(advice.contains("run the same command again"), "\(advice)")
            }
        }

        @Test("A second signal ends an import at once, and says how to go on with its source")
        func twice() async throws {
            try await withoutWorker { endpoint, directory in
                let file = try directory.write(Samples.lines(0..<40), to: "some.ndjson")
                let arguments = ["index", file, "--broker", endpoint]
                let (process, code) = try await LiveProcess.with(arguments) { process in
                    _ = await process.errors.first { $0.contains("waiting for") ? $0 : nil }
                    let start = ContinuousClock.now
                    for _ in 0..<2 {
                        process.signal(SIGINT)
                        // Two signals at the same time are one.
                        try await eventually("a moment passes") {
                            ContinuousClock.now - start > .milliseconds(200)
                        }
                    }
                    await process.output.waitForEnd()
                    return process
                }
                #expect(code == 1)
                let advice = process.errors.lines.last ?? ""
                #expect(advice.contains("run the same command again"), "\(advice)")
                #expect(!process.errors.text.contains("standard input"))
            }
        }

        @Test("Of refusals for one reason twenty are printed and all are counted")
        func refusals() async throws {
            try await LiveCluster.with(workers: 1, shards: 1) { cluster in
                let lines = (0..<500).map { number in
                    number % 100 == 0
                        ? "{\"uniqueIdentifier\":\"a\(number)\",\"attributes\":{\"rating\":[[]]}}"
                        : "{\"attributes\":{\"title\":\"x\(number)\"}}"
                }
                let input = lines.joined(separator: "\n") + "\n" + Samples.lines(0..<3)
                let run = try await cluster.run(["index", "-", "--json"], input: input)
                #expect(run.code == 1)
                let totals = try JSONValue(parsing: run.output)
                #expect(totals["refused"]?.integer == 500)
                #expect(totals["acknowledged"]?.integer == 3)
                let told = run.errors.split(separator: "\n")
                let places = told.filter { $0.hasPrefix("-:") }
                #expect(places.count == 25, "\(run.errors)")
                #expect(places.last?.hasPrefix("-:401:") == true, "\(places)")
                let summary = told.filter { $0.contains("more refused") }
                #expect(summary.count == 1, "\(run.errors)")
                #expect(
                    summary[0].hasPrefix("475 more refused for the same reason, the last -:500:"))
            }
        }
    }
}
