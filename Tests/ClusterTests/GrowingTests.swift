import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Workers that join and are drained while documents are searched and written.
    @Suite("Growing and shrinking", .tags(.slow))
    struct GrowingTests {
        /// Runs a role, and says what it said when `body` fails.
        private func with(
            _ arguments: [String], _ body: @Sendable (LiveProcess, String) async throws -> Void
        ) async throws {
            _ = try await LiveProcess.with(arguments) { process in
                let line = await process.output.first { $0 }
                let name = String(try #require(line).dropFirst("ready ".count))
                do {
                    try await body(process, name)
                } catch {
                    print("\(arguments[0]) \(name) said:\n\(process.errors.text)")
                    throw error
                }
            }
        }

        private func worker(_ number: Int, _ directory: TemporaryDirectory) -> [String] {
            [
                "worker", "--data", "\(directory.path)/\(number)", "--broker",
                "ipc://\(directory.path)/w", "--name", "worker-\(number)",
            ]
        }

        @Test(
            "A third worker gets its share, the first is drained and ended, and nothing is missed",
            arguments: [1, 2])
        func growsAndShrinks(replicas: Int) async throws {
            try await TemporaryDirectory.with { directory in
                let broker = [
                    "broker", "--data", "\(directory.path)/b", "--listen", "tcp://127.0.0.1:0",
                    "--worker-listen", "ipc://\(directory.path)/w", "--shards", "6",
                    "--expect-workers", "2", "--replicas", "\(replicas)",
                ]
                try await with(broker) { _, endpoint in
                    try await with(worker(2, directory)) { _, _ in
                        try await with(worker(1, directory)) { first, _ in
                            try await withSearchClient(to: endpoint) { client in
                                try await client.index().index(Samples.documents(0..<2000))
                                try await with(worker(3, directory)) { _, _ in
                                    let cluster = Growing(
                                        client: client, endpoint: endpoint,
                                        replicas: replicas, directory: directory)
                                    try await cluster.grow()
                                    try await cluster.shrink(ending: first)
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A cluster whose workers come and go under searches and writes.
private struct Growing {
    let client: SearchClient
    let endpoint: String
    let replicas: Int
    let directory: TemporaryDirectory

    /// Lets the third worker have its share.
    func grow() async throws {
        try await eventually("the broker sees that worker 3 is idle") {
            try await client.status().plannedMoves > 0
        }
        let shown = try await Program.run(["plan"], broker: endpoint)
        #expect(shown.code == 0 && shown.output.contains("would move"), "\(shown.errors)")
        #expect(shown.output.contains("worker-3"), "\(shown.output)")
        let run = try await Program.run(["rebalance", "--yes", "--json"], broker: endpoint)
        let plan = try JSONValue(parsing: run.output)
        #expect(plan["moveCount"]?.integer == Int64(2 * replicas), "\(run.output)")
        try await use(2000) { status in
            status.workers.allSatisfy { $0.replicas == 2 * replicas && $0.removing == 0 }
        }
    }

    /// Drains the first worker and ends it.
    func shrink(ending first: LiveProcess) async throws {
        let wrong = try await Program.run(["drain", "worker-9", "--yes"], broker: endpoint)
        #expect(wrong.code == 1 && wrong.errors.contains("there is no worker"), "\(wrong.errors)")
        let run = try await Program.run(["drain", "worker-1", "--yes"], broker: endpoint)
        #expect(run.code == 0 && run.output.contains("worker-1 is drained"), "\(run.errors)")
        try await use(4000) { status in
            let worker = status.workers.first { $0.name == "worker-1" }
            return worker?.isDrained == true && worker?.replicas == 0 && worker?.removing == 0
        }
        let left = try await Program.shell(
            "find \(directory.path)/1/indexes -mindepth 2", broker: endpoint)
        #expect(left.output.isEmpty, "\(left.output)")
        first.signal(SIGTERM)
        await first.output.waitForEnd()
        try await use(6000) { status in
            status.workers.first { $0.name == "worker-1" }?.state == "ended"
        }
        let status = try await Program.run(["status"], broker: endpoint)
        #expect(status.code == 0 && status.output.contains("ended, drained"), "\(status.output)")
        let second = try await Program.run(["drain", "worker-2", "--yes"], broker: endpoint)
        #expect(second.code == (replicas == 1 ? 0 : 1), "\(second.errors)")
        #expect(replicas == 1 || second.errors.contains("start another worker"))
    }

    /// Writes and searches until the cluster is as it shall be; everything is found every time.
    ///
    /// - Parameter first: the number of the first document to write.
    private func use(
        _ first: Int, until isDone: (ClusterStatus) -> Bool
    ) async throws {
        var next = first
        var known = Set(try await Taken(client.search(all)).identifiers)
        try await eventually("the replicas have moved", within: .seconds(120)) {
            let documents = Samples.documents(next..<min(next + 20, first + 2000))
            next = min(next + 20, first + 2000)
            if !documents.isEmpty { try await client.index().index(documents) }
            known.formUnion(documents.map(\.uniqueIdentifier))
            let found = try await Taken(client.search(all))
            #expect(found.completion.isComplete, "\(found.completion.shards)")
            #expect(Set(found.identifiers) == known && found.hits.count == known.count)
            return isDone(try await client.status())
        }
    }

    private var all: SearchRequest {
        var request = SearchRequest("** == \"common*\"c")
        request.deadline = .seconds(20)
        return request
    }
}
