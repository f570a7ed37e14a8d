import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire

/// Random documents of every shape a segment can meet.
struct SegmentDocuments {
    private var generator: SeededGenerator

    init(seed: UInt64) { generator = SeededGenerator(seed: seed) }

    static let words = [
        "apple", "Apple", "pie", "Pie", "iPhone", "MyWindowClass", "Window", "NSWindow", "Frédéric",
        "FREDERIC", "frederic", "straße", "Strasse", "日本語", "ไทย", "ﬁne", "x11", "0ad", "e\u{301}t",
        "ÅngStröm", "IJsselMeer", "ǅabaǄ", "İstanbul", "ıssız", "a", "deb", "zéBra",
        "camelCaseWord",
    ]
    static let separators = [" ", "-", ", ", "…", "_", "  ", "\u{301} "]

    /// `count` documents, some of them versions of one another.
    mutating func documents(_ count: Int) -> [IncomingDocument] {
        (0..<count).map { number in
            var document = Document(
                uniqueIdentifier: "deb:\(Int.random(in: 0...number, using: &generator))")
            if chance(0.3) { document.domainIdentifier = "store.\(text(1))" }
            if chance(0.1) {
                document.kind = .activity
                document.activity = ActivityDetails(activityType: "org.example.read")
            }
            for name in ["title", "contentDescription", "com_shop_rare"] where chance(0.6) {
                document.attributes[name] = .string(text(8))
            }
            fillLists(&document)
            fillNumbers(&document)
            return IncomingDocument(
                encoded: DocumentCoding.encode(document), document: document,
                createdSequence: UInt64(number / 3 + 1),
                expiration: chance(0.2)
                    ? Double(Int.random(in: 0...999, using: &generator)) : .infinity)
        }
    }

    private mutating func fillLists(_ document: inout Document) {
        if chance(0.4) { document.attributes["keywords"] = .strings(texts()) }
        if chance(0.2) { document.attributes["textContent"] = .string(text(60)) }
        if chance(0.1) {
            document.attributes["HTMLContentData"] = .bytes(Array("<p>\(text(4))</p>".utf8))
        }
        if chance(0.1) {
            document.attributes["authors"] = .persons([
                Person(displayName: text(2), handles: ["a@example.org"]), Person(handles: ["b"]),
            ])
        }
        if chance(0.1) {
            document.attributes["comment"] = .localized(
                LocalizedString(defaultText: text(2), variants: ["de": text(2), "fr": text(1)]))
        }
        if chance(0.05) { document.attributes["thumbnailData"] = .bytes([1, 2, 3]) }
    }

    private mutating func fillNumbers(_ document: inout Document) {
        if chance(0.7) { document.attributes["rating"] = .number(number()) }
        if chance(0.02) { document.attributes["pageCount"] = .number(number()) }
        if chance(0.3) {
            document.attributes["com_shop_prices"] = .numbers([number(), number(), number()])
        }
        if chance(0.3), let date = Timestamp(seconds: number() * 86400) {
            document.attributes["contentCreationDate"] = .date(date)
        }
        if chance(0.3) {
            document.attributes["com_shop_mixed"] =
                chance(0.5)
                ? .number(number()) : .date(Timestamp(wholeSeconds: 7))
        }
    }

    private mutating func number() -> Double {
        [0, -0.0, 1, 2, 2, 3, -7.5, 1e9][Int.random(in: 0..<8, using: &generator)]
    }

    private mutating func texts() -> [String] {
        (0..<Int.random(in: 1...4, using: &generator)).map { _ in text(3) }
    }

    private mutating func text(_ limit: Int) -> String {
        var text = Self.words.randomElement(using: &generator) ?? "a"
        for _ in 0..<Int.random(in: 0..<limit, using: &generator) {
            text += Self.separators.randomElement(using: &generator) ?? " "
            text += Self.words.randomElement(using: &generator) ?? "a"
        }
        return text
    }

    private mutating func chance(_ share: Double) -> Bool {
        Double.random(in: 0..<1, using: &generator) < share
    }
}
