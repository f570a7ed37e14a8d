import FresnelClient
import FresnelModel
import TortureHistory

/// Documents that tell by their attributes which operation made them.
enum Catalogue {
    /// The attributes that an answer must have to be read.
    static let attributes = ["title", "rating", baseAttribute]

    /// A query for all documents.
    static let everything = "title == \"torture*\""

    private static let baseAttribute = "com_torture_base"

    private static let words = [
        "lamp", "lens", "ring", "glass", "beam", "coast", "keeper", "storm", "harbour", "signal",
    ]

    static func identifier(_ key: Int) -> String { "key-\(key)" }

    static func domain(_ group: String) -> String { "torture.\(group)" }

    static func document(
        key: Int, version: Int, group: String, using generator: inout some RandomNumberGenerator
    ) -> Document {
        Document(
            uniqueIdentifier: identifier(key), domainIdentifier: domain(group),
            attributes: [
                "title": .string(title(key, version)), "rating": .number(Double(version)),
                "keywords": .strings([group]), baseAttribute: .number(Double(version)),
                "contentDescription": .string(filler(using: &generator)),
            ])
    }

    static func patch(
        key: Int, version: Int, using generator: inout some RandomNumberGenerator
    ) -> DocumentPatch {
        DocumentPatch(
            uniqueIdentifier: identifier(key),
            attributes: [
                "title": .set(.string(title(key, version))),
                "rating": .set(.number(Double(version))),
                "contentDescription": .set(.string(filler(using: &generator))),
            ])
    }

    /// What an answer shows; version 0 where title and number are not of one version.
    static func observation(
        _ identifier: String, _ attributes: AttributeMap<AttributeValue>
    ) -> Observation {
        let key = identifier.hasPrefix("key-") ? Int(identifier.dropFirst(4)) ?? -1 : -1
        var version = number(attributes["rating"])
        if attributes["title"] != .string(title(key, version)) { version = 0 }
        return Observation(key: key, base: number(attributes[baseAttribute]), version: version)
    }

    private static func number(_ value: AttributeValue?) -> Int {
        guard case .number(let number) = value else { return 0 }
        return Int(exactly: number) ?? 0
    }

    private static func title(_ key: Int, _ version: Int) -> String { "torture \(key) v\(version)" }

    /// Text of very different lengths, so that journals and segments do not look alike.
    private static func filler(using generator: inout some RandomNumberGenerator) -> String {
        let count = Int.random(in: 1...10, using: &generator) == 1 ? 400 : 12
        return (0..<Int.random(in: 1...count, using: &generator))
            .map { _ in words[Int.random(in: 0..<words.count, using: &generator)] }
            .joined(separator: " ")
    }
}
