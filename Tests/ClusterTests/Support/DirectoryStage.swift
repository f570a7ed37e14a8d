import FresnelClient
import Foundation
import FresnelJSON
import Testing

/// Directories of a broker and of workers, on which processes are started again and again.
struct DirectoryStage {
    /// Processes that run on them.
    struct Scene: Sendable {
        let endpoint: String
        let broker: LiveProcess
        var workers: [LiveProcess] = []

        /// Runs a command against them.
        func run(_ arguments: [String], input: String = "") async throws -> Program.Run {
            try await Program.run(arguments, input: input, broker: endpoint)
        }

        /// A command that must succeed.
        @discardableResult
        func expect(_ arguments: [String], input: String = "") async throws -> String {
            let run = try await run(arguments, input: input)
            #expect(run.code == 0, "\(arguments): \(run.output)\(run.errors)")
            return run.output
        }

        /// What the broker says of itself.
        func status() async throws -> ClusterStatus {
            try await withSearchClient(to: endpoint) { try await $0.status() }
        }

        /// The identifiers of an index, as soon as there is a complete answer.
        func identifiers(in index: String) async throws -> Set<String> {
            var found: Set<String> = []
            try await eventually("an answer over \(index) is complete", within: .seconds(60)) {
                let run = try await run([
                    "search", "true", "--index", index, "--format", "ndjson",
                ])
                guard run.code == 0 else { return false }
                found = Set(try Answer(run).identifiers)
                return true
            }
            return found
        }

        /// Asks over everything what cannot be answered completely.
        func expectIncomplete(_ index: String? = nil) async throws {
            let selection = index.map { ["--index", $0] } ?? []
            let run = try await run(["search", "true", "--format", "ndjson"] + selection)
            #expect([3, 4].contains(run.code), "\(run.output)\(run.errors)")
            #expect(try Answer(run).completion["complete"]?.bool == false, "\(run.output)")
        }
    }

    let directory: String

    /// Where the broker keeps what it knows.
    var broker: String { "\(directory)/b" }

    static func with(_ body: @Sendable (DirectoryStage) async throws -> Void) async throws {
        try await TemporaryDirectory.with { try await body(DirectoryStage(directory: $0.path)) }
    }

    /// Runs a broker, and its workers, as long as `body` does.
    ///
    /// - Parameter flags: of the broker.
    @discardableResult
    func run<Answer: Sendable>(
        _ flags: [String] = [], workers: Int = 2, shards: Int = 4,
        _ body: @Sendable (Scene) async throws -> Answer
    ) async throws -> Answer {
        try await LiveProcess.with(
            [
                "broker", "--data", broker, "--listen", "tcp://127.0.0.1:0",
                "--worker-listen", "ipc://\(directory)/w", "--shards", "\(shards)",
                "--expect-workers", "2",
            ] + flags
        ) { process in
            let ready = await process.output.first { $0.hasPrefix("ready ") ? $0 : nil }
            let endpoint = String(
                try #require(ready, "the broker said: \(process.errors.text)").dropFirst(6))
            return try await start(
                workers, in: Scene(endpoint: endpoint, broker: process), body)
        }.answer
    }

    /// Runs one worker after the other, inside of each other.
    private func start<Answer: Sendable>(
        _ count: Int, in scene: Scene, _ body: @Sendable (Scene) async throws -> Answer
    ) async throws -> Answer {
        guard scene.workers.count < count else {
            do {
                return try await body(scene)
            } catch {
                for process in [scene.broker] + scene.workers { print(process.errors.text) }
                throw error
            }
        }
        return try await worker(scene.workers.count + 1, at: self) { process in
            var scene = scene
            scene.workers.append(process)
            return try await start(count, in: scene, body)
        }
    }

    /// Runs a worker of these directories at a broker, of these or of others.
    ///
    /// - Parameter name: nil is that of its number.
    func worker<Answer: Sendable>(
        _ number: Int, at other: DirectoryStage, named name: String? = nil,
        _ body: @Sendable (LiveProcess) async throws -> Answer
    ) async throws -> Answer {
        try await LiveProcess.with(
            [
                "worker", "--data", "\(directory)/\(number)",
                "--broker", "ipc://\(other.directory)/w", "--name", name ?? "worker-\(number)",
            ],
            body
        ).answer
    }

    /// Keeps a copy of the broker's directory.
    func copyState(to name: String) throws {
        // Where `fresnel verify` does not look.
        try FileManager.default.createDirectory(
            atPath: "\(directory)/kept", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: broker, toPath: "\(directory)/kept/\(name)")
    }

    /// Puts a copy of the broker's directory in its place, or none at all.
    func putBack(_ name: String?) throws {
        try FileManager.default.removeItem(atPath: broker)
        guard let name else { return }
        try FileManager.default.copyItem(atPath: "\(directory)/kept/\(name)", toPath: broker)
    }

    /// Whether `fresnel verify` finds everything in these directories.
    func verify() async throws -> Program.Run {
        try await Program.run(["verify", "--data", directory])
    }
}
