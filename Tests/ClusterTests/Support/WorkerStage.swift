import FresnelClient
import Glibc
import Testing

/// A broker and one worker that stays, both running.
struct WorkerStage {
    /// Finds what `fill` indexes, and `Samples.lines`.
    private static let query = "title == \"common*\"c"

    let directory: String
    let endpoint: String
    let broker: LiveProcess

    static func with(_ body: @Sendable (WorkerStage) async throws -> Void) async throws {
        try await TemporaryDirectory.with { directory in
            _ = try await LiveProcess.with([
                "broker", "--data", "\(directory.path)/b", "--listen",
                "tcp://127.0.0.1:0", "--worker-listen", "ipc://\(directory.path)/w",
                "--shards", "4", "--expect-workers", "2",
            ]) { broker in
                let ready = await broker.output.first { $0.hasPrefix("ready ") ? $0 : nil }
                let stage = WorkerStage(
                    directory: directory.path,
                    endpoint: String(try #require(ready).dropFirst(6)), broker: broker)
                try await stage.worker(1) { _ in try await body(stage) }
            }
        }
    }

    func path(of number: Int) -> String { "\(directory)/\(number)" }

    /// Runs a worker as long as `body` does.
    func worker(
        _ number: Int, _ flags: [String] = [], becomesReady: Bool = true,
        _ body: @Sendable (LiveProcess) async throws -> Void
    ) async throws {
        _ = try await LiveProcess.with(
            [
                "worker", "--data", path(of: number), "--broker", "ipc://\(directory)/w",
                "--name", "worker-\(number)",
            ] + flags
        ) { process in
            if becomesReady {
                let isReady = await process.output.first {
                    $0 == "ready worker-\(number)" ? true : nil
                }
                #expect(isReady == true)
            }
            do {
                try await body(process)
                #expect(becomesReady || process.output.text.isEmpty)
            } catch {
                print("worker-\(number) said:\n\(process.errors.text)")
                throw error
            }
        }
    }

    /// Indexes documents that `search` finds.
    func fill(_ count: Int) async throws {
        try await withSearchClient(to: endpoint) { client in
            _ = try await client.index().index(Samples.documents(0..<count))
        }
    }

    func search() async throws -> Program.Run {
        try await Program.run(["search", Self.query], broker: endpoint)
    }

    /// How many documents a complete answer finds, as soon as there is one.
    func count() async throws -> Int {
        var found = 0
        try await eventually("an answer is complete") {
            let run = try await Program.run(
                ["search", Self.query, "--format", "ndjson"],
                broker: endpoint)
            guard run.code == 0 else { return false }
            found = try Answer(run).hits.count
            return true
        }
        return found
    }
}
