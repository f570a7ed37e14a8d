import FresnelClient
import FresnelModel
import Testing

/// Hits are compared with the digest that their completion names.
@Suite("The digest of hits that were taken", .timeLimit(.minutes(1)))
struct OrderTests {
    /// Runs a test against a broker that names a digest of its own.
    private func withBroker(
        naming digest: String?, hits: UInt64 = 57,
        _ body: (SearchClient, SearchScript) async throws -> Void
    ) async throws {
        let script = SearchScript(hitCount: hits, forgedDigest: digest)
        let broker = try await FakeBroker.start(script)
        try await withSearchClient(to: broker.endpoint) { try await body($0, script) }
        try await broker.stop()
    }

    private func request(credit: Int = 5) -> SearchRequest {
        var request = SearchRequest(.everything("hit"))
        request.credit = credit
        return request
    }

    @Test("Hits that are not the completion's end in an error that tells both digests")
    func another() async throws {
        let named = String(repeating: "7", count: 32)
        try await withBroker(naming: named) { client, script in
            let query = client.search(request())
            var count = 0
            let error = await #expect(throws: SearchError.self) {
                for try await _ in query.hits { count += 1 }
            }
            #expect(count == 57, "all were handed out before")
            #expect(error?.code == .malformedMessage)
            #expect(error?.orderMismatch == OrderMismatch(named: named, taken: script.digest))
            #expect(
                error?.message
                    == "the completion names digest \(named), and the hits that came have "
                    + script.digest)
            // The completion itself came, and says what it says.
            let completion = try await query.completion()
            #expect(completion.digest == named)
            // What fetches documents takes hits as well.
            let other = await #expect(throws: SearchError.self) { try await client.get(["hit-1"]) }
            #expect(other?.orderMismatch != nil)
        }
    }

    @Test("An answer without hits has the digest of nothing")
    func nothing() async throws {
        let zeros = String(repeating: "0", count: 32)
        try await withBroker(naming: nil, hits: 0) { client, script in
            #expect(script.digest == zeros)
            for try await _ in client.search(request()).hits {}
        }
        try await withBroker(naming: zeros, hits: 1) { client, _ in
            await #expect(throws: SearchError.self) {
                for try await _ in client.search(request()).batches {}
            }
        }
    }

    @Test("An answer without an order names none, and is not compared")
    func unordered() async throws {
        try await withBroker(naming: "") { client, _ in
            var count = 0
            for try await batch in client.search(request()).batches { count += batch.count }
            #expect(count == 57)
        }
    }

    @Test("What was not taken whole is not compared")
    func parts() async throws {
        try await withBroker(naming: "7", hits: 1000) { client, _ in
            // Nobody takes hits.
            let alone = try await client.search(request()).completion()
            #expect(alone.digest == "7")
            // Some are taken, and the search is cancelled.
            let query = client.search(request(credit: 8))
            var iterator = query.batches.makeAsyncIterator()
            _ = try await iterator.next()
            query.cancel()
            while try await iterator.next() != nil {}
            let completion = try await query.completion()
            #expect(completion.status == .cancelled)
        }
    }
}
