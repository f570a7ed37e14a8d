import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Custom keys in parts")
struct CustomKeyPartTests {
    @Test("travel with every later part, though only one batch declared them")
    func everyPart() throws {
        var broker = BrokerHarness(shards: 2)
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        let (declaring, payload) = try put(batch: 1, ["a", "b", "c", "d", "e"])
        var first = declaring
        first.customKeys = [WireCustomKey(try CustomAttributeKey("com_shop_note", .string))]
        broker.receive(
            .put(first), request(1), payload: payload, from: address(2, .client, .data))
        broker.host(1)
        for part in broker.takeParts(1) { broker.answer(part, from: 1) }
        try broker.put(2, batch: 2)
        let keys = broker.takeParts(1).map { message -> [String] in
            guard case .putPart(let part) = message.command else { return [] }
            return part.customKeys.map(\.name)
        }
        #expect(keys == [["com_shop_note"], ["com_shop_note"]])
    }
}
