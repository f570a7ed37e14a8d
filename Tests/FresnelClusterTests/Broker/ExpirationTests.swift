import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

/// When documents expire that name no date: what an index is made with, it keeps.
@Suite("Expiration of indexes")
struct ExpirationTests {
    private func put(
        _ expiration: Double?, batch: UInt64, to broker: inout BrokerHarness
    ) throws {
        var head = WirePut()
        head.index = "shop"
        head.batchNumber = batch
        if let expiration { head.expirationSeconds = expiration }
        var builder = PutBuilder(head)
        _ = try builder.append(.index(Document(uniqueIdentifier: "a")))
        broker.receive(
            .put(builder.message), request(UInt64(20 + batch)), payload: builder.payload,
            from: address(2, .client, .data))
    }

    private func broker() -> BrokerHarness {
        var broker = BrokerHarness()
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        return broker
    }

    private func refusal(by broker: BrokerHarness) -> WireFailure? {
        guard case .error(let failure)? = broker.sent.last?.message.command else { return nil }
        return failure
    }

    @Test(
        "W-22: nothing expires unless somebody says so",
        arguments: [(nil, nil), (0, nil), (60, 60), (2_592_000, 2_592_000)] as [(Double?, Double?)])
    func made(asked: Double?, stored: Double?) throws {
        var broker = broker()
        try put(asked, batch: 1, to: &broker)
        let index = try #require(broker.core.state.index(named: "shop"))
        #expect(index.defaultExpirationSeconds == stored)
        let assign = broker.messages(to: address(1, .worker)).compactMap { message in
            if case .assign(let assign) = message.command { assign.indexes.first } else { nil }
        }.last
        #expect(assign?.defaultExpirationSeconds == stored ?? 0)
    }

    @Test(
        "W-22: who names another expiration than the index has is refused, and nothing changes",
        arguments: [(60, 0), (0, 60), (60, 61), (nil, 60)] as [(Double?, Double)])
    func another(made: Double?, asked: Double) throws {
        var broker = broker()
        try put(made, batch: 1, to: &broker)
        let before = broker.core.state
        try put(asked, batch: 2, to: &broker)
        #expect(refusal(by: broker)?.code == ErrorCode.indexExists.number)
        #expect(broker.core.state == before)
        // The same one, or none, is taken.
        let count = broker.sent.count
        for (batch, expiration) in [(3, made), (4, nil)] as [(UInt64, Double?)] {
            try put(expiration, batch: batch, to: &broker)
        }
        let verbs = broker.sent.dropFirst(count).map(\.message.verb)
        #expect(!verbs.contains(.error), "\(verbs)")
    }

    @Test(
        "W-22: an expiration that is none makes no index", arguments: [-1, .nan, .infinity, 1e300])
    func wrong(asked: Double) throws {
        var broker = broker()
        try put(asked, batch: 1, to: &broker)
        #expect(refusal(by: broker)?.code == ErrorCode.invalidArgument.number)
        #expect(broker.core.state.indexes.isEmpty)
    }
}
