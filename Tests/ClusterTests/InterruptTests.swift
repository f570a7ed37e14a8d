import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Queries that cannot end by themselves, because a worker stands still.
    @Suite("Interrupts", .tags(.slow))
    struct InterruptTests {
        // Sorted by an attribute: an order by relevance begins with statistics of every worker.

        /// A cluster whose worker-1 is stopped while `body` runs.
        private func withStoppedWorker(
            _ body: @Sendable (LiveCluster) async throws -> Void
        ) async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<300))
                try cluster.signal("worker-1", SIGSTOP)
                do {
                    try await body(cluster)
                    try cluster.signal("worker-1", SIGCONT)
                } catch {
                    try cluster.signal("worker-1", SIGCONT)
                    throw error
                }
                try await eventually("the worker that goes on is whole again") {
                    (try? await client.count("title == \"common*\"c")) == 300
                }
            }
        }

        @Test("The deadline ends a query whose worker stands still, with what the others found")
        func deadline() async throws {
            try await withStoppedWorker { cluster in
                let start = ContinuousClock.now
                let run = try await cluster.run([
                    "search", "title == \"common*\"c", "--format", "ndjson", "--deliver", "found",
                    "--sort", "title",
                    "--deadline", "700ms",
                ])
                #expect(ContinuousClock.now - start < .seconds(2))
                #expect(run.code == 4)
                let answer = try Answer(run)
                #expect(answer.completion["status"]?.string == "deadline")
                #expect(answer.completion["complete"]?.bool == false)
                #expect(!answer.hits.isEmpty && answer.hits.count < 300)
            }
        }

        @Test("An interrupt cancels the query, prints its completion and ends with 3")
        func interrupt() async throws {
            try await withStoppedWorker { cluster in
                let (lines, code) = try await LiveProcess.with([
                    "search", "title == \"common*\"c", "--format", "ndjson", "--deliver", "found",
                    "--sort", "title",
                    "--deadline", "30s", "--broker", cluster.endpoint,
                ]) { process in
                    _ = await process.output.first { $0 }
                    process.signal(SIGINT)
                    await process.output.waitForEnd()
                    return process.output.lines
                }
                #expect(code == 3)
                let last = try JSONValue(parsing: try #require(lines.last))
                #expect(last["completion"]?["status"]?.string == "cancelled")
                #expect(lines.count > 1)
            }
        }
    }
}
