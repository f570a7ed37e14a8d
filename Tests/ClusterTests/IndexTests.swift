import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// `fresnel indexes`.
    @Suite("Indexes and aliases")
    struct IndexTests {
        @Test("A catalogue is replaced by another one under the same name, in one step")
        func replacement() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 2) { cluster, client in
                func run(_ arguments: [String], input: String = "") async throws -> String {
                    let run = try await cluster.run(arguments, input: input)
                    #expect(run.code == 0, "\(arguments): \(run.errors)")
                    return run.output
                }
                #expect(try await run(["indexes"]).contains("no index yet"))
                let made = try await run(
                    ["indexes", "create", "shop-1", "--shards", "3", "--expiration", "30d"])
                #expect(made.contains("index shop-1 is made: 3 shards, 1 copy of each"), "\(made)")
                _ = try await run(["indexes", "alias", "shop", "shop-1"])
                _ = try await run(["index", "-", "--index", "shop"], input: Samples.lines(0..<5))
                _ = try await run(["index", "-", "--index", "shop-2"], input: Samples.lines(0..<9))
                #expect(try await run(["count", "true", "--index", "shop"]) == "5\n")
                let moved = try await run(["indexes", "alias", "shop", "shop-2"])
                #expect(moved == "alias shop leads to index shop-2 now, not to shop-1\n")
                #expect(try await run(["count", "true", "--index", "shop"]) == "9\n")
                let shop = try client.index(named: "shop")
                #expect(try await shop.count("true") == 9)
                #expect(try await shop.get([Samples.identifier(8)]).count == 1)
                let table = try await run(["search", "true", "--limit", "3", "--sort", "rating"])
                #expect(table.contains("shop-1") && table.contains("shop-2"), "\(table)")
                let list = try await run(["indexes", "--json"])
                let names = try JSONValue(parsing: list)["indexes"]?.array?.compactMap {
                    $0["name"]?.string
                }
                #expect(names == ["shop-1", "shop-2"])
                let gone = try await run(["indexes", "remove", "shop-1", "--yes"])
                #expect(gone == "index shop-1 with 5 documents is removed\n")
                #expect(try await run(["count", "true"]) == "9\n")
                try await eventually("nothing is left of it") {
                    try await client.status().removed.isEmpty
                }
                let found = try await Program.shell(
                    "find \(cluster.directory) -path '*/indexes/shop-1*'",
                    broker: cluster.endpoint)
                #expect(found.output.isEmpty, "\(found.output)")
            }
        }

        @Test(
            "What is wrong is refused, says why, and changes nothing",
            arguments: [
                (["create", "No Good"], "No Good"), (["create", "shop"], "already"),
                (["create", "other", "--shards", "0"], "1 to"),
                (["create", "other", "--replicas", "2"], "2 copies"),
                (["create", "store"], "alias"), (["remove", "shap", "--yes"], "\"shop\""),
                (["remove", "shop"], "--yes"), (["remove", "shop", "--yes"], "store"),
                (["remove", "store", "--yes"], "alias"), (["alias", "a", "store"], "shop"),
                (["alias", "a", "nothing"], "no index"), (["alias", "shop", "shop"], "index shop"),
                (["alias", "a"], "--remove"), (["alias", "stor", "--remove"], "\"store\""),
            ] as [([String], String)])
        func refusals(arguments: [String], text: String) async throws {
            try await LiveCluster.withClient(workers: 1, shards: 1) { cluster, client in
                _ = try await cluster.run(["indexes", "create", "shop"])
                _ = try await cluster.run(["indexes", "alias", "store", "shop"])
                let run = try await cluster.run(["indexes"] + arguments)
                #expect(run.code != 0 && run.errors.contains(text), "\(run.code) \(run.errors)")
                let indexes = try await client.indexes()
                #expect(indexes.map(\.name) == ["shop"] && indexes.first?.aliases == ["store"])
            }
        }

        @Test("An index that was removed while a worker was away is not in the one made after it")
        func away() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 2) { cluster, client in
                let shop = try client.index(named: "shop")
                try await shop.index(Samples.documents(0..<20))
                try cluster.signal("worker-2", SIGSTOP)
                try await eventually("it is away") {
                    try await client.status().workers.contains { $0.state == "lost" }
                }
                let removal = try await client.removeIndex(IndexName("shop"))
                #expect(removal.away.count == 1)
                #expect(try await client.status().removed.map(\.name) == ["shop"])
                try cluster.kill("broker")
                try cluster.signal("worker-2", SIGCONT)
                try await eventually("nothing is left of it") {
                    guard let status = try? await client.status() else { return false }
                    return status.removed.isEmpty && status.workers.count == 2
                        && status.workers.allSatisfy { $0.state == "live" }
                }
                try await client.createIndex(IndexName("shop"))
                #expect(try await shop.count("true") == 0)
                try await shop.index(Samples.documents(0..<3))
                #expect(try await shop.count("true") == 3)
            }
        }

        @Test(
            "Processes that die while an index goes and its name changes over take nothing along",
            arguments: ["broker", "worker-1"])
        func deaths(role: String) async throws {
            try await LiveCluster.withClient(workers: 2, shards: 2) { cluster, client in
                let other = try client.index(named: "other")
                try await other.index(Samples.documents(0..<30))
                let shop = try client.index(named: "shop")
                for round in 1...4 {
                    let name = try IndexName("shop-\(round)")
                    try await client.createIndex(name)
                    try await client.index(name).index(Samples.documents(0..<10 * round))
                    async let moved = client.setAlias(IndexName("shop"), to: name)
                    if round.isMultiple(of: 2) { try cluster.kill(role) }
                    _ = try await moved
                    guard round > 1 else { continue }
                    let former = try IndexName("shop-\(round - 1)")
                    async let removal = client.removeIndex(former)
                    try cluster.kill(role)
                    // The answer may have gone with its broker, and the index with it.
                    _ = try? await removal
                    try await eventually("\(former) is gone") {
                        guard let status = try? await client.status() else { return false }
                        if status[former] != nil { _ = try? await client.removeIndex(former) }
                        return status[former] == nil && status.removed.isEmpty
                    }
                    try await cluster.waitUntilWhole(client)
                    #expect(try await shop.count("true") == 10 * round)
                    #expect(try await other.count("true") == 30)
                }
                let list = try await Program.shell(
                    "find \(cluster.directory) -path '*/indexes/*' -prune",
                    broker: cluster.endpoint)
                let left = Set(
                    list.output.split(separator: "\n").compactMap {
                        $0.split(separator: "/").last.map(String.init)
                    })
                #expect(left == ["other", "shop-4"], "\(list.output)")
            }
        }

        @Test("Three hundred indexes are made, searched together, kept over a restart, and removed")
        func many() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 4) { cluster, client in
                try await inGroups(of: 300) { number in
                    try await client.createIndex(IndexName("tenant-\(number)"), shards: 2)
                }
                for number in stride(from: 0, to: 300, by: 30) {
                    let index = try client.index(named: "tenant-\(number)")
                    try await index.index(Samples.documents(0..<10))
                }
                try await cluster.waitUntilWhole(client)
                #expect(try await client.count("true") == 100)
                let status = try await client.status()
                #expect(status.indexes.count == 300)
                #expect(status.indexes.allSatisfy { $0.shards.count == 2 })
                try cluster.kill("broker")
                try await cluster.replace("worker-1", client)
                #expect(try await client.count("true") == 100)
                try await inGroups(of: 300) { number in
                    let index = status.indexes[number]
                    try await client.removeIndex(IndexName(index.name), seen: index)
                }
                try await eventually("nothing is left") {
                    let status = try await client.status()
                    return status.indexes.isEmpty && status.removed.isEmpty
                }
            }
        }

        /// Fifty at a time.
        private func inGroups(
            of count: Int, _ body: @Sendable @escaping (Int) async throws -> Void
        ) async throws {
            for start in stride(from: 0, to: count, by: 50) {
                try await withThrowingTaskGroup { group in
                    for number in start..<min(count, start + 50) {
                        group.addTask { try await body(number) }
                    }
                    try await group.waitForAll()
                }
            }
        }
    }
}
