import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// What commands say while workers are away for good.
    @Suite("Missing shards", .tags(.slow))
    struct MissingShardTests {
        private static let identifiers = (0..<40).map(Samples.identifier)

        /// Broker and workers as processes that nobody starts again; `body` gets the workers.
        private func withoutSupervisor(
            _ body: @escaping @Sendable (String, [LiveProcess]) async throws -> Void
        ) async throws {
            try await TemporaryDirectory.with { directory in
                let broker = [
                    "broker", "--data", "\(directory.path)/broker", "--listen",
                    "ipc://\(directory.path)/clients", "--worker-listen",
                    "ipc://\(directory.path)/workers", "--expect-workers", "2", "--shards", "4",
                ]
                _ = try await LiveProcess.with(broker) { process in
                    let ready = await process.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                    let endpoint = String(try #require(ready).dropFirst(6))
                    try await withWorker(1, directory) { first in
                        try await withWorker(2, directory) { second in
                            try await body(endpoint, [first, second])
                        }
                    }
                }
            }
        }

        private func withWorker(
            _ number: Int, _ directory: TemporaryDirectory,
            _ body: @escaping @Sendable (LiveProcess) async throws -> Void
        ) async throws {
            let arguments = [
                "worker", "--data", "\(directory.path)/\(number)", "--name", "w\(number)",
                "--broker", "ipc://\(directory.path)/workers",
            ]
            _ = try await LiveProcess.with(arguments) { process in
                _ = await process.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                try await body(process)
            }
        }

        @Test("Get prints what it finds, names the missing shards, and ends with 3, or 4 for none")
        func get() async throws {
            try await withoutSupervisor { endpoint, workers in
                let lines = Samples.lines(0..<40)
                let put = try await Program.run(["index", "-"], input: lines, broker: endpoint)
                #expect(put.code == 0, "\(put.errors)")
                let arguments = ["get", "--json"] + Self.identifiers
                let whole = try await Program.run(arguments, broker: endpoint)
                #expect(whole.code == 0 && whole.lines.count == 40, "\(whole.errors)")
                workers[0].signal(SIGKILL)
                await workers[0].output.waitForEnd()
                try await eventually("the shards of the dead worker are missing") {
                    try await Program.run(["status"], broker: endpoint).code == 3
                }
                let part = try await Program.run(arguments, broker: endpoint)
                #expect(part.code == 3, "\(part.errors)")
                #expect(part.lines.count > 0 && part.lines.count < 40)
                #expect(part.errors.contains("missing: shard "), "\(part.errors)")
                #expect(part.errors.contains("is in no shard that was searched"))
                #expect(!part.errors.contains("coverage"), "\(part.errors)")
                workers[1].signal(SIGKILL)
                await workers[1].output.waitForEnd()
                let none = try await Program.run(arguments, broker: endpoint)
                #expect(none.code == 4, "\(none.errors)")
                #expect(none.output.isEmpty)
                // Four shards with their states are wider than a narrow terminal.
                let status = try await Program.run(["status"], broker: endpoint)
                #expect(status.output.contains("4 not whole"))
                #expect(!status.output.contains("…"), "\(status.output)")
                let shown = status.lines.count { $0.hasPrefix("  shard ") && $0.contains(" on w") }
                #expect(shown == 4, "\(status.output)")
                let narrow = try await Program.shell(
                    "script -qec 'stty cols 30; fresnel status' /dev/null", broker: endpoint)
                let told = narrow.output.split(whereSeparator: \.isNewline).count {
                    $0.hasPrefix("  shard ") && $0.contains(" on w")
                }
                #expect(told == 4, "\(narrow.output)")
            }
        }
    }
}
