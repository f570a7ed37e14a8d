import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Workers that die without a warning.
    @Suite("Death of a worker", .tags(.slow))
    struct WorkerDeathTests {
        @Test("A worker killed in the middle of a query leaves a flagged answer within the budget")
        func midQuery() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<3000))
                var request = SearchRequest("title == \"common*\"c")
                request.delivery = .found
                request.credit = 10
                request.deadline = .seconds(8)
                request.coverage = .any
                let start = ContinuousClock.now
                let query = client.search(request)
                var found: [String] = []
                for try await batch in query.batches {
                    // The first hits are here, no worker may send more than its credit: kill one.
                    if found.isEmpty { try cluster.kill("worker-1") }
                    found += batch.map(\.uniqueIdentifier)
                }
                let completion = try await query.completion()
                #expect(ContinuousClock.now - start < .seconds(9))
                #expect(!completion.isComplete)
                #expect(completion.status != .complete)
                let missing = completion.shards.filter { !$0.isWhole }
                #expect(missing.allSatisfy { $0.worker?.name == "worker-1" })
                #expect(missing.count == 2)
                #expect(Set(found).count == found.count, "no hit comes twice")
            }
        }

        @Test("A search while a worker is away says which shards are missing and ends with 3")
        func codes() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<60))
                try cluster.kill("worker-2")
                var run = try await cluster.run(["search", "title == \"common*\"c"])
                // The worker may be back before the query arrives; then it is killed once more.
                try await eventually("a search finds the worker away") {
                    if run.code != 0 { return true }
                    try cluster.kill("worker-2")
                    run = try await cluster.run(["search", "title == \"common*\"c"])
                    return false
                }
                #expect(run.code == 3, "\(run.output)\(run.errors)")
                // Whether the broker has noticed before or by the query itself.
                #expect(run.output.contains("worker-2"), "\(run.output)")
                #expect(run.output.contains("unreachable"), "\(run.output)")
                #expect(run.output.contains("what to do: start the worker"), "\(run.output)")
            }
        }

        @Test("The receipt of a worker that stands still says for how long it was waited for")
        func stopped() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 4) { cluster, client in
                try await client.index().index(Samples.documents(0..<60))
                try cluster.signal("worker-2", SIGSTOP)
                let run = try await cluster.run([
                    "search", "rating >= 0", "--sort", "rating", "--deadline", "800ms", "--json",
                ])
                try cluster.signal("worker-2", SIGCONT)
                #expect(run.code == 3, "\(run.errors)")
                let shards = try #require(try Answer(run).completion["shards"]?.array)
                #expect(shards.count == 4)
                for shard in shards {
                    let times = try #require(shard["microseconds"])
                    let isStopped = shard["worker"]?.string == "worker-2"
                    for phase in ["queue", "match", "score", "fetch"] {
                        #expect((times[phase] == nil) == isStopped, "\(phase) in \(shard)")
                    }
                    // The broker keeps a little of the budget for its own answer.
                    let wire = try #require(times["wire"]?.integer)
                    if isStopped { #expect((600_000...2_000_000).contains(wire), "\(shard)") }
                }
                let told = try await Program.run(["explain", "--answer", "-"], input: run.output)
                #expect(told.output.contains("0 scored; travelled "), "\(told.output)")
            }
        }

        @Test("A worker that comes back gives the same answers, to the digest")
        func recovery() async throws {
            try await LiveCluster.withClient { cluster, client in
                try await client.index().index(Samples.documents(0..<1000))
                try await client.index().delete(identifiers: [Samples.identifier(7)])
                let query = SearchRequest("** == \"common\"cdw")
                let before = try await Taken(client.search(query))
                #expect(before.hits.count == 999)
                try await cluster.replace("worker-3", client)
                let after = try await Taken(client.search(query))
                #expect(after.completion.isComplete)
                #expect(after.completion.digest == before.completion.digest)
                #expect(after.identifiers == before.identifiers)
            }
        }

        @Test("Every acknowledged document survives a worker that is killed while indexing")
        func whileIndexing() async throws {
            try await LiveCluster.withClient { cluster, client in
                let index = client.index()
                var acknowledged: Set<String> = []
                for round in 0..<30 {
                    if round % 10 == 5 { try cluster.kill("worker-\(round / 10 + 1)") }
                    let documents = Samples.documents(round * 50..<(round + 1) * 50)
                    do throws(SearchError) {
                        let report = try await index.index(documents)
                        let refused = Set(report.refusals.map(\.position))
                        for (position, document) in documents.enumerated()
                        where !refused.contains(position) {
                            acknowledged.insert(document.uniqueIdentifier)
                        }
                    } catch {
                        // Nothing of this round was promised.
                        #expect(error.isRetriable, "\(error)")
                    }
                }
                try await cluster.waitUntilWhole(client)
                var request = SearchRequest("title == \"common*\"c")
                request.deadline = .seconds(20)
                let found = try await Taken(client.search(request))
                #expect(found.completion.isComplete)
                let lost = acknowledged.subtracting(found.identifiers)
                #expect(lost.isEmpty, "\(lost.count) of \(acknowledged.count) are lost")
                #expect(acknowledged.count >= 1000)
            }
        }
    }
}
