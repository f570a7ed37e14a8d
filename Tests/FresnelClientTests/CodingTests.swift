import Foundation
import FresnelClient
import FresnelModel
import Testing

@Suite("Swift values as documents")
struct CodingTests {
    enum Shelf: String, Codable { case cellar, window }

    struct Size: Codable, Equatable { var width: Double, height: Double? }

    struct Product: Codable, Equatable {
        var id: String
        var title: String
        var price: Decimal
        var stock: Int
        var isFresh: Bool
        var tags: [String]
        var sizes: [Double]
        var since: Date
        var page: URL
        var picture: Data
        var shelf: Shelf
        var size: Size
        var origin: String?
        var notes: [String: String]
    }

    private static let product = Product(
        id: "apple", title: "Äpfel & co", price: Decimal(9.99), stock: 12, isFresh: true,
        tags: ["fruit", "red"], sizes: [1, 2.5], since: Date(timeIntervalSinceReferenceDate: 77),
        page: URL(filePath: "/apple"), picture: Data([0, 255]), shelf: .window,
        size: Size(width: 3, height: nil), origin: nil, notes: ["de": "sauer"])

    private func hit(_ document: Document) -> Hit {
        Hit(uniqueIdentifier: document.uniqueIdentifier, attributes: document.attributes)
    }

    @Test("Fields are attributes, and come back as they were")
    func roundTrip() throws {
        let document = try Document(encoding: Self.product, domainIdentifier: "shop")
        #expect(document.uniqueIdentifier == "apple" && document.domainIdentifier == "shop")
        let expected: AttributeMap<AttributeValue> = [
            "title": "Äpfel & co", "price": 9.99, "stock": 12, "isFresh": true,
            "tags": ["fruit", "red"], "sizes": [1, 2.5],
            "since": .date(Timestamp(wholeSeconds: 77)), "page": "file:///apple",
            "picture": .bytes([0, 255]), "shelf": "window", "size.width": 3, "notes.de": "sauer",
        ]
        #expect(document.attributes == expected)
        #expect(try document.decode(Product.self) == Self.product)
        #expect(try hit(document).decode(Product.self) == Self.product)
    }

    @Test("What a document may hold, an index takes")
    func valid() throws {
        var schema = AttributeSchema()
        let document = try Document(encoding: Self.product)
        _ = try schema.declareMissing(for: document)
        try DocumentValidation.validate(document, schema: schema)
    }

    @Test("Absent lists are empty, a single value is a list of one, whole numbers may be names")
    func absence() throws {
        struct Small: Codable, Equatable { var id: Int, tags: [String], marks: [Int] }
        let small = Small(id: 17, tags: [], marks: [1])
        let document = try Document(encoding: small)
        #expect(document.uniqueIdentifier == "17")
        let stored = try #require(AttributeValue.number(1).normalised(for: .number))
        let hit = Hit(uniqueIdentifier: "17", attributes: ["marks": stored])
        #expect(try hit.decode(Small.self) == small)
    }

    @Test("Dictionaries come back as they were, and identifiers have all their digits")
    func nesting() throws {
        struct Deep: Codable, Equatable {
            var id: Int64
            var levels: [String: [String: Double]]
            var sizes: [String: Size]
        }
        let deep = Deep(
            id: .max, levels: ["a": ["x": 1, "y": 2], "b": ["x": 3]],
            sizes: ["box": Size(width: 1, height: 2), "lid": Size(width: 1, height: nil)])
        let document = try Document(encoding: deep)
        #expect(document.uniqueIdentifier == "9223372036854775807")
        #expect(document.attributes["levels.a.y"] == 2)
        #expect(try hit(document).decode(Deep.self) == deep)
    }

    struct Wide: Codable { var id = "x", number = Int64.max }
    struct Endless: Codable { var id = "x", size = ["deep": Double.infinity] }
    struct Mixed: Encodable {
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode("x", forKey: Key("id"))
            var list = fields.nestedUnkeyedContainer(forKey: Key("list"))
            try list.encode(1)
            try list.encode("one")
        }
    }
    struct Twice: Encodable {
        func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            try fields.encode("x", forKey: Key("id"))
            try fields.encode(["b": 1], forKey: Key("a"))
            try fields.encode(2, forKey: Key("a.b"))
        }
    }
    struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(_ text: String) { stringValue = text }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }

    @Test("What cannot be an attribute is refused with the way to it")
    func refusals() {
        func message(_ value: some Encodable) -> String {
            do throws(SearchError) {
                return "\(try Document(encoding: value).attributes)"
            } catch {
                #expect(error.code == .invalidItem)
                return error.message
            }
        }
        #expect(message(Wide()).hasPrefix("Wide, number: 9223372036854775807 has more than"))
        #expect(message(Endless()).hasPrefix("Endless, size.deep: inf is no finite"))
        #expect(message(Mixed()).hasPrefix("Mixed, list: a list of an attribute has values of"))
        #expect(message(Twice()).hasPrefix("Twice, a.b: another field is called a.b"))
        #expect(message(["title": "x"]).contains("has no identifier"))
        #expect(message("x").contains("has no identifier"))
        #expect(message(["id": ["a": [Size(width: 1, height: 2)]]]).contains("id.a: element 0"))
    }

    @Test("What cannot be read is refused with the document and the way to it")
    func unreadable() throws {
        var document = try Document(encoding: Self.product)
        func message() -> String {
            do throws(SearchError) {
                return "\(try hit(document).decode(Product.self))"
            } catch {
                return error.message
            }
        }
        document.attributes["stock"] = 1.5
        #expect(message().hasPrefix("document \"apple\", stock: 1.5 is no Int"))
        document.attributes["stock"] = nil
        #expect(message().hasPrefix("document \"apple\", stock: it is absent; ask for it"))
        document.attributes["stock"] = 1
        document.attributes["shelf"] = "roof"
        #expect(message().hasPrefix("document \"apple\", shelf: "))
        document.attributes["shelf"] = "cellar"
        document.attributes["tags"] = .numbers([1, 2])
        #expect(message().hasPrefix("document \"apple\", tags: 1"))
    }

    @Test("A list of many elements takes time in proportion")
    func longList() throws {
        struct Long: Codable { var id = "x", values: [Double] }
        let document = try Document(encoding: Long(values: (0..<50_000).map(Double.init)))
        #expect(document.attributes["values"]?.elementCount == 50_000)
        #expect(try document.decode(Long.self).values.last == 49_999)
    }

    @Test("Orders and filters are written with names and queries")
    func requests() throws {
        var request = SearchRequest(.everything("a"), filters: [.attribute("price") < 3])
        request.filter(by: .attribute("title").exists)
        #expect(request.filters == ["price < 3", #"title == "*""#])
        request.sort = [.descending("rating"), .ascending("price"), .descending("relevance")]
        #expect(request.sort == (try SortKey.list(parsing: "-rating,price,relevance")))
    }
}
