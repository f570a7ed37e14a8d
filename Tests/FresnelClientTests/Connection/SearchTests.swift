import FresnelClient
import FresnelModel
import ZeroMQ
import Testing

@Suite("Searching through a connection", .timeLimit(.minutes(1)))
struct SearchTests {
    /// Runs a test against a scripted broker.
    func withBroker<Answer>(
        hits: UInt64, _ body: (SearchClient, SearchScript) async throws -> Answer
    ) async throws -> Answer {
        let script = SearchScript(hitCount: hits)
        let broker = try await FakeBroker.start(script)
        let answer = try await withSearchClient(to: broker.endpoint) { client in
            try await body(client, script)
        }
        try await broker.stop()
        return answer
    }

    func request(credit: Int = 1000) -> SearchRequest {
        var request = SearchRequest(.everything("hit"))
        request.credit = credit
        return request
    }

    @Test("Every hit arrives once and in order, whatever the credit", arguments: [1, 3, 10, 1000])
    func allHits(credit: Int) async throws {
        try await withBroker(hits: 57) { client, script in
            let query = client.search(request(credit: credit))
            var identifiers: [String] = []
            for try await hit in query.hits { identifiers.append(hit.uniqueIdentifier) }
            #expect(identifiers == (0..<57).map { "hit-\($0)" })
            #expect(query.foundItemCount == 57)
            let completion = try await query.completion()
            #expect(completion.isComplete && completion.found == 57)
            #expect(completion.digest == script.digest)
            #expect(script.state.withLock { $0.largestGrant } <= UInt64(credit))
        }
    }

    @Test("Hits without an order come front-coded, as they are", arguments: [1, 3, 1000])
    func frontCoded(credit: Int) async throws {
        try await withBroker(hits: 57) { client, script in
            var request = request(credit: credit)
            request.delivery = .found
            let query = client.search(request)
            var hits: [Hit] = []
            for try await hit in query.hits { hits.append(hit) }
            #expect(script.state.withLock { $0.isFrontCoded })
            #expect(hits.map(\.uniqueIdentifier) == (0..<57).map { "hit-\($0)" })
            #expect(hits.allSatisfy { $0.index.text == "default" && $0.kind == .activity })
            #expect(hits.allSatisfy { $0.score == nil && $0.attributes.isEmpty })
            #expect(try await query.completion().isComplete)
        }
    }

    @Test("A task on the connection's own thread gets the same, query after query")
    func onTheThread() async throws {
        try await withBroker(hits: 57) { client, _ in
            try await withTaskExecutorPreference(client.taskExecutor) {
                for _ in 0..<10 {
                    let query = client.search(request(credit: 5))
                    var identifiers: [String] = []
                    for try await hit in query.hits { identifiers.append(hit.uniqueIdentifier) }
                    #expect(identifiers == (0..<57).map { "hit-\($0)" })
                    #expect(try await query.completion().isComplete)
                }
            }
        }
    }

