import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Queries that cannot end by themselves, because a worker stands still.
    @Suite("Interrupts", .tags(.slow))
    struct InterruptTests {
        // Queries by number: one that scores begins with statistics of every worker.

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
                    "search", "rating >= 0", "--format", "ndjson", "--deliver", "found",
                    "--deadline", "700ms",
                ])
                #expect(ContinuousClock.now - start < .seconds(2))
                #expect(run.code == 3, "an answer came, if not a whole one")
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
                    "search", "rating >= 0", "--format", "ndjson", "--deliver", "found",
                    "--deadline", "30s", "--broker", cluster.endpoint,
                ]) { process in
                    _ = await process.output.first { $0 }
                    process.signal(SIGINT)
                    await process.output.waitForEnd()
                    return process.output.lines
                }
                #expect(code == 3)
                let last = try JSONValue(parsing: try #require(lines.last))
                let completion = try #require(last["completion"])
                #expect(completion["status"]?.string == "cancelled")
                #expect(lines.count > 1)
                let delivered = try #require(completion["delivered"]?.integer)
                #expect(try #require(completion["found"]?.integer) >= delivered)
                #expect(try #require(completion["searched"]?.integer) > 0)
            }
        }

        @Test("At the prompt Ctrl-C clears the line or cancels the running query, Ctrl-D ends")
        func prompt() async throws {
            try await withStoppedWorker { cluster in
                // A terminal of its own: its driver turns the control characters into signals.
                let script = """
                    prompts() { until [ "$(grep -o 'fresnel> ' out 2>/dev/null | wc -l)" -ge $1 ]; \
                    do :; done; }
                    mkfifo in; exec 3<>in
                    script -qefc 'fresnel search --json --deliver found' out \
                    < in > /dev/null &
                    prompts 1; printf 'title == "half\\003' >&3
                    prompts 2; printf 'rating >= 0\\n' >&3
                    until grep -q uniqueIdentifier out; do :; done; printf '\\003' >&3
                    prompts 3; printf '\\004' >&3
                    wait $!; echo "code $?"; grep -c '"status":"cancelled"' out
                    """
                try await TemporaryDirectory.with { directory in
                    let run = try await Program.shell(
                        "cd \(directory.path) && { \(script)\n}", broker: cluster.endpoint)
                    #expect(run.lines == ["code 3", "1"], "\(run.errors)")
                }
            }
        }
    }
}
