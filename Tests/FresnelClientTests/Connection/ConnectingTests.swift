import FresnelClient
import FresnelModel
import FresnelWire
import Testing

@Suite("Connecting", .timeLimit(.minutes(1)))
struct ConnectingTests {
    @Test("Without a broker connecting fails and names the endpoint")
    func nobody() async throws {
        let endpoint = "ipc://@fresnel-nobody-\(UInt64.random(in: 0...UInt64.max))"
        let error = await #expect(throws: SearchError.self) {
            try await SearchClient.connect(to: endpoint, connectTimeout: .milliseconds(300))
        }
        #expect(error?.code == .indexUnreachable)
        #expect(error?.isRetriable == true)
        #expect(error?.message.contains(endpoint) ?? false, "\(error.map { "\($0)" } ?? "")")
    }

    @Test(
        "An endpoint that cannot be used is refused at once",
        arguments: ["tcp://192.0.2.1:7700", "tcp://example.com:1", "nonsense", "tcp://127.0.0.1"])
    func refused(endpoint: String) async throws {
        let error = await #expect(throws: SearchError.self) {
            try await SearchClient.connect(to: endpoint)
        }
        #expect(error?.code == .invalidArgument)
        #expect(error?.message.contains(endpoint) ?? false)
    }

    @Test("Closing ends what waits, with an error")
    func closing() async throws {
        let broker = try await FakeBroker.start(SilentScript())
        let client = try await SearchClient.connect(to: broker.endpoint)
        let query = client.search(SearchRequest("true"))
        await client.close()
        let error = await #expect(throws: SearchError.self) { try await query.completion() }
        #expect(error?.code == .remoteConnectionError)
        await #expect(throws: SearchError.self) { try await client.status() }
        try await broker.stop()
    }
}

/// Answers only the status that connecting asks for.
struct SilentScript: BrokerScript {
    func answers(to message: Message) -> [Message] {
        guard case .status = message.command else { return [] }
        return [Message(Envelope(id: message.envelope.id), .statusReply(WireStatusReply()))]
    }
}
