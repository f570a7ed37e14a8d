import FresnelClient
import FresnelModel
import Testing

extension Clusters {
    /// What a broker tells again, as clients of a real cluster see it.
    @Suite("Kept answers")
    struct KeptAnswerTests {
        private func ask(_ client: SearchClient, _ query: String = "title == \"common*\"c")
            async throws -> Taken
        {
            var request = SearchRequest(query)
            request.limit = 10
            return try await Taken(client.search(request))
        }

        @Test("The same query is told again until something is written, with the same hits")
        func again() async throws {
            try await LiveCluster.withClient(workers: 2, shards: 4, replicas: 2) {
                cluster, client in
                try await client.index().index(Samples.documents(0..<60))
                let first = try await ask(client)
                let second = try await ask(client)
                #expect(!first.completion.isKept && second.completion.isKept)
                #expect(first.completion.digest == second.completion.digest)
                #expect(first.hits.map(\.uniqueIdentifier) == second.hits.map(\.uniqueIdentifier))
                #expect(second.completion.next != nil)
                // A page behind a kept one is the page behind the one that was asked.
                var page = SearchRequest("title == \"common*\"c")
                page.limit = 10
                page.after = second.completion.next
                let behind = try await Taken(client.search(page))
                #expect(behind.hits.count == 10 && !behind.completion.isKept)
                try await client.index().index(Samples.documents(60..<61))
                let third = try await ask(client)
                #expect(!third.completion.isKept && third.completion.found == 61)
                #expect(try await ask(client).completion.isKept)
                let counters = try await client.status().counters
                #expect(counters["keptAnswers"] == 2)
            }
        }

        @Test(
            "All identifiers come once, front-coded, whatever the credit, and told again as well",
            arguments: [1, 2])
        func identifiers(workers: Int) async throws {
            try await LiveCluster.withClient(workers: workers, shards: 2) { _, client in
                try await client.index().index(Samples.documents(0..<600))
                let expected = Samples.documents(0..<600).map(\.uniqueIdentifier).sorted()
                for (credit, isKept) in [(7, false), (150, false), (1000, false), (1000, true)] {
                    var request = SearchRequest("title == \"common*\"c")
                    request.delivery = .found
                    request.sort = [try SortKey(parsing: "rating")]
                    request.credit = credit
                    let taken = try await Taken(client.search(request))
                    let identifiers = taken.hits.map(\.uniqueIdentifier).sorted()
                    #expect(identifiers == expected, "credit \(credit)")
                    #expect(taken.completion.isComplete && taken.completion.isKept == isKept)
                }
            }
        }

        @Test("A broker that shall keep nothing asks every time")
        func off() async throws {
            let variables = LiveCluster.keepingNoAnswers
            try await LiveCluster.withClient(workers: 1, shards: 1, variables: variables) {
                _, client in
                try await client.index().index(Samples.documents(0..<20))
                _ = try await ask(client)
                #expect(try await !ask(client).completion.isKept)
            }
        }
    }
}
