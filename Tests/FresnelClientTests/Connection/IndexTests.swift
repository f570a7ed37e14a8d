import FresnelClient
import FresnelModel
import FresnelWire
import ZeroMQ
import Testing

@Suite("Indexing through a connection", .timeLimit(.minutes(1)))
struct IndexTests {
    func withBroker<Answer>(
        _ body: (SearchClient, IndexScript) async throws -> Answer
    ) async throws -> Answer {
        let script = IndexScript()
        let broker = try await FakeBroker.start(script)
        let answer = try await withSearchClient(to: broker.endpoint) { client in
            try await body(client, script)
        }
        try await broker.stop()
        return answer
    }

    func document(_ number: Int) -> Document {
        Document(
            uniqueIdentifier: "d\(number)",
            attributes: ["title": .string("x"), "com_x_number": .number(Double(number))])
    }

    @Test("A long call travels in batches within the limits, numbered in order")
    func batches() async throws {
        try await withBroker { client, script in
            let report = try await client.index().index((0..<2500).map(document))
            #expect(report.applied == 2500)
            #expect(report.refusals.isEmpty)
            let puts = script.state.withLock { $0.puts }
            #expect(puts.map(\.operations.count) == [1000, 1000, 500])
            #expect(puts.map(\.batchNumber) == [1, 2, 3])
            #expect(Set(puts.map { [$0.clientHigh, $0.clientLow] }).count == 1)
            // Until a batch that had it is acknowledged, which the call looks at in the end.
            #expect(puts.allSatisfy { $0.customKeys.map(\.name) == ["com_x_number"] })
        }
    }

    @Test("A key travels again after a batch that failed, and no more once one was acknowledged")
    func keysAfterFailure() async throws {
        try await withBroker { client, script in
            let index = client.index()
            script.state.withLock { $0.answered = 0 }
            await #expect(throws: SearchError.self) { try await index.index([document(1)]) }
            script.state.withLock { $0.answered = .max }
            // Encoded at once, as the handle knows the key by now.
            try await index.index([document(2)])
            try await index.index([document(3)])
            let keys = script.state.withLock { $0.puts.map { $0.customKeys.map(\.name) } }
            #expect(keys == [["com_x_number"], ["com_x_number"], []])
        }
    }

    @Test("Batches of several tasks on one handle leave in the order of their numbers")
    func concurrentCalls() async throws {
        try await withBroker { client, script in
            let index = client.index()
            try await withThrowingTaskGroup(of: Void.self) { group in
                for task in 0..<16 {
                    group.addTask {
                        for call in 0..<100 {
                            try await index.index([self.document(100 * task + call)])
                        }
                    }
                }
                try await group.waitForAll()
            }
            let numbers = script.state.withLock { $0.puts.map(\.batchNumber) }
            #expect(numbers == Array(1...1600))
        }
    }

    @Test("Every item has its own result, at its place in the call")
    func refusals() async throws {
        try await withBroker { client, script in
            script.state.withLock { $0.refused = ["d1200": -1001] }
            var documents = (0..<1300).map(document)
            documents[3].uniqueIdentifier = ""
            documents[7].attributes["com_x_number"] = .string("text")
            documents[9].attributes["textContent"] = .string(
                String(repeating: "x", count: Limits.documentBytes))
            let report = try await client.index().index(documents)
            #expect(report.refusals.map(\.position) == [3, 7, 9, 1200])
            #expect(report.refusals.allSatisfy { $0.error.code == .invalidItem })
            #expect(report.refusals.map(\.uniqueIdentifier) == ["", "d7", "d9", "d1200"])
            #expect(report.applied == 1296)
        }
    }

    @Test("Keys that the index has declared decide, and are not sent again")
    func declaredKeys() async throws {
        try await withBroker { client, script in
            let key = try CustomAttributeKey("com_x_number", .string)
            script.state.withLock { $0.customKeys = [WireCustomKey(key)] }
            let report = try await client.index().index([document(1)])
            #expect(report.refusals.map(\.position) == [0])
            #expect(script.state.withLock { $0.puts }.isEmpty)
        }
    }

    @Test("A batch commits with its state, and only if the stored state is the expected one")
    func clientState() async throws {
        try await withBroker { client, script in
            let index = client.index()
            let first = try await index.fetchLastClientState()
            #expect(first == nil)
            let state = try ClientState(Array("one".utf8))
            var batch = try await index.makeBatch()
            try batch.index(document(1))
            try batch.delete(identifier: "d0")
            let report = try await batch.end(clientState: state, expecting: ClientState([]))
            #expect(report.applied == 2)
            let stored = try await index.fetchLastClientState()
            #expect(stored == state)
            let empty = try await index.makeBatch()
            let error = await #expect(throws: SearchError.self) {
                try await empty.end(clientState: state, expecting: ClientState([1]))
            }
            #expect(error?.code == .mismatchedClientState)
            let nothing = try await empty.end(clientState: state, expecting: state)
            #expect(nothing.applied == 0)
            #expect(script.state.withLock { $0.puts.count } == 3)
        }
    }

    @Test("Deletions say how many documents went, and invalid ones are refused")
    func deletions() async throws {
        try await withBroker { client, script in
            let index = client.index()
            let byIdentifier = try await index.delete(identifiers: ["a", ""])
            #expect(byIdentifier.refusals.map(\.position) == [1])
            let byDomain = try await index.delete(domains: ["a.b", "a..b"])
            #expect(byDomain.refusals.map(\.position) == [1])
            try await index.delete(matching: .attribute("title").exactly("x"))
            try await index.deleteAll()
            let kinds = script.state.withLock { $0.puts.flatMap { $0.operations.map(\.kind) } }
            #expect(kinds == [.deleteIdentifier, .deleteDomain, .deleteQuery, .deleteAll])
        }
    }

    @Test("A batch with an operation refused for now is not committed", arguments: [304, 501, 502])
    func brokenBatch(code: Int32) async throws {
        try await withBroker { client, script in
            var batch = try await client.index().makeBatch()
            for number in 0..<1500 { try batch.index(document(number)) }
            script.state.withLock { $0.refused = ["d7": code] }
            let state = try ClientState(Array("one".utf8))
            let error = await #expect(throws: SearchError.self) {
                try await batch.end(clientState: state)
            }
            #expect(error?.isRetriable == true)
            #expect(script.state.withLock { $0.puts.count } == 1)
            #expect(script.state.withLock { $0.clientState } == nil)
            let report = try await batch.end(clientState: state)
            #expect(report.applied == 1500)
            #expect(script.state.withLock { $0.clientState } == state.bytes)
        }
    }

    @Test("A document that is refused for good does not keep the state from being committed")
    func refusedInBatch() async throws {
        try await withBroker { client, script in
            var batch = try await client.index().makeBatch()
            for number in 0..<1500 { try batch.index(document(number)) }
            script.state.withLock { $0.refused = ["d7": -1001] }
            let state = try ClientState(Array("one".utf8))
            let report = try await batch.end(clientState: state)
            #expect(report.refusals.map(\.position) == [7])
            #expect(script.state.withLock { $0.clientState } == state.bytes)
        }
    }
}
