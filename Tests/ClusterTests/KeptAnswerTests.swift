@testable import FresnelClient
import FresnelModel
import FresnelWire
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

        /// The identifiers that a query finds in no order, and in how many front-coded batches.
        private func identifiers(
            _ client: SearchClient, credit: Int
        ) async throws -> (all: [String], coded: Int, isKept: Bool) {
            var request = SearchRequest("title == \"common*\"c")
            request.delivery = .found
            request.sort = [try SortKey(parsing: "rating")]
            request.credit = credit
            let query = client.search(request)
            var (all, coded): ([String], Int) = ([], 0)
            while let batch = try await query.stream.next() {
                if case .frontCoded = batch { coded += 1 }
                all += try query.stream.hits(of: batch, withDomain: false)
                    .map(\.uniqueIdentifier)
            }
            return (all, coded, try await query.completion().isKept)
        }

        @Test(
            "All identifiers come once, front-coded, whatever the credit, and told again as well",
            arguments: [1, 2])
        func allIdentifiers(workers: Int) async throws {
            try await LiveCluster.withClient(workers: workers, shards: 2) { _, client in
                // Documents with a domain would have more than an identifier to tell.
                let documents = Samples.documents(0..<600).map { sample in
                    Document(
                        uniqueIdentifier: sample.uniqueIdentifier, attributes: sample.attributes)
                }
                try await client.index().index(documents)
                let expected = documents.map(\.uniqueIdentifier).sorted()
                for (credit, isKept) in [(7, false), (7, true), (150, true), (1000, true)] {
                    let answer = try await identifiers(client, credit: credit)
                    #expect(answer.all.sorted() == expected, "credit \(credit)")
                    #expect(answer.coded > 0, "credit \(credit)")
                    #expect(answer.isKept == isKept, "credit \(credit)")
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
