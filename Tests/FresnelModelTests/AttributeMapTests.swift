import Testing

@testable import FresnelModel

@Suite("Attributes by name")
struct AttributeMapTests {
    @Test("are what a dictionary holds, in the order of names, whatever is set and removed")
    func dictionary() {
        var state: UInt64 = 7
        func draw(_ count: UInt64) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int((state >> 33) % count)
        }
        var (map, dictionary) = (AttributeMap<Int>(), [String: Int]())
        for step in 0..<2000 {
            let name = ["a", "B", "title", "com_x_", "é"][draw(5)] + "\(draw(12))"
            let value: Int? = draw(3) == 0 ? nil : step
            map[name] = value
            dictionary[name] = value
            #expect(map[name] == dictionary[name] && map.count == dictionary.count)
        }
        #expect(map == AttributeMap(dictionary))
        #expect(Array(map.keys) == dictionary.keys.sorted())
        #expect(map.hashValue == AttributeMap(dictionary).hashValue)
        #expect(map.mapValues { $0 + 1 }["a1"] == dictionary["a1"].map { $0 + 1 })
        #expect(map.filter { $0.value % 2 == 0 }.count == dictionary.count { $0.value % 2 == 0 })
        #expect(map.compactMapValues { $0 > 1000 ? $0 : nil }.allSatisfy { $0.value > 1000 })
    }

    @Test("A name that only looks like a known one is stored as the known one")
    func equivalentName() throws {
        // U+212A, the sign of kelvin, is canonically equivalent to K.
        let document = Document(
            uniqueIdentifier: "a", attributes: ["contact\u{212A}eywords": .strings(["x"])])
        let stored = try DocumentValidation.normalised(document, schema: AttributeSchema())
        let name = try #require(stored.attributes.keys.first)
        #expect(name.hasSameBytes(as: "contactKeywords"))
    }
}
