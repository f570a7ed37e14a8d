import FresnelModel
import FresnelWire
import Testing

@testable import FresnelClient

@Suite("Documents that are encoded at once")
struct PlainDocumentTests {
    /// Values of all types, of which each attribute takes some.
    private static let values: [AttributeValue] = [
        .string("Tea"), .string(""), .string("Tee ü"), .string("a..b"), .strings(["a", "", "b"]),
        .strings([]), .strings([""]), .number(3),
        .strings(Array(repeating: "x", count: Limits.elementsPerAttribute)),
        .strings(Array(repeating: "", count: Limits.elementsPerAttribute + 1)),
        .number(-0.0), .number(.nan), .number(.infinity), .number(1), .numbers([1, 2]),
        .date(Timestamp(wholeSeconds: 12)), .dates([Timestamp(wholeSeconds: 12)]), .bytes([1]),
        .localized(LocalizedString(defaultText: "a", variants: ["de": "b"])),
        .persons([Person(displayName: "N")]), .dictionary(["a": ["b"]]),
    ]
    private static let names = [
        "title", "keywords", "rating", "allDay", "contentCreationDate", "URL", "com_shop_note",
        "com_shop_code", "com_shop_price", "com_shop_day", "zz_last", "unknown_x", "contentType",
        "contentTypeTree", "relatedUniqueIdentifier", "domainIdentifier", "contentDescription",
        "importantDates", "kMDItemTitle", "providerDataTypeIdentifiers", "uniqueIdentifier",
        "com_shop_note\u{301}",
    ]
    /// Attributes that plain documents have, each with values that it takes.
    private static let plain: [(name: String, values: [AttributeValue])] = [
        ("title", [.string("Tea"), .string("Tee ü"), .string("")]),
        ("contentDescription", [.string("a long text of many words")]),
        ("URL", [.string("https://x.y/")]), ("rating", [.number(3), .number(-0.0), .number(-1.5)]),
        ("keywords", [.strings(["a", "", "b"]), .string("one"), .string(""), .strings([])]),
        ("allDay", [.number(1), .number(0), .number(-0.0)]),
        ("contentCreationDate", [.date(Timestamp(wholeSeconds: -5))]),
        ("com_shop_note", [.string("n")]),
        ("com_shop_code", [.string("x"), .strings(["x", "y"])]),
        ("com_shop_price", [.number(2.5)]), ("com_shop_day", [.date(Timestamp(wholeSeconds: 9))]),
        ("zz_last", [.number(1)]),
    ]

    @Test("are what checking them gives, and never a wrong one", arguments: 0..<8 as Range<UInt64>)
    func same(round: UInt64) throws {
        var text = SeededText(seed: 0xD0C &+ round)
        let schema = try PlainLineTests.schema()
        let types = PlainTypes(schema)
        var encoder = PlainDocumentEncoder()
        // How many documents of 0, 1, 2… attributes were compared.
        var counts = [Int](repeating: 0, count: 7)
        for _ in 0..<4000 {
            let document = Self.document(&text)
            guard let encoded = encoder.encode(document, types) else { continue }
            counts[document.attributes.count] += 1
            let (operation, keys) = try BatchOperation.index(document).prepared(in: schema)
            #expect(encoded.bytes == operation.body, "\(document)")
            #expect(encoded.uniqueIdentifier == document.uniqueIdentifier)
            #expect(keys.isEmpty)
            var (whole, atOnce) = (PutBuilder(WirePut()), PutBuilder(WirePut()))
            #expect(try whole.append(operation) && atOnce.append(encoded))
            #expect(whole.message == atOnce.message && whole.payload == atOnce.payload)
        }
        #expect(counts[0...4].allSatisfy { $0 > 50 }, "round \(round): \(counts)")
    }

    @Test("are the usual ones, with a domain, in any attribute of the schema")
    func usual() throws {
        var encoder = PlainDocumentEncoder()
        let document = Document(
            uniqueIdentifier: "a", domainIdentifier: "shop.tea",
            attributes: [
                "title": .string("Tea"), "keywords": .string("green"), "rating": .number(5),
                "com_shop_day": .date(Timestamp(wholeSeconds: 7)), "zz_last": .number(1),
            ])
        let types = PlainTypes(try PlainLineTests.schema())
        #expect(encoder.encode(document, types) != nil)
    }

    @Test("are not those that are too large, with too many attributes, or of no name")
    func limits() throws {
        var encoder = PlainDocumentEncoder()
        let keys = try (0...Limits.attributesPerDocument).map {
            try CustomAttributeKey("com_shop_k\($0)", .number)
        }
        let types = PlainTypes(try AttributeSchema(declaring: keys))
        var many = Document(uniqueIdentifier: "a")
        for key in keys { many.attributes[key.name] = .number(1) }
        #expect(encoder.encode(many, types) == nil)
        many.attributes["com_shop_k0"] = nil
        #expect(encoder.encode(many, types) != nil)
        let text = String(repeating: "x", count: Limits.documentBytes)
        let long = Document(uniqueIdentifier: "a", attributes: ["title": .string(text)])
        #expect(encoder.encode(long, types) == nil)
        #expect(encoder.encode(Document(uniqueIdentifier: ""), types) == nil)
        let name = String(repeating: "x", count: Limits.identifierBytes + 1)
        #expect(encoder.encode(Document(uniqueIdentifier: name), types) == nil)
    }

    private static func document(_ text: inout SeededText) -> Document {
        var document = Document(uniqueIdentifier: "d\(text.number(below: 100))")
        switch text.number(below: 12) {
        case 0: document.domainIdentifier = ""
        case 1: document.domainIdentifier = "shop..x"
        case 2, 3: document.domainIdentifier = "shop.a"
        case 4: document.kind = .activity
        case 5: document.expirationDate = Timestamp(wholeSeconds: 9)
        case 6: document.activity = ActivityDetails(activityType: "org.x")
        case 7: document.uniqueIdentifier = ""
        default: break
        }
        for _ in 0..<text.number(below: 6) {
            let usual = plain[text.number(below: plain.count)]
            document.attributes[usual.name] = usual.values[text.number(below: usual.values.count)]
        }
        if text.number(below: 4) == 0 {
            let name = names[text.number(below: names.count)]
            document.attributes[name] = values[text.number(below: values.count)]
        }
        return document
    }
}
