import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Broker and worker as processes that somebody else supervises.
    @Suite("Roles")
    struct RoleTests {
        /// A broker of its own; `body` gets the directory and the endpoints of clients and workers.
        private func withBroker(
            _ body: @Sendable (TemporaryDirectory, String, String) async throws -> Void
        ) async throws {
            try await TemporaryDirectory.with { directory in
                let workers = "ipc://\(directory.path)/w"
                let (_, code) = try await LiveProcess.with([
                    "broker", "--data", "\(directory.path)/b", "--listen", "tcp://127.0.0.1:0",
                    "--worker-listen", workers, "--shards", "2", "--json",
                ]) { broker in
                    let line = await broker.output.first { $0 }
                    let ready = try JSONValue(parsing: try #require(line))["ready"]
                    try await body(
                        directory, try #require(ready?["endpoint"]?.string), workers)
                    #expect(try broker.errors.lines.allSatisfy(isLogLine))
                }
                #expect(code == 0)
            }
        }

        private func isLogLine(_ line: String) throws -> Bool {
            let object = try JSONValue(parsing: line)
            return ["time", "level", "label", "message"].allSatisfy { object[$0]?.string != nil }
        }

        private func worker(
            _ directory: TemporaryDirectory, _ workers: String, _ more: String...
        ) -> [String] {
            [
                "worker", "--data", "\(directory.path)/1", "--broker", workers, "--name", "solo",
            ] + more
        }

        @Test("With --json the line \"ready\" and the log are JSON, one object a line")
        func json() async throws {
            try await withBroker { directory, _, workers in
                let (lines, code) = try await LiveProcess.with(
                    worker(directory, workers, "--json")
                ) { process in
                    let line = await process.output.first { $0 }
                    let ready = try JSONValue(parsing: try #require(line))["ready"]
                    #expect(ready?["worker"]?.string == "solo")
                    return process.errors.lines
                }
                #expect(code == 0)
                #expect(!lines.isEmpty)
                #expect(try lines.allSatisfy(isLogLine))
            }
        }

        @Test("A worker is ready when its shards are open, and not before")
        func ready() async throws {
            try await withBroker { directory, clients, workers in
                let arguments = worker(directory, workers)
                _ = try await LiveProcess.with(arguments) { process in
                    _ = await process.output.first { $0 }
                    let run = try await Program.run(
                        ["index", Project.catalogues[0]], broker: clients)
                    #expect(run.code == 0, "\(run.errors)")
                }
                _ = try await LiveProcess.with(arguments) { process in
                    #expect(await process.output.first { $0 } == "ready solo")
                    #expect(process.errors.lines.count { $0.contains("opened shard") } == 2)
                    // The broker hears of the last shard in the same moment.
                    try await eventually("the cluster is whole") {
                        try await Program.run(["status"], broker: clients).code == 0
                    }
                }
            }
        }

        @Test("A worker without a broker is not ready, and ends when it is asked to")
        func waiting() async throws {
            try await TemporaryDirectory.with { directory in
                let (lines, code) = try await LiveProcess.with(
                    worker(directory, "ipc://\(directory.path)/nobody", "--log-level", "debug")
                ) { process in
                    // It tries to register, which says that it runs.
                    _ = await process.errors.first { $0.contains("HELLO") || $0.contains("hello") }
                    return process.output.lines
                }
                #expect(code == 0)
                #expect(lines.isEmpty)
            }
        }

        @Test("SIGTERM while a worker reads its journal again ends it promptly", .tags(.slow))
        func endWhileOpening() async throws {
            try await withBroker { directory, clients, workers in
                let arguments = worker(directory, workers)
                _ = try await LiveProcess.with(arguments) { process in
                    _ = await process.output.first { $0 }
                    let run = try await Program.run(
                        ["index", "-", "--batch", "20"], input: Samples.lines(0..<8000),
                        broker: clients)
                    #expect(run.code == 0, "\(run.errors)")
                    process.signal(SIGKILL)
                    await process.output.waitForEnd()
                }
                let (opened, code) = try await LiveProcess.with(arguments) { process in
                    _ = await process.errors.first { $0.contains("registered") ? true : nil }
                    process.signal(SIGTERM)
                    await process.output.waitForEnd()
                    return process.errors.lines.count { $0.contains("opened shard") }
                }
                #expect(code == 0)
                #expect(opened < 2, "the worker opened everything before it ended")
            }
        }

        @Test("A directory that belongs to another role is refused and left alone")
        func directories() async throws {
            try await withBroker { directory, _, workers in
                _ = try await LiveProcess.with(worker(directory, workers)) { process in
                    _ = await process.output.first { $0 }
                }
                let broker = try await Program.run([
                    "broker", "--data", "\(directory.path)/1", "--listen", "tcp://127.0.0.1:0",
                    "--worker-listen", "ipc://\(directory.path)/other",
                ])
                #expect(broker.code == 1)
                #expect(broker.errors.contains("belongs to a worker"), "\(broker.errors)")
                let worker = try await Program.run([
                    "worker", "--data", "\(directory.path)/b", "--broker", workers,
                ])
                #expect(worker.code == 1)
                #expect(worker.errors.contains("belongs to a broker"), "\(worker.errors)")
                let files = try await Program.shell(
                    "ls \(directory.path)/1 \(directory.path)/b", broker: "")
                #expect(files.lines.count { $0 == "broker.lock" } == 1)
                #expect(files.lines.count { $0 == "worker.lock" } == 1)
            }
        }
    }
}
