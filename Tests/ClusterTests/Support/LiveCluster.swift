import FresnelClient
import Glibc
import Testing

/// `fresnel up`, running.
struct LiveCluster: Sendable {
    let process: LiveProcess
    /// Where clients connect.
    let endpoint: String
    /// Where everything is kept.
    let directory: String

    /// Starts a cluster, lends it to `body` when it is ready, and ends it.
    ///
    /// - Parameters:
    ///   - directory: nil makes one that goes away with the cluster.
    ///   - variables: of the environment of all its processes, as `NAME=value`.
    static func with<Answer: Sendable>(
        workers: Int = 3, shards: Int = 6, replicas: Int = 1, in directory: String? = nil,
        variables: [String] = [],
        _ body: @Sendable (LiveCluster) async throws -> Answer
    ) async throws -> Answer {
        guard let directory else {
            return try await TemporaryDirectory.with { temporary in
                try await with(
                    workers: workers, shards: shards, replicas: replicas, in: temporary.path,
                    variables: variables, body)
            }
        }
        let (answer, code) = try await LiveProcess.with(
            program: "env",
            variables + [
                Program.path, "up", "--workers", "\(workers)", "--shards", "\(shards)",
                "--replicas", "\(replicas)", "--data", directory,
                "--listen", "tcp://127.0.0.1:0", "--log-level", "info",
            ]
        ) { process in
            let endpoint = await process.output.first { line in
                line.hasPrefix("ready ") ? String(line.dropFirst(6)) : nil
            }
            let cluster = LiveCluster(
                process: process,
                endpoint: try #require(endpoint, "up said: \(process.errors.text)"),
                directory: directory)
            do {
                return try await body(cluster)
            } catch {
                print("the cluster said:\n\(process.errors.text)")
                throw error
            }
        }
        #expect(code == 0, "up must end orderly")
        return answer
    }

    /// For `variables`: every query asks the workers, also one that was asked before.
    static let keepingNoAnswers = ["FRESNEL_BROKER_KEPT_ANSWERS=0"]

    /// The same with a connected client.
    static func withClient<Answer: Sendable>(
        workers: Int = 3, shards: Int = 6, replicas: Int = 1, variables: [String] = [],
        _ body: @Sendable (LiveCluster, SearchClient) async throws -> Answer
    ) async throws -> Answer {
        try await with(
            workers: workers, shards: shards, replicas: replicas, variables: variables
        ) { cluster in
            try await withSearchClient(to: cluster.endpoint) { client in
                try await body(cluster, client)
            }
        }
    }

    /// Runs a command against this cluster.
    func run(_ arguments: [String], input: String = "") async throws -> Program.Run {
        try await Program.run(arguments, input: input, broker: endpoint)
    }

    /// The process that plays a role now, as the supervisor told when it started it.
    func number(of role: String) -> Int32? {
        let mark = "\(role) is process "
        let line = process.errors.lines.last { $0.contains(mark) }
        return line?.split(separator: " ").last.flatMap { Int32($0) }
    }

    /// Kills the process of a role without a warning.
    func kill(_ role: String) throws { try signal(role, SIGKILL) }

    /// Sends a signal to the process of a role.
    func signal(_ role: String, _ signal: Int32) throws {
        let number = try #require(self.number(of: role), "nobody started \(role)")
        _ = Glibc.kill(number, signal)
    }

    /// Kills a worker and waits until its successor is known to the broker with all its shards.
    func replace(_ worker: String, _ client: SearchClient) async throws {
        let mark = "registered with the broker as \(worker)"
        let before = process.errors.lines.count { $0.contains(mark) }
        try kill(worker)
        try await eventually("\(worker) is back") {
            // Until the successor registers, the broker may not have noticed the death.
            _ = try await client.status()
            return process.errors.lines.count { $0.contains(mark) } > before
        }
        try await waitUntilWhole(client)
    }

    /// Asks until every shard of every index is whole.
    func waitUntilWhole(_ client: SearchClient) async throws {
        try await eventually("every shard is whole") {
            // While the broker is away there is no status.
            guard let status = try? await client.status() else { return false }
            return status.workers.allSatisfy { $0.state == "live" }
                && status.indexes.allSatisfy { $0.shards.allSatisfy { $0.state == "whole" } }
        }
    }
}

/// Asks again and again until the answer is yes.
func eventually(
    _ what: String, within bound: Duration = .seconds(30),
    _ condition: () async throws -> Bool
) async throws {
    let start = ContinuousClock.now
    while try await !condition() {
        try #require(ContinuousClock.now - start < bound, "not within \(bound): \(what)")
        await Task.yield()
    }
}
