import FresnelClient
import FresnelJSON
import Glibc
import Testing

extension Clusters {
    /// Queries that stay after their completion.
    @Suite("Following a query", .tags(.slow))
    struct FollowTests {
        private static let query = "rating >= 2"

        private static var request: SearchRequest {
            var request = SearchRequest(query)
            request.sort = [SortKey(.attribute("title"), isAscending: true)]
            request.attributes = ["title", "rating"]
            request.isFollowed = true
            return request
        }

        /// What a search finds now: title by identifier.
        private static func fresh(_ client: SearchClient) async throws -> [String: AttributeValue?]
        {
            var request = request
            request.isFollowed = false
            let taken = try await Taken(client.search(request))
            #expect(taken.completion.isComplete)
            return Dictionary(
                taken.hits.map { ($0.uniqueIdentifier, $0.attributes["title"]) }
            ) { first, _ in first }
        }

        /// Applies changes until they have reached a number of the index.
        private static func apply(
            _ changes: inout SearchQuery.Changes.Iterator,
            to answer: inout [String: AttributeValue?],
            upTo sequence: SequenceNumber
        ) async throws {
            while let change = try await changes.next() {
                switch change {
                case .removed(let hit, _):
                    #expect(answer.removeValue(forKey: hit.uniqueIdentifier) != nil)
                case .added(let hit, _):
                    #expect(
                        answer.updateValue(
                            hit.attributes["title"], forKey: hit.uniqueIdentifier) == nil)
                case .reached(let state):
                    if state.snapshot[.standard] ?? .zero >= sequence { return }
                }
            }
            Issue.record("the changes ended before \(sequence.value)")
        }

        private static func newest(_ client: SearchClient) async throws -> SequenceNumber {
            let status = try await client.status()
            return try #require(status.indexes.first).committed
        }

        @Test("The old answer with its changes is the fresh one, also after a worker was killed")
        func applied() async throws {
            try await LiveCluster.withClient { cluster, client in
                let index = client.index()
                try await index.index(Samples.documents(0..<300))
                let query = client.search(Self.request)
                var answer: [String: AttributeValue?] = [:]
                for try await hit in query.hits {
                    answer[hit.uniqueIdentifier] = hit.attributes["title"]
                }
                let completion = try await query.completion()
                #expect(completion.isComplete)
                var changes = query.changes.makeAsyncIterator()

                try await index.index(Samples.documents(300..<350))
                try await index.delete(identifiers: [Samples.identifier(3), Samples.identifier(4)])
                var patch = DocumentPatch(uniqueIdentifier: Samples.identifier(5))
                patch.attributes["title"] = .set(.string("another title"))
                try await index.update([patch])
                try await index.delete(matching: "keywords == \"k2\"")
                try await Self.apply(
                    &changes, to: &answer, upTo: try await Self.newest(client))
                var fresh = try await Self.fresh(client)
                #expect(answer == fresh)
                #expect(answer[Samples.identifier(5)] == .string("another title"))

                try await cluster.replace("worker-2", client)
                try await index.index(Samples.documents(100..<150))
                try await Self.apply(
                    &changes, to: &answer, upTo: try await Self.newest(client))
                fresh = try await Self.fresh(client)
                #expect(answer == fresh)
                query.cancel()
                let end = try await changes.next()
                #expect(end == nil)
            }
        }

        @Test("A follower that reads nothing keeps nobody waiting, and catches up")
        func slow() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 2) { cluster, client in
                let index = client.index()
                try await index.index(Samples.documents(0..<10))
                var request = Self.request
                request.credit = 20
                let query = client.search(request)
                var answer: [String: AttributeValue?] = [:]
                for try await hit in query.hits {
                    answer[hit.uniqueIdentifier] = hit.attributes["title"]
                }
                // Nobody takes changes: twenty hits come, and no more.
                for round in 0..<20 {
                    let first = 10 + 50 * round
                    try await index.index(Samples.documents(first..<first + 50))
                    try await withSearchClient(to: cluster.endpoint) { other in
                        let count = try await other.count(Self.query)
                        #expect(count > 0)
                    }
                }
                var changes = query.changes.makeAsyncIterator()
                try await Self.apply(&changes, to: &answer, upTo: try await Self.newest(client))
                let fresh = try await Self.fresh(client)
                #expect(answer == fresh)
            }
        }

        @Test("The command line prints what comes and goes, and an interrupt ends it with 0")
        func command() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 2) { cluster, client in
                let index = client.index()
                try await index.index(Samples.documents(0..<10))
                let (lines, code) = try await LiveProcess.with([
                    "search", Self.query, "--follow", "--timing", "--format", "ndjson", "--broker",
                    cluster.endpoint,
                ]) { process in
                    _ = await process.output.first { $0.contains("\"completion\"") ? true : nil }
                    try await index.index(Samples.documents(20..<21))
                    _ = await process.output.first { $0.contains("{\"added\"") ? true : nil }
                    try await index.delete(identifiers: [Samples.identifier(20)])
                    _ = await process.output.first { $0.contains("{\"removed\"") ? true : nil }
                    _ = await process.output.first {
                        $0.contains("{\"changes\"") && $0.contains("\"removed\":1") ? true : nil
                    }
                    process.signal(SIGINT)
                    await process.output.waitForEnd()
                    return process.output.lines
                }
                #expect(code == 0)
                let added = try #require(lines.first { $0.contains("{\"added\"") })
                let hit = try JSONValue(parsing: added)["added"]
                #expect(hit?["uniqueIdentifier"]?.string == Samples.identifier(20))
            }
        }

        @Test(
            "The command line refuses to follow what has no changes of its own",
            arguments: [
                ["--limit", "3"], ["--facet", "rating"], ["--deliver", "settled"],
            ])
        func refused(options: [String]) async throws {
            let run = try await Program.run(
                ["search", Self.query, "--follow"] + options, broker: "tcp://127.0.0.1:9")
            #expect(run.code == 2, "\(run.output)\(run.errors)")
            #expect(run.errors.contains("cannot be followed"), "\(run.errors)")
        }
    }
}
