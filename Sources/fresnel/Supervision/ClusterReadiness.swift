import FresnelClient
import FresnelModel

/// Waits until a cluster is whole: every worker is there, and every shard can be asked.
enum ClusterReadiness {
    private static let pollInterval = Duration.milliseconds(20)
    /// The same once only the operator can change something.
    private static let settledInterval = Duration.seconds(1)
    private static let wordInterval = Duration.seconds(5)

    /// Asks the broker until nothing is missing; says every few seconds what it waits for.
    ///
    /// - Parameters:
    ///   - settled: called once all workers are there and each has opened what it can.
    ///   - complain: takes a sentence, such as `EP is not ready yet: …`.
    static func wait(
        for doors: ClusterDoors, workers: Int, settled: () -> Void = {},
        complain: (String) throws -> Void
    ) async throws {
        let client = try await SearchClient.connect(
            to: doors.clients, name: "up", connectTimeout: .seconds(10))
        var silence = Duration.zero
        var isSettled = false
        var pause = pollInterval
        while true {
            let status: ClusterStatus
            do {
                status = try await client.status()
            } catch {
                // What runs already goes on without the broker, and so does the waiting.
                guard isSettled, !Task.isCancelled else { throw error }
                try await Task.sleep(for: pause)
                continue
            }
            if !isSettled, Self.isSettled(status, workers) {
                isSettled = true
                pause = settledInterval
                settled()
            }
            let awaited = awaited(status, of: workers)
            guard !awaited.isEmpty else { break }
            silence += pause
            if silence >= wordInterval {
                silence = .zero
                let words = awaited.joined(separator: ", ")
                try complain("\(doors.clients) is not ready yet: \(words)")
            }
            try await Task.sleep(for: pause)
        }
        await client.close()
    }

    /// Whether nothing will change any more without the operator.
    private static func isSettled(_ status: ClusterStatus, _ workers: Int) -> Bool {
        let shards = status.indexes.flatMap(\.shards)
        return status.workers.count { $0.state == "live" } >= workers
            && !shards.contains { $0.state == "opening" }
    }

    /// What is missing before the cluster is ready, in words.
    private static func awaited(_ status: ClusterStatus, of workers: Int) -> [String] {
        let live = status.workers.count { $0.state == "live" }
        let missing = live < workers ? ["\(live) of \(workers) workers are there"] : []
        let shards = status.indexes.flatMap { index in
            index.shards.filter { $0.state != "whole" }.map {
                "shard \($0.shard.number) of \(index.name) is \($0.state) on \($0.worker)"
            }
        }
        guard shards.count > 3 else { return missing + shards }
        return missing + shards.prefix(3) + ["and \(shards.count - 3) more"]
    }
}
