import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Deletions by queries with warnings")
struct DeletionWarningTests {
    /// A cluster with one document, and a key that documents declared.
    private func broker() throws -> BrokerHarness {
        var broker = BrokerHarness(shards: 2)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        var (first, payload) = try put(batch: 1, ["a"])
        first.customKeys = [WireCustomKey(try CustomAttributeKey("com_shop_note", .string))]
        broker.receive(
            .put(first), request(1), payload: payload, from: address(2, .client, .data))
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        return broker
    }

    private func deletion(
        _ query: String, isMeant: Bool, declaring keys: [WireCustomKey] = []
    ) throws -> (WirePut, [UInt8]) {
        var head = try put(batch: 2, []).0
        head.customKeys = keys
        var builder = PutBuilder(head)
        _ = try builder.append(.deleteQuery(query))
        var put = builder.message
        put.acceptsWarnings = isMeant
        return (put, builder.payload)
    }

    @Test(
        "A deletion by a query with a warning is refused unless it is meant",
        arguments: [
            ("title == \"a\"", false, true), ("titel != \"zzz\"", false, false),
            ("titel != \"zzz\"", true, true), ("rating != \"five\"", false, false),
            ("rating != \"five\"", true, true), ("true && !(titel == \"a\")", false, false),
            ("com_shop_note == \"x\"", false, true), ("com_shop_not != \"x\"", false, false),
            ("title == ", true, false),
        ])
    func warning(query: String, isMeant: Bool, isTaken: Bool) throws {
        var broker = try broker()
        let (deletion, payload) = try deletion(query, isMeant: isMeant)
        broker.receive(
            .put(deletion), request(2), payload: payload, from: address(2, .client, .data))
        #expect(broker.takeParts(1).isEmpty == !isTaken)
        var failure: WireFailure?
        if case .error(let sent)? = broker.last(address(2))?.command { failure = sent }
        #expect((failure?.code == ErrorCode.invalidQuery.number) == !isTaken)
        guard !isTaken, !isMeant else { return }
        #expect(failure?.message.contains("nothing is deleted") == true)
        #expect(failure?.message.contains("(at byte ") == true)
    }

    @Test("A key that the batch itself declares is known to its queries")
    func declared() throws {
        var broker = try broker()
        let key = WireCustomKey(try CustomAttributeKey("com_shop_new", .number))
        let (deletion, payload) = try deletion(
            "com_shop_new > 3", isMeant: false, declaring: [key])
        broker.receive(
            .put(deletion), request(2), payload: payload, from: address(2, .client, .data))
        #expect(!broker.takeParts(1).isEmpty)
    }
}
