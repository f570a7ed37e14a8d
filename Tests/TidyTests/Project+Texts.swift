import Foundation

extension Project {
    /// Types of texts of users or of the wire that take two spellings of one text for one value:
    /// the equality that the compiler makes is that of `String`, which is canonical equivalence.
    func canonicalEqualities() -> [Complaint] {
        let sources = files.filter {
            $0.isSwift && !$0.isGenerated && $0.path.hasPrefix("Sources/")
        }
        let own = Set(sources.flatMap(Self.comparedTypes))
        return sources.filter { Self.roomsWithTexts.contains($0.room) }.flatMap { file in
            Self.excuses[String(file.name.dropLast(".swift".count))] != nil
                ? [] : Self.synthesized(in: file, except: own)
        }
    }

    private static let roomsWithTexts: Set<String> = [
        "FresnelModel", "FresnelClient", "FresnelWire",
    ]

    /// Why texts of the types of a file have one spelling, or why it does not matter which.
    private static let excuses: [String: String] = [
        "AttributeDefinition": attributeNames, "AttributeSchema": attributeNames,
        "CustomAttributeKey": attributeNames, "SchemaError": attributeNames,
        "FacetCounts": attributeNames, "FacetRequest": attributeNames,
        "SortKey": attributeNames, "AttributeName": attributeNames,
        "ScoreExplanation": attributeNames,
        "AttributeHighlights": "attribute names, and tags of languages", "IndexName": otherNames,
        "HitBody": otherNames, "ClusterStatus": otherNames, "MovePlan": otherNames,
        "HitStream+Order": otherNames, "SearchClient+Snapshots": otherNames,
        "ErrorCode": otherNames, "Limits+Published": otherNames, "Completion": messages,
        "DocumentRefusal": messages, "ImportRecord": messages, "ShardReport": messages,
        "WireError": messages, "VerbRules": messages, "ColumnMapping": ownWords,
        "ImportPreview": ownWords, "ImportSource": ownWords,
    ]

    private static let attributeNames = "attribute names are checked: ASCII letters, digits, _"
    private static let otherNames = "names that are ASCII"
    private static let messages = "messages for people"
    private static let ownWords = "what a person wrote about a file, no identity of a document"

    /// The types for which a file has an equality.
    private static func comparedTypes(in file: TextFile) -> [String] {
        guard file.words.contains("static") else { return [] }
        let equality = /static func ==\s*\(\s*\w+: (?:\w+\.)*(\w+),/
        return file.tokens.compactMap { line in
            line.code.firstMatch(of: equality).map { String($0.1) }
        }
    }

    private static func synthesized(in file: TextFile, except own: Set<String>) -> [Complaint] {
        let declaration = /^( *)(?:\w+ )*(?:struct|enum) (\w+)(?:<[^>]*>)?: ([^{]*)\{$/
        let conformance = /\b(?:Hashable|Equatable)\b/
        let property = /^ *(?:\w+(?:\(set\))? )*(?:let|var) [^{]*\bString\b[^{]*$/
        let enumCase = /^ *(?:indirect )?case .*\bString\b/
        return file.tokens.indices.compactMap { index in
            guard let type = file.tokens[index].code.firstMatch(of: declaration),
                type.3.contains(conformance), !own.contains(String(type.2))
            else { return nil }
            let indent = String(type.1)
            let members = file.tokens[(index + 1)...].prefix { $0.code != indent + "}" }
            let hasText = members.contains { line in
                line.code.hasPrefix(indent + "    ") && !line.code.hasPrefix(indent + "     ")
                    && !line.code.contains("static ")
                    && (line.code.contains(property) || line.code.contains(enumCase))
            }
            guard hasText else { return nil }
            return file.complaint(
                index,
                "\(type.2) has texts, which Swift compares by canonical equivalence: give it an == "
                    + "of its own (String.hasSameBytes), or name the file and the reason in "
                    + "Tests/TidyTests/Project+Texts.swift")
        }
    }
}
