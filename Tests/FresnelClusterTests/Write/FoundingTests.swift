import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("What makes an index")
struct FoundingTests {
    private static let document = BatchOperation.index(Document(uniqueIdentifier: "a"))
    private static let part: BatchOperation = {
        var document = Document(uniqueIdentifier: "b")
        document.attributes["relatedUniqueIdentifier"] = .string("a")
        return .index(document)
    }()
    private static let patch = BatchOperation.update(DocumentPatch(uniqueIdentifier: "a"))
    private static let deletion = BatchOperation.deleteIdentifier("a")

    @Test(
        "Whole documents make one, and what is said before the first; a slip and refused ones none",
        arguments: [
            ([document], nil, true), ([part, document], nil, true), ([document], "s", true),
            ([], "s", true), ([deletion], "s", true), ([deletion, patch], "s", true),
            ([deletion], nil, false), ([patch], nil, false), ([patch], "s", false),
            ([part], nil, false), ([part, patch], "s", false), ([part, deletion], nil, false),
        ] as [([BatchOperation], String?, Bool)])
    func founding(operations: [BatchOperation], state: String?, isMade: Bool) throws {
        var broker = try BrokerHarness.serving()
        var head = WirePut()
        head.index = "itmes"
        head.batchNumber = 1
        if let state { head.clientStateBytes = Array(state.utf8) }
        var builder = PutBuilder(head)
        for operation in operations { _ = try builder.append(operation) }
        broker.receive(
            .put(builder.message), request(9), payload: builder.payload,
            from: address(2, .client, .data))
        let refusals = broker.sent.compactMap { sent -> UInt32? in
            guard case .error(let failure) = sent.message.command else { return nil }
            return UInt32(bitPattern: failure.code)
        }
        #expect(refusals == (isMade ? [] : [UInt32(bitPattern: ErrorCode.unknownIndex.number)]))
        #expect(broker.core.state.indexes.map(\.name).contains("itmes") == isMade)
    }
}
