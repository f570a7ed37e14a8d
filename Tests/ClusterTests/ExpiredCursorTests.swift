import FresnelClient
import FresnelJSON
import Testing

extension Clusters {
    /// Cursors whose versions are gone.
    @Suite("Expired cursors", .tags(.slow))
    struct ExpiredCursorTests {
        /// More batches than a worker keeps versions of, whatever its retention.
        private static let batches = 300

        /// A broker and a worker that keeps old versions for no longer than it must.
        private func withForgetfulWorker(
            _ body: @escaping @Sendable (String) async throws -> Void
        ) async throws {
            try await TemporaryDirectory.with { directory in
                let broker = [
                    "broker", "--data", "\(directory.path)/broker", "--listen",
                    "ipc://\(directory.path)/clients", "--worker-listen",
                    "ipc://\(directory.path)/workers", "--expect-workers", "1", "--shards", "1",
                ]
                let worker = [
                    "worker", "--data", "\(directory.path)/w", "--name", "w", "--retention", "1ms",
                    "--broker", "ipc://\(directory.path)/workers",
                ]
                _ = try await LiveProcess.with(broker) { process in
                    let ready = await process.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                    let endpoint = String(try #require(ready).dropFirst(6))
                    _ = try await LiveProcess.with(worker) { process in
                        _ = await process.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                        try await body(endpoint)
                    }
                }
            }
        }

        /// What the operator configured, and what can be read in fact.
        private func checkStatus(of endpoint: String) async throws {
            try await eventually("status tells what can be read") {
                let run = try await Program.run(["status", "--json"], broker: endpoint)
                let status = try JSONValue(parsing: run.output)
                let worker = status["workers"]?.array?.first
                #expect(worker?["retentionSeconds"]?.double == 0.001, "\(run.output)")
                #expect(worker?["retentionBatches"]?.integer == 128, "\(run.output)")
                let shard = status["indexes"]?.array?.first?["shards"]?.array?.first
                // The next heartbeat tells it.
                return shard?["oldestReadable"]?.integer ?? 0 > 0
            }
            let table = try await Program.run(["status"], broker: endpoint)
            #expect(table.output.contains("1 ms, 128"), "\(table.output)")
            #expect(table.output.contains("readable from"), "\(table.output)")
        }

        @Test("A cursor that has expired is error 414 with what to do, and exit code 1")
        func expired() async throws {
            try await withForgetfulWorker { endpoint in
                func run(_ arguments: [String], input: String = "") async throws -> Program.Run {
                    try await Program.run(arguments, input: input, broker: endpoint)
                }
                let put = try await run(["index", "-"], input: Samples.lines(0..<30))
                #expect(put.code == 0, "\(put.errors)")
                let search = ["search", "title == \"common*\"c", "--limit", "10", "--json"]
                let first = try Answer(try await run(search)).completion
                let cursor = try #require(first["next"]?.string)
                // Every batch replaces all that the page would show next.
                let rewritten = String(
                    repeating: Samples.lines(10..<20), count: Self.batches / 10)
                let again = try await run(["index", "-", "--batch", "1"], input: rewritten)
                #expect(again.code == 0, "\(again.errors)")
                // Merging has a thread of its own.
                var page = try await run(search + ["--after", cursor])
                try await eventually("old versions are merged away") {
                    if page.code != 0 { return true }
                    page = try await run(search + ["--after", cursor])
                    return false
                }
                #expect(page.code == 1, "\(page.errors)")
                let answer = try Answer(page)
                #expect(answer.hits.isEmpty)
                #expect(answer.completion["error"]?["code"]?.integer == 414)
                #expect(answer.completion["complete"]?.bool == false)
                #expect(page.errors.contains("the cursor has expired"), "\(page.errors)")
                #expect(page.errors.contains("ask again without it"), "\(page.errors)")
                #expect(page.errors.ranges(of: "again").count == 1, "advice once: \(page.errors)")
                try await checkStatus(of: endpoint)
                try await withSearchClient(to: endpoint) { client in
                    var request = SearchRequest("title == \"common*\"c")
                    request.limit = 10
                    request.after = try SearchCursor(cursor)
                    let completion = try await client.search(request).completion()
                    #expect(completion.error?.code == .cursorExpired)
                    #expect(completion.status == .failed && !completion.isComplete)
                }
            }
        }
    }
}
