import FresnelModel
import Testing

/// Values of users are compared byte by byte, in every field; a field that is added later is missed
/// here until it is compared.
@Suite("Values that are compared by bytes")
struct TextEqualityTests {
    private static let composed = "caf\u{E9}"
    private static let decomposed = "cafe\u{301}"

    /// A change of one field.
    private typealias Changes<Value> = [String: @Sendable (inout Value) -> Void]

    /// Whether each change makes another value, and there is one for each field.
    private func check<Value: Hashable>(_ value: Value, _ changes: Changes<Value>) {
        #expect(value == value)
        let fields = Set(Mirror(reflecting: value).children.compactMap(\.label))
        #expect(fields == Set(changes.keys), "\(Value.self)")
        for (name, change) in changes {
            var other = value
            change(&other)
            #expect(other != value, "\(name) of \(Value.self) is not compared")
        }
    }

    @Test("A hit")
    func hit() throws {
        let index = try IndexName("other")
        var hit = Hit(
            uniqueIdentifier: Self.composed, attributes: ["title": .string(Self.composed)])
        hit.explanation = ScoreExplanation(terms: [], saturation: 1, lengthShare: 1)
        check(
            hit,
            [
                "uniqueIdentifier": { $0.uniqueIdentifier = Self.decomposed },
                "index": { $0.index = index },
                "kind": { $0.kind = .activity }, "score": { $0.score = 1 },
                "attributes": { $0.attributes["title"] = .string(Self.decomposed) },
                "explanation": { $0.explanation?.saturation = 2 },
                "highlights": { $0.highlights = [] },
            ])
    }

    @Test("The details of an activity")
    func activity() {
        check(
            ActivityDetails(
                activityType: Self.composed, userInfo: Self.composed,
                requiredUserInfoKeys: [Self.composed], webpageURL: Self.composed,
                persistentIdentifier: Self.composed, targetContentIdentifier: Self.composed),
            [
                "activityType": { $0.activityType = Self.decomposed },
                "userInfo": { $0.userInfo = Self.decomposed },
                "requiredUserInfoKeys": { $0.requiredUserInfoKeys = [Self.decomposed] },
                "webpageURL": { $0.webpageURL = Self.decomposed },
                "persistentIdentifier": { $0.persistentIdentifier = Self.decomposed },
                "targetContentIdentifier": { $0.targetContentIdentifier = Self.decomposed },
            ])
    }

    @Test("A patch")
    func patch() {
        let patch = DocumentPatch(
            uniqueIdentifier: Self.composed, relatedUniqueIdentifier: Self.composed,
            domainIdentifier: .set(Self.composed),
            attributes: ["title": .set(.string(Self.composed))])
        check(
            patch,
            [
                "uniqueIdentifier": { $0.uniqueIdentifier = Self.decomposed },
                "relatedUniqueIdentifier": { $0.relatedUniqueIdentifier = Self.decomposed },
                "domainIdentifier": { $0.domainIdentifier = .set(Self.decomposed) },
                "expirationDate": { $0.expirationDate = .remove },
                "attributes": { $0.attributes["title"] = .set(.string(Self.decomposed)) },
            ])
        var other = patch
        for domain: DocumentPatch.Change<String>? in [nil, .remove] {
            other.domainIdentifier = domain
            #expect(other != patch && other == other)
        }
    }

    @Test("An explained predicate")
    func term() {
        check(
            ScoreExplanation.Term(query: Self.composed, documents: 1, matching: 1, rarity: 1),
            [
                "query": { $0.query = Self.decomposed }, "documents": { $0.documents = 2 },
                "matching": { $0.matching = 2 }, "rarity": { $0.rarity = 2 },
                "attributes": {
                    $0.attributes = [
                        ScoreExplanation.Attribute(
                            name: "title", occurrences: 1, length: 1, weight: 1,
                            referenceLength: 1, weighted: 1)
                    ]
                },
                "weighted": { $0.weighted = 1 }, "contribution": { $0.contribution = 1 },
            ])
    }

    @Test("A request")
    func request() {
        var request = SearchRequest(Self.composed)
        request.filters = [Self.composed]
        request.identifiers = [Self.composed]
        request.attributes = [Self.composed]
        (request.timeZone, request.language, request.slot) = (
            Self.composed, Self.composed, Self.composed
        )
        check(request, Self.texts.merging(Self.others) { first, _ in first })
    }

    private static let texts: Changes<SearchRequest> = [
        "query": { $0.query = decomposed }, "filters": { $0.filters = [decomposed] },
        "identifiers": { $0.identifiers = [decomposed] },
        "attributes": { $0.attributes = [decomposed] },
        "timeZone": { $0.timeZone = decomposed }, "language": { $0.language = decomposed },
        "slot": { $0.slot = decomposed },
    ]

    private static let others: Changes<SearchRequest> = [
        "indexes": { $0.indexes = [.standard] },
        "returnsAllAttributes": { $0.returnsAllAttributes = true },
        "sort": { $0.sort = [.relevance] }, "limit": { $0.limit = 1 },
        "after": { $0.after = SearchCursor(bytes: [1]) },
        "before": { $0.before = SearchCursor(bytes: [1]) },
        "delivery": { $0.delivery = .final }, "credit": { $0.credit = 7 },
        "deadline": { $0.deadline = .seconds(7) },
        "coverage": { $0.coverage = SearchCoverage(fraction: 0.5) ?? .all },
        "now": { $0.now = Timestamp(wholeSeconds: 7) }, "firstWeekday": { $0.firstWeekday = 3 },
        "isStrict": { $0.isStrict = true }, "isCountOnly": { $0.isCountOnly = true },
        "explainsScores": { $0.explainsScores = true },
        "isHighlighted": { $0.isHighlighted = true }, "isFollowed": { $0.isFollowed = true },
        "isAnnounced": { $0.isAnnounced = true },
        "tellsExpirations": { $0.tellsExpirations = true },
        "facets": { $0.facets = [FacetRequest("title")] },
    ]

    @Test("Hits of two documents are two elements of a set")
    func elements() {
        let hits = [Self.composed, Self.decomposed, Self.composed].map {
            Hit(uniqueIdentifier: $0)
        }
        #expect(Set(hits).count == 2)
    }
}
