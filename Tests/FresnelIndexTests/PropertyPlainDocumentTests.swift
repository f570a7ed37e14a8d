import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@Suite("Documents that are indexed from their encoding")
struct PropertyPlainDocumentTests {
    @Test("give the segment that their decoded values give", arguments: 0..<12)
    func sameSegment(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(4000 + round)
        var chance = MatchingChance(seed: seed)
        var schema = try MatchingChance.schema()
        // It hides behind the identifier itself, which is what is searched.
        try schema.declare(CustomAttributeKey("uniqueIdentifier", .string))
        let types = PlainTypes(schema)
        var decoded: [IncomingDocument] = []
        var mixed: [IncomingDocument] = []
        for number in 0..<80 {
            var sent = Self.document("d\(number % 60)", &chance)
            if chance.chance(0.1) { sent.attributes["uniqueIdentifier"] = .string("d\(number)") }
            let document = try DocumentValidation.normalised(sent, schema: schema)
            let encoded = DocumentCoding.encode(document)
            decoded.append(
                IncomingDocument(encoded: encoded, document: document, createdSequence: 1))
            // It stands among other bytes, as in the payload of a part.
            let bytes = [0xFF, 0xFE] + encoded + [0xFD]
            let place = 2..<bytes.count - 1
            guard let plain = PlainDocument(bytes.span, in: place, types) else {
                mixed.append(decoded[number])
                continue
            }
            mixed.append(
                IncomingDocument(
                    .plain(plain, bytes, place), createdSequence: 1, expiration: .infinity))
        }
        let plainCount = mixed.count { if case .plain = $0.form { true } else { false } }
        #expect((20..<80).contains(plainCount), "seed \(seed)")
        let expected = try SegmentBuilder.build(documents: decoded).bytes
        let found = try SegmentBuilder.build(documents: mixed).bytes
        #expect(found == expected, "seed \(seed)")
    }

    @Test("are what decoding, checking and encoding give back", arguments: 0..<8)
    func damaged(round: Int) throws {
        let seed = PropertyMatchingTests.seed &+ UInt64(5000 + round)
        var chance = MatchingChance(seed: seed)
        let schema = try MatchingChance.schema()
        let types = PlainTypes(schema)
        var plainCount = 0
        for number in 0..<400 {
            let document = Self.document("d\(number)", &chance)
            var bytes = DocumentCoding.encode(document)
            for _ in 0..<chance.below(3) {
                let place = chance.below(bytes.count)
                switch chance.below(4) {
                case 0: bytes[place] = UInt8(chance.below(256))
                case 1: bytes[place] ^= 1 << UInt8(chance.below(8))
                case 2: bytes.insert(0x80, at: place)
                default: bytes.remove(at: place)
                }
                if bytes.isEmpty { bytes = [1] }
            }
            guard let plain = PlainDocument(bytes.span, in: 0..<bytes.count, types) else {
                continue
            }
            plainCount += 1
            let read = try DocumentCoding.decode(bytes)
            #expect(DocumentCoding.encode(read) == bytes, "seed \(seed) document \(number)")
            #expect(Array(read.uniqueIdentifier.utf8) == Array(bytes[plain.identifier]))
            let normal = try DocumentValidation.normalised(read, schema: schema)
            #expect(DocumentCoding.encode(normal) == bytes, "seed \(seed) document \(number)")
            #expect(!read.isRoutedByRelation && read.expirationDate == nil)
        }
        #expect(plainCount > 80, "seed \(seed)")
    }

    @Test("are never those that need more than a look")
    func others() throws {
        var schema = try MatchingChance.schema()
        try schema.declare(CustomAttributeKey("uniqueIdentifier", .string))
        let types = PlainTypes(schema)
        func isPlain(_ change: (inout Document) -> Void) -> Bool {
            var document = Document(uniqueIdentifier: "d", attributes: ["title": .string("t")])
            change(&document)
            let bytes = DocumentCoding.encode(document)
            return PlainDocument(bytes.span, in: 0..<bytes.count, types) != nil
        }
        #expect(isPlain { _ in })
        #expect(isPlain { $0.domainIdentifier = "shop.a" })
        #expect(!isPlain { $0.domainIdentifier = "shop..a" })
        #expect(!isPlain { $0.domainIdentifier = "" })
        #expect(!isPlain { $0.uniqueIdentifier = "" })
        #expect(!isPlain { $0.uniqueIdentifier = String(repeating: "i", count: 513) })
        #expect(!isPlain { $0.expirationDate = Timestamp(wholeSeconds: 1) })
        #expect(!isPlain { $0.kind = .activity })
        #expect(!isPlain { $0.attributes["relatedUniqueIdentifier"] = .string("other") })
        #expect(!isPlain { $0.attributes["contentType"] = .string("public.jpeg") })
        #expect(!isPlain { $0.attributes["domainIdentifier"] = .string("shop") })
        #expect(!isPlain { $0.attributes["uniqueIdentifier"] = .string("other") })
        #expect(!isPlain { $0.attributes["com_shop_unknown"] = .string("x") })
        #expect(!isPlain { $0.attributes["com_shop_price"] = .string("1") })
        #expect(!isPlain { $0.attributes["rating"] = .number(-0.0) })
        #expect(!isPlain { $0.attributes["allDay"] = .number(2) })
        #expect(isPlain { $0.attributes["allDay"] = .number(1) })
        #expect(!isPlain { $0.attributes["title"] = .string("") })
        #expect(!isPlain { $0.attributes["keywords"] = .strings([]) })
        #expect(!isPlain { $0.attributes["keywords"] = .strings(["a", ""]) })
        #expect(!isPlain { $0.attributes["keywords"] = .string("a") })
    }

    /// Mostly one that could be plain.
    private static func document(
        _ identifier: String, _ chance: inout MatchingChance
    ) -> Document {
        var document = chance.document(identifier)
        guard chance.chance(0.7) else { return document }
        document.kind = .product
        document.activity = nil
        for name in [
            "contentType", "authors", "comment", "HTMLContentData", "importantDates",
            "com_shop_prices",
        ] { document.attributes[name] = nil }
        return document
    }
}
