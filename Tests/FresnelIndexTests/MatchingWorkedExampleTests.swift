import Foundation
import FresnelIndex
import FresnelModel
import FresnelQuery
import Testing

@Suite("The worked examples of the query language")
struct MatchingWorkedExampleTests {
    private struct Example: Decodable {
        let number: Int
        let query: String
        let matches: [String]
    }

    @Test("find through the engine what the list says")
    func examples() throws {
        let schema = try AttributeSchema(declaring: [
            CustomAttributeKey("com_ray_price", .number),
            CustomAttributeKey("com_ray_note", .string),
        ])
        var corpus = MatchingCorpus(schema: schema)
        let documents = try Self.lines("worked-examples.ndjson").map {
            try Self.document($0, schema)
        }
        try corpus.append(Array(documents[..<5]))
        try corpus.append(Array(documents[5...]))
        let now = try #require(Timestamp(iso8601: "2026-11-20T15:30:00Z"))
        let examples = try Self.lines("worked-examples.jsonl").map {
            try JSONDecoder().decode(Example.self, from: $0)
        }
        #expect(examples.count == 77)
        for example in examples {
            let search = MatchingCorpus.search(example.query, context: QueryContext(now: now))
            let found = try corpus.identifiers(search)
            #expect(found.sorted() == example.matches.sorted(), "\(example.number)")
        }
    }

    private static func lines(_ name: String) throws -> [Data] {
        let file = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../Fixtures/\(name)")
        return try Data(contentsOf: file).split(separator: UInt8(ascii: "\n")).map { Data($0) }
    }

    private static func document(_ line: Data, _ schema: AttributeSchema) throws -> Document {
        let object = try #require(try JSONSerialization.jsonObject(with: line) as? [String: Any])
        let identifier = try #require(object["uniqueIdentifier"] as? String)
        var document = Document(uniqueIdentifier: identifier)
        let attributes = try #require(object["attributes"] as? [String: Any])
        for (name, value) in attributes {
            let isDate = schema.definition(named: name)?.valueType.isDate ?? false
            switch value {
            case let text as String where isDate:
                document.attributes[name] = .date(try #require(Timestamp(iso8601: text)))
            case let texts as [String] where isDate:
                document.attributes[name] = .dates(
                    try texts.map { try #require(Timestamp(iso8601: $0)) })
            case let text as String: document.attributes[name] = .string(text)
            case let texts as [String]: document.attributes[name] = .strings(texts)
            case let number as Double: document.attributes[name] = .number(number)
            default: Issue.record("\(name) of \(identifier) has an unknown kind of value")
            }
        }
        return document
    }
}