    @Test("Hits have what was asked for")
    func hitContents() async throws {
        try await withBroker(hits: 1) { client, _ in
            var request = request()
            request.attributes = ["title", "domainIdentifier"]
            var hits: [Hit] = []
            for try await batch in client.search(request).batches { hits += batch }
            #expect(
                hits == [
                    Hit(
                        uniqueIdentifier: "hit-0", score: 0,
                        attributes: ["title": .string("Hit 0"), "domainIdentifier": .string("a.b")])
                ])
        }
    }

    @Test("The completion comes although nobody takes the hits")
    func completionAlone() async throws {
        try await withBroker(hits: 57) { client, _ in
            let query = client.search(request(credit: 5))
            let once = try await query.completion()
            let twice = try await query.completion()
            #expect(once.found == 57 && twice.found == 57)
            #expect(query.foundItemCount == 57)
        }
    }

    @Test("A consumer that stops taking hits stops the cluster within its window")
    func backPressure() async throws {
        try await withBroker(hits: 1000) { client, script in
            let query = client.search(request(credit: 8))
            var iterator = query.batches.makeAsyncIterator()
            let first = try await iterator.next()
            #expect(first?.count == 4)
            // A round trip later nothing more has been granted than one window beyond the first.
            _ = try await client.status()
            #expect(script.state.withLock { $0.sent } <= 12)
            query.cancel()
            let completion = try await query.completion()
            #expect(completion.status == .cancelled)
        }
    }

    @Test("Letting go of the hits cancels the search")
    func lettingGo() async throws {
        try await withBroker(hits: 1000) { client, script in
            let query = client.search(request(credit: 8))
            for try await _ in query.hits { break }
            var signals = script.cancelled.makeAsyncIterator()
            await signals.next()
            let completion = try await query.completion()
            #expect(completion.status == .cancelled)
        }
    }

    @Test("Letting go of the query cancels the search")
    func lettingGoOfQuery() async throws {
        try await withBroker(hits: 1000) { client, script in
            _ = client.search(request(credit: 8))
            var signals = script.cancelled.makeAsyncIterator()
            await signals.next()
            #expect(script.state.withLock { $0.wasCancelled })
        }
    }

    @Test("Cancelling the task cancels the search")
    func taskCancellation() async throws {
        try await withBroker(hits: 1000) { client, script in
            let query = client.search(request(credit: 8))
            let (started, starting) = AsyncStream<Void>.makeStream()
            try await withThrowingTaskGroup(of: SearchError?.self) { group in
                group.addTask {
                    do throws(SearchError) {
                        for try await _ in query.hits { starting.yield() }
                        return nil
                    } catch {
                        return error
                    }
                }
                var signals = started.makeAsyncIterator()
                await signals.next()
                group.cancelAll()
                // The hits that had arrived may still be taken, but the search has ended.
                _ = try await group.next()
            }
            let completion = try await query.completion()
            #expect(completion.status == .cancelled)
        }
    }

    @Test("Only the first sequence gets hits, the second an error")
    func oneConsumer() async throws {
        try await withBroker(hits: 3) { client, _ in
            let query = client.search(request())
            var first = query.hits.makeAsyncIterator()
            var second = query.batches.makeAsyncIterator()
            let hit = try await first.next()
            #expect(hit != nil)
            await #expect(throws: SearchError.self) { try await second.next() }
        }
    }

    @Test("A query that the broker refuses ends with its error and position")
    func refused() async throws {
        try await withBroker(hits: 3) { client, _ in
            let query = client.search(SearchRequest("broken"))
            let error = await #expect(throws: SearchError.self) { try await query.completion() }
            #expect(error?.code == .invalidQuery)
            #expect(error?.offset == 3)
            #expect(error?.hint == "write it well")
        }
    }

    @Test("A request that is not valid ends with an error and is not sent")
    func invalid() async throws {
        try await withBroker(hits: 3) { client, script in
            let query = client.search(SearchRequest(""))
            await #expect(throws: SearchError.self) {
                for try await _ in query.hits {}
            }
            #expect(script.state.withLock { $0.sent } == 0)
        }
    }

    @Test("Get returns documents, and count a number")
    func conveniences() async throws {
        try await withBroker(hits: 2) { client, _ in
            let documents = try await client.get(["hit-1", "nobody", "hit-0", "hit-1"])
            #expect(documents.map(\.uniqueIdentifier) == ["hit-1", "hit-0"])
            #expect(documents.first?.domainIdentifier == "a.b")
            let count = try await client.count(.all)
            #expect(count == 2)
        }
    }

    @Test("Get returns both spellings of a text that are different bytes, in the order asked")
    func spellings() async throws {
        let (composed, decomposed) = ("caf\u{E9}", "cafe\u{301}")
        let script = SearchScript(hitCount: 2, names: [decomposed, composed])
        let broker = try await FakeBroker.start(script)
        let asked = [composed, decomposed, composed]
        let found = try await withSearchClient(to: broker.endpoint) { client in
            try await client.get(asked).map { Array($0.uniqueIdentifier.utf8) }
        }
        try await broker.stop()
        #expect(found == [Array(composed.utf8), Array(decomposed.utf8)])
    }
}
