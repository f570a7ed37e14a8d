import FresnelModel
import FresnelQuery
import Testing

@Suite("Reference matcher")
struct MatchTests {
    static let document = Document(
        uniqueIdentifier: "urn:1", domainIdentifier: "store.produce",
        attributes: [
            "title": .localized(
                LocalizedString(defaultText: "Apple", variants: ["de": "Apfel", "fr": "Pomme"])),
            "authors": .persons([
                Person(displayName: "Ann Lee", handles: ["ann@example.org", "+49 30 1"])
            ]),
            "hiddenAdditionalRecipients": .persons([Person(displayName: "Bo Berg")]),
            "HTMLContentData": .bytes(Array("<p>Ripe <b>ba</b>nanas &amp; figs</p>".utf8)),
            "thumbnailData": .bytes([1, 2, 3]),
            "emailHeaders": .dictionary(["X-Mailer": ["Pigeon"]]),
            "allDay": .number(1),
            "playCount": .number(42),
            "dueDate": .date(Timestamp(wholeSeconds: 816_825_600)),
            "contentURL": .string("https://example.org/a"),
            "com_ray_sizes": .numbers([3, 5]),
            "com_ray_names": .strings(["Gala", "Fuji"]),
        ])

    @Test(
        "A query matches what it should",
        arguments: [
            "title == \"Pomme\"", "title == \"Apfel\"", "* == \"pomme\"cw",
            "authors == \"ann*\"cw", "authors == \"ann@example.org\"", "** == \"lee\"cw",
            "hiddenAdditionalRecipients == \"Bo Berg\"",
            "HTMLContentData == \"bananas\"", "htmlContentData == \"bananas & figs\"",
            "** == \"bananas\"", "thumbnailData == \"*\"", "emailHeaders == \"*\"",
            "allDay == 1", "allDay == true", "allDay != false", "allDay == \"1\"c",
            "allDay > false",
            "playCount == \"42\"", "playCount == \"4.2e1\"t", "playCount == 42 cd",
            "dueDate == 816825600", "dueDate <= $time.today", "InRange(dueDate, 0, $time.now)",
            "dueDate == $time.iso(2026-11-20)", "contentURL == \"https://example.org/*\"",
            "uniqueIdentifier == \"urn:1\"", "domainIdentifier == \"store.*\"",
            "kMDItemTitle == \"Apple\"", "com_ray_sizes == 5", "com_ray_sizes > 4",
            "com_ray_sizes == \"5\"", "com_ray_names == \"fuji\"c", "com_ray_sizes != 4",
            "title == \"\"t || true", "title != \"\"t", "** == \"pomme figs lee\"cdwt",
            "title == \"Pomme *\"t", "** == \"*\"", "true", "!false",
        ])
    func hit(query: String) throws {
        #expect(try matches(query))
    }

    @Test(
        "A query does not match what it should not",
        arguments: [
            "title == \"Pera\"", "* == \"bananas\"cw", "* == \"bo\"cw",
            "HTMLContentData == \"nan*\"",
            "HTMLContentData == \"b\"", "thumbnailData == \"1\"", "emailHeaders == \"Pigeon\"",
            "** == \"42\"", "* == 42", "playCount == \"4*\"", "dueDate == \"2026-11-20\"",
            "contentURL == \"example\"", "** == \"example\"w && contentURL == \"\"",
            "uniqueIdentifier == \"urn\"", "** == \"urn\"w", "com_ray_sizes == 4",
            "InRange(com_ray_sizes, 4, 4.5)", "** == \"gala\"cw", "title == \"\"", "title == \"\"t",
            "title == \"  \"t", "rating == \"*\"", "rating < 5", "dueDate == $time.now", "false",
            "title == \"Pomme Apple\"w",
        ])
    func miss(query: String) throws {
        #expect(try !matches(query))
    }

    @Test("An activity's domain is its attribute")
    func activityDomain() throws {
        let activity = Document(
            uniqueIdentifier: "a", kind: .activity,
            attributes: ["domainIdentifier": .string("store")])
        let expression = try QueryParser.parse("domainIdentifier == store").expression
        let resolved = try expression.resolved(in: WorkedExamples.context)
        #expect(ReferenceMatcher(expression: resolved).matches(activity))
    }

    @Test("A custom key takes part in the wildcards only when it says so")
    func customKeys() throws {
        for isDefault in [true, false] {
            let schema = try AttributeSchema(declaring: [
                CustomAttributeKey(
                    "com_ray_names", .string, isSearchableByDefault: isDefault, isMultiValued: true)
            ])
            #expect(try matches("* == \"Fuji\"", schema: schema) == isDefault)
            #expect(try matches("** == \"Fuji\"", schema: schema) == isDefault)
        }
    }

    @Test(
        "A language protects the letters of its alphabet",
        arguments: [(nil, true), ("sv", false), ("en", true)] as [(String?, Bool)])
    func language(language: String?, isFound: Bool) throws {
        let document = Document(uniqueIdentifier: "1", attributes: ["title": .string("Öl")])
        let expression = try QueryParser.parse("title == \"ol\"cd").expression
        let resolved = try expression.resolved(in: WorkedExamples.context)
        let matcher = ReferenceMatcher(expression: resolved, language: language)
        #expect(matcher.matches(document) == isFound)
    }

    private func matches(
        _ query: String, schema: AttributeSchema = AttributeSchema()
    ) throws -> Bool {
        let parsed = try QueryParser.parse(query, options: ParseOptions(schema: schema))
        let resolved = try parsed.expression.resolved(in: WorkedExamples.context)
        return ReferenceMatcher(expression: resolved, schema: schema).matches(Self.document)
    }
}
