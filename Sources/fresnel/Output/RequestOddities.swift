import Foundation
import FresnelModel
import FresnelQuery

/// What is odd about a request beside its query strings: warnings, or errors of a strict request.
enum RequestOddities {
    /// What can be told without a cluster; keys that an index declares are unknown here.
    static func warnings(about request: SearchRequest) -> [Warning] {
        let sort = request.sort.compactMap { key in
            if case .attribute(let name) = key.field { name } else { nil }
        }
        let names = UnknownNames(in: AttributeSchema()).warnings(
            sort: sort, attributes: request.attributes, facets: request.facets.map(\.attribute))
        return names.map { Warning($0.message) } + [language(of: request)].compactMap(\.self)
    }

    /// An unknown language: nothing but this program looks at it, since folding takes any tag.
    static func language(of request: SearchRequest) -> Warning? {
        guard let tag = request.language, !isLanguage(tag) else { return nil }
        return Warning("unknown language '\(tag)': letters are folded as without a language")
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
