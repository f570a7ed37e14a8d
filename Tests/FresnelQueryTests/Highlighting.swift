import FresnelModel
import FresnelQuery

/// Finds highlights by query text, and writes them so that tables can be read.
enum Highlighting {
    static func highlights(
        _ query: String, in document: Document, _ attributes: Set<String>? = nil,
        language: String? = nil
    ) throws -> [AttributeHighlights] {
        let resolved = try QueryParser.parse(query).expression.resolved(in: WorkedExamples.context)
        return HighlightFinder(expression: resolved, language: language)
            .highlights(in: document, attributes: attributes)
    }

    /// The text with brackets round the ranges.
    static func marked(_ text: String, _ ranges: [Range<Int>]) -> String {
        var bytes = Array(text.utf8)
        for range in ranges.reversed() {
            bytes.insert(UInt8(ascii: "]"), at: range.upperBound)
            bytes.insert(UInt8(ascii: "["), at: range.lowerBound)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// One entry: attribute, element, part, ranges.
    static func line(_ entry: AttributeHighlights) -> String {
        let part =
            switch entry.part {
            case .text: "text"
            case .variant(let language): "variant \(language)"
            case .displayName: "displayName"
            case .handle(let position): "handle \(position)"
            }
        let ranges = entry.ranges.map { "\($0.lowerBound)-\($0.upperBound)" }
        return ([entry.attribute, "\(entry.element)", part] + ranges).joined(separator: " ")
    }

    /// The text that an entry is about.
    static func text(of entry: AttributeHighlights, in document: Document) -> String? {
        switch (document.value(ofAttribute: entry.attribute), entry.part) {
        case (.string(let text)?, .text): text
        case (.strings(let texts)?, .text): texts[entry.element]
        case (.localized(let text)?, .text): text.defaultText
        case (.localized(let text)?, .variant(let language)): text.variants[language]
        case (.persons(let persons)?, .displayName): persons[entry.element].displayName
        case (.persons(let persons)?, .handle(let position)):
            persons[entry.element].handles[position]
        default: nil
        }
    }
}
