import Foundation
import FresnelClient
import FresnelModel
import FresnelQuery

/// Names in a request, beside its query strings, that mean nothing.
///
/// Unknown attributes to sort by, to return or to count by, and an unknown language: warnings, or
/// errors of a strict request.
enum RequestOddities {
    /// What is odd, given the attributes of the indexes that are searched.
    static func warnings(about request: SearchRequest, schemas: [AttributeSchema]) -> [Warning] {
        var warnings: [Warning] = []
        for name in sortNames(request) where !isKnown(name, schemas) {
            warnings.append(
                unknown("sort attribute", name, "it counts as absent everywhere", schemas))
        }
        for name in request.attributes where !isKnown(name, schemas) {
            warnings.append(unknown("attribute to return", name, "no hit has it", schemas))
        }
        for name in request.facets.map(\.attribute) where !isKnown(name, schemas) {
            warnings.append(unknown("facet attribute", name, "no hit has it", schemas))
        }
        if let tag = request.language, !isLanguage(tag) {
            warnings.append(
                Warning("unknown language '\(tag)': letters are folded as without a language"))
        }
        return warnings
    }

    /// Whether only the declared keys of the indexes can tell if the request is odd.
    static func needSchemas(_ request: SearchRequest) -> Bool {
        (sortNames(request) + request.attributes + request.facets.map(\.attribute)).contains {
            !isKnown($0, [])
        }
    }

    /// The attributes of the indexes that a request searches.
    static func schemas(of request: SearchRequest, in status: ClusterStatus) -> [AttributeSchema] {
        let names = request.indexes.map(\.text)
        return status.indexes.filter { names.isEmpty || names.contains($0.name) }.map { index in
            var schema = AttributeSchema()
            // Keys that disagree within one index do not exist.
            for key in index.customKeys { try? schema.declare(key) }
            return schema
        }
    }

    private static func sortNames(_ request: SearchRequest) -> [String] {
        request.sort.compactMap { key in
            if case .attribute(let name) = key.field { name } else { nil }
        }
    }

    private static func isKnown(_ name: String, _ schemas: [AttributeSchema]) -> Bool {
        name == DocumentField.uniqueIdentifier || AttributeTable.definition(named: name) != nil
            || schemas.contains { $0.definition(named: name) != nil }
    }

    private static func unknown(
        _ what: String, _ name: String, _ consequence: String, _ schemas: [AttributeSchema]
    ) -> Warning {
        let names =
            AttributeTable.all.flatMap { [$0.name] + $0.aliases }
            + schemas.flatMap { $0.sortedCustomKeys.map(\.name) }
            + [DocumentField.uniqueIdentifier]
        let near = NearestName.find(name, among: names).map { "; did you mean \($0)" } ?? ""
        return Warning("unknown \(what) '\(name)': \(consequence)\(near)")
    }

    /// A tag whose first part is the code of a language, such as `sv` or `de-AT`.
    private static func isLanguage(_ tag: String) -> Bool {
        let parts = tag.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }
        let isWellFormed = parts.allSatisfy { part in
            (1...8).contains(part.utf8.count)
                && part.utf8.allSatisfy {
                    (0x30...0x39).contains($0) || (0x61...0x7A).contains($0 | 0x20)
                }
        }
        guard isWellFormed, let first = parts.first else { return false }
        return Locale.LanguageCode(first.lowercased()).isISOLanguage
    }
}
