@testable import FresnelClient
import FresnelJSON
import FresnelModel
import Testing

@Suite("Output")
struct OutputTests {
    @Test("A hit is one line of JSON with attributes in order of name")
    func hit() throws {
        let hit = Hit(
            uniqueIdentifier: "a", index: try IndexName("shop"), kind: .activity, score: 1.5,
            attributes: [
                "title": .string("x"), "dueDate": .date(Timestamp(wholeSeconds: 86_400)),
                "thumbnailData": .bytes([255]), "authors": .persons([Person(displayName: "A")]),
            ])
        #expect(
            hit.jsonText == """
                {"uniqueIdentifier":"a","index":"shop","kind":"activity","score":1.5,"attributes":\
                {"authors":[{"displayName":"A"}],"dueDate":"2001-01-02T00:00:00Z",\
                "thumbnailData":"/w==","title":"x"}}
                """)
    }

    @Test("A change names the index beside its hit, which has a score only where one was computed")
    func change() throws {
        let shop = try IndexName("shop")
        var hit = Hit(uniqueIdentifier: "a", index: shop)
        #expect(
            SearchChange.added(hit, index: shop).jsonText == """
                {"added":{"uniqueIdentifier":"a","kind":"product","attributes":{}},"index":"shop"}
                """)
        hit.score = 2
        #expect(SearchChange.removed(hit, index: shop).jsonText.contains("\"score\":2"))
        #expect(Hit(uniqueIdentifier: "a").jsonText.contains("\"score\":null"))
    }

    @Test("Highlights name the text and give pairs of offsets; hits without them stay as they were")
    func highlights() {
        var hit = Hit(uniqueIdentifier: "a")
        #expect(!hit.jsonText.contains("highlights"))
        hit.highlights = [
            AttributeHighlights(
                attribute: "authors", element: 1, part: .handle(2), ranges: [0..<3]),
            AttributeHighlights(
                attribute: "comment", part: .variant(language: "de"), ranges: [1..<2]),
        ]
        #expect(
            hit.jsonText.hasSuffix(
                """
                "attributes":{},"highlights":[\
                {"attribute":"authors","element":1,"handle":2,"ranges":[[0,3]],"complete":true},\
                {"attribute":"comment","element":0,"language":"de","ranges":[[1,2]],\
                "complete":true}]}
                """))
    }

    @Test("A facet is read with and without a number of values, and refused with a reason")
    func facetRequests() throws {
        #expect(try FacetRequest(parsing: "kMDItemKeywords") == FacetRequest("keywords", limit: 10))
        #expect(
            try FacetRequest.list(parsing: "keywords:20, rating")
                == [FacetRequest("keywords", limit: 20), FacetRequest("rating")])
        for text in ["", "a b", "keywords:0", "keywords:1001", "keywords:x", "keywords,"] {
            #expect(throws: SearchError.self) { try FacetRequest.list(parsing: text) }
        }
    }

    @Test("A completion has at least what programs rely on")
    func completion() throws {
        var report = ShardReport(index: .standard, shard: ShardID(0), status: .complete)
        report.searched = 3
        report.owned = 3
        report.found = 2
        var completion = Completion(status: .complete, shards: [report])
        completion.digest = "d"
        completion.elapsed = .microseconds(42)
        let line = try JSONValue(parsing: completion.jsonText)
        let object = try #require(line["completion"])
        #expect(object["status"] == "complete")
        #expect(object["complete"] == true)
        #expect(object["found"] == 2)
        #expect(object["searched"] == 3)
        #expect(object["owned"] == 3)
        #expect(object["digest"] == "d")
        #expect(object["elapsedMicroseconds"] == 42)
        #expect(object["shards"]?.array?.count == 1)
    }

    @Test("Base64 comes back for every length", arguments: 0..<20)
    func base64(count: Int) {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 200) }
        let text = Base64.encode(bytes)
        #expect(text.utf8.count % 4 == 0)
        #expect(Base64.decode(text) == bytes)
    }

    @Test("What is no Base64 is refused", arguments: ["A", "A===", "AB=C", "AB==C", "A B=", "AP"])
    func badBase64(text: String) {
        #expect(Base64.decode(text) == nil)
    }
}
