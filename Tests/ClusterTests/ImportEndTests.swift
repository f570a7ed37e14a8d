import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Imports that do not come to their end.
    @Suite("Ends of imports", .tags(.slow))
    struct ImportEndTests {
        private static let count = 4000

        @Test("An interrupted import says what is acknowledged, and goes on when it is run again")
        func interrupt() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await TemporaryDirectory.with { directory in
                    let file = try directory.write(Samples.lines(0..<Self.count), to: "many.ndjson")
                    let arguments = [
                        "index", file, "--batch", "20", "--json", "--broker", cluster.endpoint,
                    ]
                    let (process, code) = try await LiveProcess.with(arguments) { process in
                        try await eventually("a part is indexed") {
                            // Before the first batch there is nothing to count.
                            (try? await client.count("title == \"*\"")) ?? 0 >= 200
                        }
                        process.signal(SIGINT)
                        await process.output.waitForEnd()
                        return process
                    }
                    #expect(code == 1)
                    let totals = try JSONValue(parsing: process.output.text)
                    #expect(totals["status"]?.string == "interrupted")
                    let acknowledged = totals["acknowledged"]?.integer ?? 0
                    #expect(try await client.count("title == \"*\"") == UInt64(acknowledged))
                    #expect(acknowledged < Int64(Self.count), "the import ended before the signal")
                    #expect(process.errors.text.contains("run the same command again"))
                    let run = try await cluster.run(["index", file, "--json"])
                    #expect(run.code == 0, "\(run.errors)")
                    let rest = try JSONValue(parsing: run.output)
                    #expect(rest["status"]?.string == "complete")
                    #expect((rest["skipped"]?.integer ?? 0) > 0)
                    #expect(try await client.count("title == \"*\"") == UInt64(Self.count))
                }
            }
        }

        @Test("Of two imports into one index at once one ends and says so; run again, it goes on")
        func rivals() async throws {
            try await LiveCluster.withClient(workers: 1, shards: 2) { cluster, client in
                try await TemporaryDirectory.with { directory in
                    let files = [
                        try directory.write(Samples.lines(0..<Self.count), to: "a.ndjson"),
                        try directory.write(
                            Samples.lines(Self.count..<2 * Self.count), to: "b.ndjson"),
                    ]
                    async let first = cluster.run(["index", files[0], "--batch", "20", "--json"])
                    async let second = cluster.run(["index", files[1], "--batch", "20", "--json"])
                    let runs = [try await first, try await second]
                    #expect(runs.contains { $0.code == 0 }, "\(runs.map(\.errors))")
                    for (file, run) in zip(files, runs) where run.code != 0 {
                        #expect(run.code == 1 && run.errors.contains("another import into index"))
                        let again = try await cluster.run(["index", file, "--json"])
                        #expect(again.code == 0, "\(again.errors)")
                    }
                    #expect(try await client.count("title == \"*\"") == UInt64(2 * Self.count))
                    let state = try await client.index().fetchLastClientState()
                    #expect(state?.bytes == Array("fresnel-import-1".utf8))
                }
            }
        }

        @Test("An import that waits for its input ends at the first interrupt")
        func waiting() async throws {
            try await LiveCluster.with(workers: 1, shards: 2) { cluster in
                // The shell holds the other end of the pipe open, and tells the program's number.
                let script = """
                    mkfifo in; exec 3<>in; fresnel index - --batch 1 --json < in & \
                    printf '%s\\n' '{"uniqueIdentifier":"a","attributes":{"title":"x"}}' \
                    '{"uniqueIdentifier":"b","attributes":{"title":"x"}}' >&3; \
                    while [ "$(fresnel count true 2>/dev/null)" != 1 ]; do :; done; \
                    kill -INT $!; wait $!
                    """
                try await TemporaryDirectory.with { directory in
                    let run = try await Program.shell(
                        "cd \(directory.path) && \(script)", broker: cluster.endpoint)
                    #expect(run.code == 1, "\(run.errors)")
                    #expect(
                        try JSONValue(parsing: run.output)["status"]?.string == "interrupted")
                    #expect(run.errors.contains("from its beginning"), "\(run.errors)")
                }
            }
        }

        @Test(
            "A full disk ends an import with the counts so far and the reason",
            .enabled("needs a mount of its own") { try await canMountMemory() })
        func fullDisk() async throws {
            try await TemporaryDirectory.with { directory in
                // Outside of the mount: only the program's own view of the directory is small.
                let file = try directory.write(Samples.lines(0..<30_000), to: "many.ndjson")
                let up = """
                    mount -t tmpfs -o size=1000k tmpfs \(directory.path) && \
                    exec \(Program.path) up --workers 1 --shards 2 --data \(directory.path)/d \
                    --listen tcp://127.0.0.1:0
                    """
                _ = try await LiveProcess.with(
                    program: "unshare", ["-rm", "sh", "-c", up]
                ) { process in
                    let ready = await process.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                    let endpoint = String(try #require(ready).dropFirst(6))
                    // Small batches: those that are on their way together have room at first.
                    let run = try await Program.run(
                        ["index", file, "--batch", "100", "--json"], broker: endpoint)
                    let log = process.errors.lines.suffix(20).joined(separator: "\n")
                    #expect(run.code == 1, "\(log)")
                    let totals = try JSONValue(parsing: run.output)
                    #expect(totals["status"]?.string == "failed")
                    let acknowledged = totals["acknowledged"]?.integer ?? 0
                    #expect(acknowledged > 0 && acknowledged < 30_000)
                    #expect(run.errors.contains("diskFull"), "\(run.errors)")
                }
            }
        }
    }
}

/// Whether this user may mount a file system in memory that nobody else sees.
private func canMountMemory() async throws -> Bool {
    try await Program.shell("unshare -rm mount -t tmpfs tmpfs /tmp", broker: "").code == 0
}
