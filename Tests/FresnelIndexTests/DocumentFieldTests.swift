import FresnelIndex
import FresnelModel
import FresnelQuery
import FresnelSystem
import FresnelWire
import Testing

/// What a document is by how and where it is stored: `documentKind` and `index`.
@Suite("Fields without values")
struct DocumentFieldTests {
    private static func targets(
        _ schema: AttributeSchema = AttributeSchema(), packing: SegmentPacking = .standard,
        documents: [Document] = documents
    ) throws -> [SearchTarget] {
        try ["shop", "store"].map { index in
            let segment = try SegmentBuilder.build(
                documents: documents.map {
                    IncomingDocument(
                        encoded: DocumentCoding.encode($0), document: $0, createdSequence: 1)
                },
                packing: packing
            ).open()
            let published = PublishedSegment(
                serial: 1, view: SegmentView(segment, schema: schema))
            return SearchTarget(
                index: index, shard: ShardID(0),
                snapshot: IndexSnapshot(
                    segments: [published], sequence: SequenceNumber(1), schema: schema),
                sequence: SequenceNumber(1))
        }
    }

    private static let documents: [Document] = (0..<90).map { (number: Int) -> Document in
        let kind: DocumentKind = number % 3 == 0 ? .activity : .product
        return Document(
            uniqueIdentifier: "d\(number)", domainIdentifier: number % 2 == 0 ? "even" : nil,
            kind: kind, attributes: ["rating": .number(Double(number))])
    }

    private static func run(
        _ query: String, _ targets: [SearchTarget], _ schema: AttributeSchema = AttributeSchema(),
        _ change: (inout WireSearch) -> Void = { _ in }
    ) throws -> [(index: String, document: Document)] {
        var search = MatchingCorpus.search(query)
        change(&search)
        return try MatchingCorpus.run(search, over: targets, schema: schema).hits.map {
            (index: $0.index, document: try $0.decodeDocument())
        }
    }

    @Test(
        "are told by every segment, however it is packed",
        arguments: [SegmentPacking.standard, .always, .withoutColumns])
    func forms(packing: SegmentPacking) throws {
        let targets = try Self.targets(packing: packing)
        let counts: [(String, Int)] = [
            ("documentKind == \"activity\"", 60), ("documentKind == product", 120),
            ("documentKind != \"activity\"", 120), ("documentKind == \"ACT*\"c", 60),
            ("documentKind == \"*\"", 180), ("documentKind == \"a*y\" && index == \"shop\"", 30),
            ("index == \"shop\"", 90), ("index != \"s*p\"", 90), ("index == \"s*\"", 180),
            ("index == \"*\"", 180), ("index == \"cart\"", 0), ("documentKind == \"none\"", 0),
            ("index == \"shop\" || documentKind == \"activity\"", 120),
            ("* == \"shop\" || ** == \"activity\"", 0),
        ]
        for (query, count) in counts {
            #expect(try Self.run(query, targets).count == count, "\(query)")
            let filtered = try Self.run("rating >= 0", targets) { $0.filters = [query] }
            #expect(filtered.count == count, "\(query)")
        }
    }

    @Test("of one kind only, and of few activities among many products")
    func uniform() throws {
        for kind in DocumentKind.allCases {
            var documents = Self.documents
            for place in documents.indices { documents[place].kind = kind }
            documents[7].kind = kind == .product ? .activity : .product
            for packing in [SegmentPacking.standard, .always] {
                let targets = try Self.targets(packing: packing, documents: documents)
                let found = try Self.run("documentKind == \"activity\"", targets)
                #expect(found.count == (kind == .activity ? 178 : 2))
            }
        }
    }

    @Test("are returned under their names, and the stored fields too")
    func returned() throws {
        let targets = try Self.targets(packing: .always)
        let hits = try Self.run("rating == 4 || rating == 3", targets) { search in
            search.attributes = [
                "index", "uniqueIdentifier", "rating", "documentKind", "domainIdentifier",
            ]
        }
        #expect(hits.count == 4)
        for (index, document) in hits {
            let isFourth = document.uniqueIdentifier == "d4"
            #expect(document.attributes["index"] == .string(index))
            #expect(
                document.attributes["uniqueIdentifier"] == .string(document.uniqueIdentifier))
            #expect(
                document.attributes["documentKind"] == .string(isFourth ? "product" : "activity"))
            #expect(document.attributes["domainIdentifier"] == (isFourth ? .string("even") : nil))
            #expect(document.attributes["rating"] == .number(isFourth ? 4 : 3))
        }
    }

    @Test("order an answer both ways, over indexes")
    func order() throws {
        let targets = try Self.targets()
        for isDescending in [false, true] {
            let hits = try Self.run("rating < 6", targets) { search in
                search.sort = ["documentKind", "index", "rating"].map { name in
                    var key = WireSortKey()
                    key.attribute = name
                    key.descending = isDescending
                    return key
                }
            }
            let names = hits.map {
                "\($0.document.kind) \($0.index) \($0.document.uniqueIdentifier)"
            }
            let sorted = names.sorted()
            #expect(names == (isDescending ? sorted.reversed() : sorted))
        }
    }

    @Test("An index's own key of the name comes first")
    func own() throws {
        let schema = try AttributeSchema(declaring: [
            CustomAttributeKey("documentKind", .string), CustomAttributeKey("index", .number),
        ])
        let documents = Self.documents.map { document in
            var document = document
            if document.uniqueIdentifier != "d1" {
                document.attributes["documentKind"] = .string("invoice")
                document.attributes["index"] = .number(7)
            }
            return document
        }
        let targets = try Self.targets(schema, documents: documents)
        #expect(
            try Self.run("documentKind == \"invoice\" && index == 7", targets, schema).count == 178)
        #expect(try Self.run("documentKind == \"product\"", targets, schema).isEmpty)
        #expect(try Self.run("index == \"shop\"", targets, schema).isEmpty)
        let first = try Self.run("uniqueIdentifier == \"d1\"", targets, schema) {
            $0.attributes = ["documentKind", "index"]
        }
        #expect(first.count == 2 && first.allSatisfy { $0.document.attributes.isEmpty })
        var search = MatchingCorpus.search("true")
        search.facets = ["documentKind", "index"].map { name in
            var facet = WireFacetRequest()
            facet.attribute = name
            return facet
        }
        let plan = try SearchPlan(search: search, schema: schema)
        let answer = ShardSearch(plan, counts: nil, control: SearchControl(time: ManualTime()))
            .run(targets)
        #expect(answer.facets.map(\.documents) == [178, 178])
        #expect(answer.facets.map { $0.values.map(\.count) } == [[178], [178]])
        #expect(answer.facets[0].values[0].text == "invoice")
    }

    @Test("are counted by value")
    func facets() throws {
        var search = MatchingCorpus.search("rating < 50")
        search.facets = ["documentKind", "index"].map { name in
            var facet = WireFacetRequest()
            facet.attribute = name
            return facet
        }
        let plan = try SearchPlan(search: search, schema: AttributeSchema())
        let answer = ShardSearch(plan, counts: nil, control: SearchControl(time: ManualTime()))
            .run(try Self.targets())
        #expect(answer.facets[0].values.map(\.text) == ["product", "activity"])
        #expect(answer.facets[0].values.map(\.count) == [66, 34])
        #expect(answer.facets[1].values.map(\.text) == ["shop", "store"])
        #expect(answer.facets[1].values.map(\.count) == [50, 50])
        #expect(answer.facets.allSatisfy { $0.documents == 100 && $0.missing == 0 })
    }
}
