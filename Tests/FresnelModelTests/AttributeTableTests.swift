import FresnelModel
import Testing

struct AttributeTableTests {
    @Test("The table has all 190 public attributes, each once")
    func count() {
        #expect(AttributeTable.all.count == 190)
        #expect(Set(AttributeTable.all.map(\.name)).count == 190)
    }

    @Test("Every attribute has its published type", arguments: AttributeType.allCases)
    func types(type: AttributeType) {
        let names = AttributeTable.all.filter { $0.valueType == type }.map(\.name)
        #expect(Set(names) == PublishedAttributes.byType[type] ?? [])
    }

    @Test("* covers texts written for people, and not whom a mail was secretly copied to")
    func searchableByDefault() {
        let names = Set(AttributeTable.searchableByDefault.map(\.name))
        #expect(names == PublishedAttributes.searchableByDefault)
        #expect(!names.contains("hiddenAdditionalRecipients"))
        #expect(AttributeTable.searchableByDefault.allSatisfy { $0.valueType.isText })
    }

    @Test("Only ** covers the text content")
    func textContent() {
        #expect(
            Set(AttributeTable.textContent.map(\.name)) == PublishedAttributes.textContent)
        #expect(AttributeTable.textContent.allSatisfy { !$0.isSearchableByDefault })
    }

    @Test(
        "An alias means the attribute",
        arguments: [
            ("kMDItemTitle", "title"), ("url", "URL"), ("isoSpeed", "ISOSpeed"),
            ("kMDItemDescription", "contentDescription"), ("kMDItemAuthors", "authorNames"),
            ("htmlContentData", "HTMLContentData"), ("exifgpsVersion", "EXIFGPSVersion"),
            ("gpsdop", "GPSDOP"), ("title", "title"),
        ])
    func aliases(alias: String, name: String) {
        #expect(AttributeTable.definition(named: alias)?.name == name)
    }

    @Test("No alias is also another attribute's name or alias")
    func distinctAliases() {
        let spellings = AttributeTable.all.flatMap { [$0.name] + $0.aliases }
        #expect(Set(spellings).count == spellings.count)
    }

    @Test("A name that nobody knows, or in another letter case, has no definition")
    func unknown() {
        #expect(AttributeTable.definition(named: "nosuchAttribute") == nil)
        #expect(AttributeTable.definition(named: "Title") == nil)
    }

    @Test("Titles weigh most, then other names, then keywords, then text content")
    func weights() throws {
        let order =
            ["title", "displayName", "keywords", "contentDescription", "subject"]
            + ["textContent"]
        let weights = try order.map {
            try #require(AttributeTable.definition(named: $0)).weight
        }
        #expect(weights == weights.sorted(by: >))
        #expect(Set(weights).count == weights.count)
    }

    @Test("Attributes that hold text weigh something and have a length, others weigh nothing")
    func weightsOfAll() {
        for definition in AttributeTable.all {
            let holdsText = definition.valueType.isText || definition.isTextContent
            #expect((definition.weight > 0) == holdsText, "\(definition.name)")
            #expect(definition.referenceLength >= 1, "\(definition.name)")
        }
    }
}
