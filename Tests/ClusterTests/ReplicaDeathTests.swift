import Foundation
import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Workers that die where every shard has two replicas.
    @Suite("Death of one of two replicas", .tags(.slow))
    struct ReplicaDeathTests {
        @Test(
            "A query in the middle of its stream goes on with the other replica, and is complete",
            arguments: [Delivery.found, .settled, .final], [true, false])
        func midQuery(delivery: Delivery, isScored: Bool) async throws {
            try await LiveCluster.withClient(replicas: 2) { cluster, client in
                try await client.index().index(Samples.documents(0..<3000))
                var request = SearchRequest("title == \"common*\"c")
                if !isScored { request.sort = [try SortKey(parsing: "rating")] }
                request.delivery = delivery
                request.facets = [FacetRequest("rating", limit: 5)]
                request.deadline = .seconds(20)
                let expected = try await Taken(client.search(request))
                #expect(expected.completion.isComplete && expected.hits.count == 3000)
                request.credit = 10
                let query = client.search(request)
                var found: [String] = []
                for try await batch in query.batches {
                    if found.isEmpty { try cluster.kill("worker-1") }
                    found += batch.map(\.uniqueIdentifier)
                }
                let completion = try await query.completion()
                #expect(completion.isComplete, "\(completion.shards.filter { !$0.isWhole })")
                #expect(found.count == 3000 && Set(found).count == 3000, "\(found.count)")
                #expect(completion.found == 3000)
                #expect(completion.facets == expected.completion.facets)
                guard delivery != .found else { return }
                #expect(found == expected.identifiers)
                #expect(completion.digest == expected.completion.digest)
            }
        }

        @Test("A worker that comes back is filled by the other one, and then stands alone for it")
        func rejoins() async throws {
            try await LiveCluster.withClient(workers: 2, replicas: 2) { cluster, client in
                let index = client.index()
                try await index.index(Samples.documents(0..<500))
                let before = try await Self.shards(cluster)
                try cluster.signal("worker-1", SIGSTOP)
                // Written while one replica is away: it has to come from the other one.
                try await index.index(Samples.documents(500..<1000))
                try await index.delete(
                    identifiers: Samples.documents(0..<100).map(\.uniqueIdentifier))
                #expect(try await Self.shards(cluster).allSatisfy { $0.inSync == 1 })
                try cluster.kill("worker-1")
                try await eventually("the worker is in sync again", within: .seconds(60)) {
                    try await Self.shards(cluster).allSatisfy { $0.inSync == 2 }
                }
                for (old, new) in zip(before, try await Self.shards(cluster)) {
                    #expect(new.epoch > old.epoch)
                }
                let expected = try await Taken(client.search(SearchRequest("** == \"common*\"c")))
                #expect(expected.completion.isComplete && expected.hits.count == 900)
                try cluster.signal("worker-2", SIGSTOP)
                defer { try? cluster.signal("worker-2", SIGCONT) }  // It may have ended meanwhile.
                var request = SearchRequest("** == \"common*\"c")
                request.deadline = .seconds(20)
                let alone = try await Taken(client.search(request))
                #expect(alone.completion.isComplete, "\(alone.completion.shards)")
                #expect(alone.completion.digest == expected.completion.digest)
                #expect(alone.identifiers == expected.identifiers)
            }
        }

        @Test("A damaged replica is copied from the other one, and what is left of it is kept")
        func damaged() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 2, replicas: 2) {
                cluster, client in
                try await client.index().index(Samples.documents(0..<400))
                let expected = try await Taken(client.search(SearchRequest("** == \"common*\"c")))
                let shard = "\(cluster.directory)/workers/1/indexes/default/0"
                let manifest = URL(filePath: "\(shard)/segments/MANIFEST")
                var bytes = try Data(contentsOf: manifest)
                bytes[bytes.count / 2] ^= 4
                try bytes.write(to: manifest)
                try cluster.kill("worker-1")
                try await eventually("both replicas are in sync again", within: .seconds(60)) {
                    guard FileManager.default.fileExists(atPath: shard + ".aside") else {
                        return false
                    }
                    return try await Self.shards(cluster).allSatisfy { $0.inSync == 2 }
                }
                let run = try await cluster.run(["status", "--json"])
                let counters = try JSONValue(parsing: run.output)["counters"]
                #expect(counters?["damagedReplicas"]?.integer == 1)
                try await eventually("contents are found equal", within: .seconds(60)) {
                    let run = try await cluster.run(["status", "--json"])
                    let counters = try JSONValue(parsing: run.output)["counters"]
                    #expect(counters?["differingReplicas"]?.integer == 0)
                    return (counters?["comparisons"]?.integer ?? 0) >= 2
                }
                try cluster.signal("worker-2", SIGSTOP)
                defer { try? cluster.signal("worker-2", SIGCONT) }  // It may have ended meanwhile.
                var request = SearchRequest("** == \"common*\"c")
                request.deadline = .seconds(20)
                let alone = try await Taken(client.search(request))
                #expect(alone.completion.isComplete && alone.hits.count == 400)
                #expect(alone.completion.digest == expected.completion.digest)
            }
        }

        /// Of each shard how many replicas are in sync, and its epoch.
        private static func shards(
            _ cluster: LiveCluster
        ) async throws -> [(inSync: Int, epoch: Int64)] {
            let run = try await cluster.run(["status", "--json"])
            let status = try JSONValue(parsing: run.output)
            let shards = try #require(status["indexes"]?.array?.first?["shards"]?.array)
            return shards.map { shard in
                (
                    shard["replicas"]?.array?.count { $0["inSync"]?.bool == true } ?? 0,
                    shard["epoch"]?.integer ?? 0
                )
            }
        }

        @Test("Every acknowledged document is found at once when a worker is killed in an import")
        func whileIndexing() async throws {
            try await LiveCluster.withClient(replicas: 2) { cluster, client in
                let index = client.index()
                var acknowledged: Set<String> = []
                for round in 0..<30 {
                    if round == 10 { try cluster.kill("worker-2") }
                    let documents = Samples.documents(round * 50..<(round + 1) * 50)
                    // Nobody notices but by the time it takes.
                    let report = try await index.index(documents)
                    #expect(report.refusals.isEmpty)
                    acknowledged.formUnion(documents.map(\.uniqueIdentifier))
                    let found = try await Taken(client.search(SearchRequest("** == \"common*\"c")))
                    #expect(found.completion.isComplete, "round \(round)")
                    #expect(acknowledged.isSubset(of: found.identifiers), "round \(round)")
                }
                #expect(acknowledged.count == 1500)
                let run = try await cluster.run(["status", "--json"])
                let status = try JSONValue(parsing: run.output)
                let shards = try #require(status["indexes"]?.array?.first?["shards"]?.array)
                for shard in shards {
                    let inSync = shard["replicas"]?.array?.filter { $0["inSync"]?.bool == true }
                    #expect(inSync?.isEmpty == false, "\(shard)")
                }
            }
        }
    }
}
