import FresnelModel
import FresnelQuery
import FresnelSystem

/// Chance for documents and queries that are likely to meet, over everything that is hard in text.
struct MatchingChance {
    private var generator: SeededGenerator
    /// What documents have been given, to cut queries from.
    private(set) var texts: [String] = []

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static let words = [
        "apple", "Apple", "APPLE", "pineapple", "Snapple", "appl", "pie", "Äpfel", "cafe", "café",
        "Cafe\u{301}", "naïve", "straße", "STRASSE", "iPhone", "MyWindowClass", "NSWindow",
        "windowClass", "xMLFile", "東京", "東", "京都", "日本語", "ab", "aB", "a", "b", "aa", "O'Brien",
        "½", "™", "Kindle™", "kindletm", "№5", "㎏", "5㎏", "kg", "ﬁsh", "ﬁ", "x²", "ǅungla",
        "İstanbul",
        "ılgaz", "I", "i", "ß", "ss", "e\u{301}", "\u{301}x", "한국", "하", "ไทย", "กำ", "キロ", "㌔",
        "ｶﾞ", "カ",
        "ガ", "50%", "*", "?", "1", "12", "1.5", "4", "foo⑴", "Kapitel⒈pdf", "barⅧ", "Ångström",
        "ñandú", "Ⅷ", "①", "⑴", "😀",
        "e-mail", "product", "activity", "default",
        "กิน", "กัน", "กิ", "น้ำ", "दिन", "दान", "दि", "द", "か", "が", "かき", "がき", "co\u{AD}op", "coop",
        "a\u{200B}b", "می\u{200C}خ", "میخ", "كـتَب", "كتب", "it’s", "it's", "it\u{2BC}s", "e‐mail",
        "\u{200E}apple", "\u{AD}", "\u{3164}a", "မြန်", "မန", "क़", "क",
        "কো", "কে", "কা", "ক", "か\u{3099}", "か\u{200D}\u{3099}", "aﾞ", "ﾞ", "\u{3099}", "ʻokina",
        "צ׳", "בית־ספר",
        "..", "foo_bar", "Ŀ", "ﷺ", "c++", "C#",
    ]
    static let separators = [
        " ", " ", " ", "-", "_", ", ", "  ", "", "\n", "/", "…", "´", "\u{200B}", "\u{AD}", "–",
    ]
    /// Attributes of every kind of coverage and type.
    static let textNames = [
        "title", "displayName", "keywords", "contentDescription", "textContent", "HTMLContentData",
        "authors", "comment", "contentType", "com_shop_note", "com_shop_code", "com_shop_hidden",
        "authorNames", "uniqueIdentifier", "domainIdentifier", "path", "documentKind", "index",
    ]
    static let numberNames = ["rating", "pageCount", "com_shop_price", "com_shop_prices"]
    static let dateNames = ["contentCreationDate", "importantDates", "completionDate"]

    static func schema() throws -> AttributeSchema {
        try AttributeSchema(declaring: [
            CustomAttributeKey("com_shop_note", .string, isSearchableByDefault: true),
            CustomAttributeKey("com_shop_code", .string, isMultiValued: true),
            CustomAttributeKey("com_shop_hidden", .string, isSearchable: false),
            CustomAttributeKey("com_shop_price", .number),
            CustomAttributeKey("com_shop_prices", .number, isMultiValued: true),
        ])
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &generator) }

    mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < share
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    mutating func text(_ longest: Int) -> String {
        var text = ""
        for number in 0...below(longest) {
            if number > 0 { text += pick(Self.separators) }
            text += pick(Self.words)
        }
        texts.append(text)
        return text
    }

    mutating func number() -> Double { pick([0, 1, 2, 2, 3, 4, 5, 12, -7.5, 1.5, 1e9]) }

    mutating func date(around now: Timestamp) -> Timestamp {
        Timestamp(seconds: now.seconds + Double(below(20) - 2) * 43_200) ?? now
    }

    mutating func date() -> Timestamp { Timestamp(wholeSeconds: Int64(below(40)) * 43_200) }
}

extension MatchingChance {
    /// A document with an identifier; often related to another.
    mutating func document(_ identifier: String) -> Document {
        var document = Document(uniqueIdentifier: identifier)
        if chance(0.3) {
            document.domainIdentifier = pick([
                "shop", "shop.a", "shop.a.b", "store", "caf\u{e9}", "cafe\u{301}.K",
                "caf\u{e9}.\u{212A}", "cafe\u{301}",
            ])
        }
        if chance(0.2) {
            document.kind = .activity
            document.activity = ActivityDetails(activityType: "org.example.read")
        }
        if chance(0.03) { return document }
        for name in ["title", "displayName", "contentDescription", "com_shop_note", "path"]
        where chance(0.5) {
            document.attributes[name] = .string(text(4))
        }
        fillTexts(&document)
        fillNumbers(&document)
        return document
    }

    private mutating func fillTexts(_ document: inout Document) {
        for name in ["keywords", "com_shop_code", "authorNames"] where chance(0.4) {
            document.attributes[name] = .strings((0...below(3)).map { _ in text(2) })
        }
        if chance(0.2) { document.attributes["com_shop_hidden"] = .string(text(2)) }
        if chance(0.4) { document.attributes["textContent"] = .string(text(12)) }
        if chance(0.2) {
            let page = "<h1>\(text(2))</h1><p>Kindle&trade; &amp; \(text(3))<br>\(text(2))</p>"
            document.attributes["HTMLContentData"] = .bytes(Array(page.utf8))
        }
        if chance(0.2) {
            document.attributes["authors"] = .persons([
                Person(displayName: text(2), handles: [text(1)]), Person(handles: [text(1)]),
            ])
        }
        if chance(0.2) {
            document.attributes["comment"] = .localized(
                LocalizedString(defaultText: text(2), variants: ["de": text(2), "fr": text(1)]))
        }
        if chance(0.3) { document.attributes["contentType"] = .string("public.jpeg") }
    }

    private mutating func fillNumbers(_ document: inout Document) {
        for name in ["rating", "pageCount", "com_shop_price"] where chance(0.4) {
            document.attributes[name] = .number(number())
        }
        if chance(0.3) {
            document.attributes["com_shop_prices"] = .numbers((0...below(3)).map { _ in number() })
        }
        for name in ["contentCreationDate", "completionDate"] where chance(0.4) {
            document.attributes[name] = .date(date())
        }
        if chance(0.3) {
            document.attributes["importantDates"] = .dates((0...below(2)).map { _ in date() })
        }
    }
}
