import FresnelModel
import Testing

struct DocumentValidationTests {
    private func refusal(of document: Document) -> DocumentRefusal? {
        do throws(DocumentRefusal) {
            try DocumentValidation.validate(document, schema: AttributeSchema())
            return nil
        } catch { return error }
    }

    private func refusal(_ attributes: AttributeMap<AttributeValue>) -> DocumentRefusal? {
        refusal(of: Document(uniqueIdentifier: "1", attributes: attributes))
    }

    @Test(
        "A value of the attribute's type is accepted",
        arguments: [
            ("title", .string("a")), ("keywords", .strings(["a", "b"])), ("rating", .number(5)),
            ("keywords", .string("one is a list of one")), ("allDay", .number(1)),
            ("dueDate", .date(Timestamp(wholeSeconds: 0))), ("URL", .string("https://a.example")),
            ("importantDates", .date(Timestamp(wholeSeconds: 0))), ("thumbnailData", .bytes([1])),
            ("authors", .persons([Person(displayName: "Steve")])),
            ("emailHeaders", .dictionary(["To": ["a"]])),
            ("title", .localized(LocalizedString(defaultText: "a", variants: ["de": "b"]))),
        ] as [(String, AttributeValue)])
    func accepted(name: String, value: AttributeValue) {
        #expect(refusal([name: value]) == nil)
    }

    @Test(
        "A value of another type is refused, naming attribute, expected and found type",
        arguments: [
            ("title", .number(1), .string, .number), ("rating", .string("5"), .number, .string),
            ("title", .strings(["a"]), .string, .strings),
            ("allDay", .number(2), .boolean, .number), ("allDay", .number(.nan), .boolean, .number),
            ("dueDate", .string("2026-11-18"), .date, .string),
            ("URL", .localized(LocalizedString(defaultText: "a", variants: [:])), .url, .string),
            ("thumbnailData", .string("AA=="), .bytes, .string),
        ] as [(String, AttributeValue, AttributeType, AttributeType)])
    func wrongType(
        name: String, value: AttributeValue, expected: AttributeType, found: AttributeType
    ) throws {
        let refusal = try #require(self.refusal([name: value]))
        #expect(refusal == .wrongType(attribute: name, expected: expected, found: found))
        #expect(refusal.description.contains(name))
        #expect(SearchError(refusal).code == .invalidItem)
    }

    @Test("Numbers must be finite", arguments: [Double.nan, .infinity, -.infinity])
    func notFinite(number: Double) {
        #expect(refusal(["rating": .number(number)]) == .notFinite(attribute: "rating"))
    }

    @Test("An attribute under two of its names is refused, because one would be lost")
    func givenTwice() {
        let attributes: AttributeMap<AttributeValue> = [
            "title": .string("a"), "kMDItemTitle": .string("b"),
        ]
        #expect(refusal(attributes) == .givenTwice(attribute: "title"))
    }

    @Test("An attribute that is neither known nor declared is refused")
    func undeclared() {
        #expect(refusal(["com_ray_x": .number(1)]) == .undeclared(attribute: "com_ray_x"))
    }

    @Test("An identifier has 1 to 512 bytes of UTF-8", arguments: [0, 1, 512, 513])
    func identifierLength(length: Int) {
        let document = Document(uniqueIdentifier: String(repeating: "x", count: length))
        #expect((refusal(of: document) == nil) == (1...512).contains(length))
    }

    @Test("The parts of a domain are not empty", arguments: [".a", "a.", "a..b", "."])
    func domain(domain: String) {
        let document = Document(uniqueIdentifier: "1", domainIdentifier: domain)
        #expect(refusal(of: document) == .invalidDomain(domain))
    }

    @Test("One type is promised in one way only")
    func promises() {
        let refusal = self.refusal([
            "providerDataTypeIdentifiers": .strings(["public.png", "public.jpeg"]),
            "providerInPlaceFileTypeIdentifiers": .strings(["public.png"]),
        ])
        #expect(
            refusal
                == .promisedTwice(
                    type: "public.png", first: "providerDataTypeIdentifiers",
                    second: "providerInPlaceFileTypeIdentifiers"))
    }

    @Test("Elements and bytes of a document are bounded")
    func sizes() {
        let many = AttributeValue.numbers(Array(repeating: 1, count: 1))
        #expect(refusal(["rating": many]) != nil)
        let keywords = AttributeValue.strings(Array(repeating: "a", count: 4097))
        #expect(
            refusal(["keywords": keywords])
                == .tooManyElements(attribute: "keywords", count: 4097, limit: 4096))
        let text = String(repeating: "x", count: Limits.documentBytes)
        guard case .tooLarge = refusal(["textContent": .string(text)]) else {
            Issue.record("a document above the limit was accepted")
            return
        }
    }

    @Test("Only an activity carries the details of one, and they have a type")
    func activity() {
        var document = Document(
            uniqueIdentifier: "1", activity: ActivityDetails(activityType: "com.ray.view"))
        #expect(refusal(of: document) == .productWithActivity)
        document.kind = .activity
        #expect(refusal(of: document) == nil)
        document.activity?.activityType = ""
        #expect(refusal(of: document) == .emptyIdentifier(field: "activityType"))
    }

    @Test("A patch may repeat the relation that routes it, but not change it")
    func patchRelation() throws {
        var patch = DocumentPatch(
            uniqueIdentifier: "1", relatedUniqueIdentifier: "2",
            attributes: ["relatedUniqueIdentifier": .set(.string("2")), "title": .remove])
        try DocumentValidation.validate(patch, schema: AttributeSchema())
        patch.attributes["relatedUniqueIdentifier"] = .remove
        #expect(throws: DocumentRefusal.relationChanged) {
            try DocumentValidation.validate(patch, schema: AttributeSchema())
        }
    }
}
