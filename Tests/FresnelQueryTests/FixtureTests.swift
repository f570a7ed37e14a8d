import FresnelModel
import FresnelQuery
import Foundation
import Testing

@Suite("Fixtures")
struct FixtureTests {
    @Test("The fixture files hold the same documents as the tests")
    func documents() throws {
        let lines = try objects(of: "worked-examples.ndjson")
        #expect(lines.count == WorkedExamples.documents.count)
        for (line, document) in zip(lines, WorkedExamples.documents) {
            #expect(line["uniqueIdentifier"] as? String == document.uniqueIdentifier)
            let attributes = try #require(line["attributes"] as? [String: Any])
            #expect(Set(attributes.keys) == Set(document.attributes.keys))
            for (name, value) in attributes {
                #expect(self.value(value, of: name) == document.attributes[name], "\(name)")
            }
        }
    }

    @Test("The fixture files hold the same queries as the tests")
    func queries() throws {
        let lines = try objects(of: "worked-examples.jsonl")
        #expect(lines.map { $0["number"] as? Int } == WorkedExamples.examples.map(\.number))
        #expect(lines.map { $0["query"] as? String } == WorkedExamples.examples.map(\.query))
        #expect(lines.map { $0["matches"] as? [String] } == WorkedExamples.examples.map(\.matches))
        let invalid = try JSONSerialization.jsonObject(with: contents("invalid-queries.json"))
        #expect(invalid as? [String] == WorkedExamples.invalid)
    }

    private func value(_ json: Any, of name: String) -> AttributeValue? {
        let type = AttributeTable.definition(named: name)?.valueType
        switch json {
        case let text as String where type == .date:
            return ISO8601(text).map { .date($0.timestamp()) }
        case let texts as [String] where type == .dates:
            return .dates(texts.compactMap { ISO8601($0)?.timestamp() })
        case let text as String: return .string(text)
        case let texts as [String]: return .strings(texts)
        case let number as NSNumber: return .number(number.doubleValue)
        default: return nil
        }
    }

    private func objects(of file: String) throws -> [[String: Any]] {
        try contents(file).split(separator: UInt8(ascii: "\n")).map { line in
            try #require(JSONSerialization.jsonObject(with: line) as? [String: Any])
        }
    }

    private func contents(_ file: String) throws -> Data {
        try Data(
            contentsOf: URL(filePath: #filePath).deletingLastPathComponent()
                .appending(path: "../Fixtures/\(file)"))
    }
}
