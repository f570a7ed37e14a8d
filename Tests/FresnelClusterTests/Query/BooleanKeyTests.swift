import FresnelModel
import FresnelQuery
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Boolean keys of answers")
struct BooleanKeyTests {
    private static func schema() throws -> AttributeSchema {
        try AttributeSchema(declaring: [
            CustomAttributeKey("inStock", .boolean), CustomAttributeKey("sold", .number),
            CustomAttributeKey("gift", .boolean),
            CustomAttributeKey("flags", .boolean, isMultiValued: true),
        ])
    }

    private func plan(_ search: WireSearch, _ schema: AttributeSchema) throws -> QueryPlan {
        try QueryPlan(
            search, shards: KeptAnswersTests.Asker().shards, schema: schema, at: moment(0))
    }

    @Test("Q-97: the names are those of Boolean keys that are returned or counted")
    func names() throws {
        let schema = try Self.schema()
        var search = search()
        #expect(try plan(search, schema).booleans == [])
        search.attributes = ["inStock", "sold", "title", "flags"]
        #expect(try plan(search, schema).booleans == ["inStock"])
        search.facets = [WireFacetRequest()]
        search.facets[0].attribute = "gift"
        #expect(try plan(search, schema).booleans == ["gift", "inStock"])
        search.attributes = []
        search.allAttributes = true
        let all = try plan(search, schema)
        #expect(all.booleans == ["gift", "inStock"] && all.warnings.isEmpty)
    }

    @Test("Q-97: names that do not fit are left out with a warning")
    func tooMany() throws {
        let keys = try (100..<400).map { number in
            try CustomAttributeKey("a\(number)" + String(repeating: "b", count: 100), .boolean)
        }
        var search = search()
        search.allAttributes = true
        let plan = try plan(search, AttributeSchema(declaring: keys))
        let bytes = plan.booleans.reduce(0) { $0 + $1.utf8.count + 3 }
        #expect(bytes <= Limits.booleanNameBytes && bytes > Limits.booleanNameBytes - 107)
        let warning = try #require(plan.warnings.first).message
        #expect(warning.hasPrefix("\(300 - plan.booleans.count) of 300 Boolean keys"))
    }

    @Test("Q-97: first hits and completion have the names, also of an answer told again")
    func told() throws {
        var asker = KeptAnswersTests.Asker()
        asker.schema = try Self.schema()
        var search = search()
        search.attributes = ["inStock"]
        for isKept in [false, true] {
            let messages = try asker.start(search)
            let found = messages.compactMap { message in
                if case .found(let found) = message.command { found.booleans } else { nil }
            }
            #expect(found.first == ["inStock"])
            #expect(found.dropFirst().allSatisfy { $0.isEmpty })
            guard case .done(let done)? = messages.last?.command else {
                Issue.record("no completion")
                return
            }
            #expect(done.booleans == ["inStock"] && done.kept == isKept)
        }
    }

    @Test(
        "W-26: of two clients that declare a key, one as Boolean, one as a number, both are taken",
        arguments: [AttributeType.number, .boolean], [AttributeType.number, .boolean, .string])
    func race(first: AttributeType, second: AttributeType) throws {
        var broker = BrokerHarness()
        broker.connect("w", 1, .worker)
        broker.connect("c", 2)
        for (number, type) in [first, second].enumerated() {
            var head = WirePut()
            head.index = "items"
            head.batchNumber = UInt64(number + 1)
            head.customKeys = [WireCustomKey(try CustomAttributeKey("inStock", type))]
            var builder = PutBuilder(head)
            _ = try builder.append(.index(Document(uniqueIdentifier: "\(number)")))
            broker.receive(
                .put(builder.message), request(UInt64(20 + number)), payload: builder.payload,
                from: address(2, .client, .data))
        }
        let refusals = broker.messages(to: address(2)).compactMap { message in
            if case .error(let failure) = message.command { failure.code } else { nil }
        }
        #expect(refusals == (second == .string ? [ErrorCode.keyMismatch.number] : []))
        let key = broker.core.state.index(named: "items")?.schema.customKeys["inStock"]
        #expect(key?.valueType == first)
    }
}
