import FresnelClient
import FresnelJSON
import Testing

extension Clusters {
    /// One index in 1, 3 and 8 shards, on 1, 2 and 3 workers.
    @Suite("The same answer everywhere", .tags(.slow))
    struct SameAnswerTests {
        /// Searches in every order that there is, with and without scores and limits.
        private static let searches: [[String]] = [
            ["** == \"apple\"cdw"], ["** == \"apple\"cdw || title == \"*a*\"c", "--limit", "7"],
            ["title == \"*\"", "--sort", "title"],
            ["title == \"*\"", "--sort", "-rating,relevance,title", "--limit", "30"],
            ["title == \"*\"", "--sort=-keywords,contentCreationDate"],
            ["keywords == \"*e*\"cd", "--filter", "rating >= 3", "--deliver", "final"],
            ["rating >= 2 && !(title == \"*b*\"c)", "--sort", "nosuch,-title", "--limit", "9"],
            ["** == \"a*\"cd", "--facet", "keywords:5,rating", "--limit", "3"],
            ["uniqueIdentifier == \"*\"", "--sort=-contentCreationDate,rating"],
        ]

        /// What an answer says of itself and its hits, without times and places.
        private struct Said: Equatable {
            let hits: [String]
            let digest: String?
            let facets: String?
            let counts: [Int64?]

            init(_ answer: Answer) {
                hits = answer.hits.map { $0.serialized() }
                digest = answer.completion["digest"]?.string
                facets = answer.completion["facets"]?.serialized()
                counts = ["found", "searched", "owned", "delivered"].map {
                    answer.completion[$0]?.integer
                }
            }
        }

        private static func ask(_ cluster: LiveCluster) async throws -> [Said] {
            var said: [Said] = []
            for search in searches {
                let flags = [
                    "--attributes", "title,rating", "--json", "--now", "2026-11-20T00:00Z",
                ]
                let run = try await cluster.run(["search"] + search + flags)
                #expect(run.code == 0, "\(search): \(run.errors)")
                said.append(Said(try Answer(run)))
            }
            return said
        }

        @Test("Keys, scores, order digest and facets are those of one shard, also after restarts")
        func shards() async throws {
            var answers: [[Said]] = []
            for (workers, shards) in [(1, 1), (2, 3), (3, 8)] {
                let (before, after) = try await LiveCluster.withClient(
                    workers: workers, shards: shards
                ) { cluster, client in
                    let run = try await cluster.run(["index"] + Project.catalogues)
                    #expect(run.code == 0, "\(run.errors)")
                    let deleted = try await cluster.run(
                        ["delete", "--query", "title == \"*berry*\"c"])
                    #expect(deleted.code == 0, "\(deleted.errors)")
                    let before = try await Self.ask(cluster)
                    try await cluster.replace("worker-1", client)
                    return (before, try await Self.ask(cluster))
                }
                #expect(before == after, "\(shards) shards: a restart changes nothing")
                answers.append(before)
            }
            for (number, search) in Self.searches.enumerated() {
                #expect(answers[0][number].hits.count > 1, "\(search) proves nothing")
                #expect(answers[1][number] == answers[0][number], "\(search), 3 shards")
                #expect(answers[2][number] == answers[0][number], "\(search), 8 shards")
            }
        }

        @Test("A page goes on exactly, though its worker starts again and writes go on")
        func pages() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 3) { cluster, client in
                try await client.index().index(Samples.documents(0..<90))
                var request = SearchRequest("title == \"common*\"c")
                request.sort = [SortKey(.attribute("rating"), isAscending: false)]
                let whole = try await Taken(client.search(request)).identifiers
                request.limit = 25
                var found: [String] = []
                for round in 0..<4 {
                    let page = try await Taken(client.search(request))
                    found += page.identifiers
                    #expect(page.completion.found == 90 && page.completion.isComplete)
                    // What comes, goes and changes is not part of the answer.
                    try await client.index().index(
                        Samples.documents(round * 100 + 200..<round * 100 + 230))
                    try await client.index().delete(
                        identifiers: whole.suffix(from: round * 20).prefix(9).map(\.self))
                    try await cluster.replace("worker-\(round % 2 + 1)", client)
                    guard let next = page.completion.next else { break }
                    request.after = next
                }
                #expect(found == whole)
            }
        }

        @Test("Remembered statistics give the same scores, and are asked for again after a write")
        func statistics() async throws {
            try await LiveCluster.withClient(
                workers: 2, shards: 3, variables: LiveCluster.keepingNoAnswers
            ) { cluster, client in
                let run = try await cluster.run(["index"] + Project.catalogues)
                #expect(run.code == 0, "\(run.errors)")
                let request = SearchRequest("** == \"apple\"cdw || keywords == \"fruit\"")
                func ask() async throws -> (String, [Double?], String) {
                    let taken = try await Taken(client.search(request))
                    return (
                        taken.completion.statistics.rawValue, taken.hits.map(\.score),
                        taken.completion.digest
                    )
                }
                let first = try await ask()
                let second = try await ask()
                #expect(first.0 == "asked" && second.0 == "cached")
                #expect(first.1 == second.1 && first.2 == second.2 && !first.1.isEmpty)
                try await client.index().index([
                    Document(
                        uniqueIdentifier: "one more", attributes: ["title": .string("Apple pie")])
                ])
                let third = try await ask()
                let fourth = try await ask()
                #expect(third.0 == "asked" && fourth.0 == "cached")
                #expect(third.1 == fourth.1 && third.2 == fourth.2)
                #expect(third.1.count == first.1.count + 1 && third.2 != first.2)
                try await cluster.replace("worker-2", client)
                let fifth = try await ask()
                #expect(fifth.1 == fourth.1 && fifth.2 == fourth.2)
            }
        }
    }
}
