package import FresnelModel

/// The texts of a value that patterns are matched against; the index indexes exactly these.
package enum SearchableText {
    /// The texts of one value, each an element that may match on its own.
    ///
    /// A person gives the display name, then the handles; a localised text its default, then its
    /// variants by language tag; `HTMLContentData` the text a reader of the page would see.
    /// Numbers, dates, other bytes and dictionaries give none.
    ///
    /// - Parameters:
    ///   - value: the value.
    ///   - attribute: the canonical name of its attribute.
    package static func strings(of value: AttributeValue, attribute: String) -> [String] {
        if attribute == htmlAttribute { return htmlStrings(of: value) }
        switch value {
        case .string(let text): return [text]
        case .strings(let texts): return texts
        case .persons(let persons):
            return persons.flatMap { [$0.displayName].compactMap { $0 } + $0.handles }
        case .localized(let text):
            return [text.defaultText] + text.languages.map { text.variants[$0] ?? "" }
        case .number, .boolean, .numbers, .date, .dates, .bytes, .byteStrings, .dictionary:
            return []
        }
    }

    /// Where each of `strings(of:attribute:)` stands in the value, in the same order.
    ///
    /// The text of a page of HTML stands nowhere: its offsets are not those of the page.
    static func places(of value: AttributeValue, attribute: String) -> [Place] {
        if attribute == htmlAttribute { return [] }
        switch value {
        case .string: return [Place(element: 0, part: .text)]
        case .strings(let texts):
            return texts.indices.map { Place(element: $0, part: .text) }
        case .persons(let persons):
            return persons.enumerated().flatMap { element, person in
                (person.displayName == nil ? [] : [Place(element: element, part: .displayName)])
                    + person.handles.indices.map { Place(element: element, part: .handle($0)) }
            }
        case .localized(let text):
            return [Place(element: 0, part: .text)]
                + text.languages.map {
                    Place(element: 0, part: .variant(language: $0))
                }
        case .number, .boolean, .numbers, .date, .dates, .bytes, .byteStrings, .dictionary:
            return []
        }
    }

    /// One text's place in a value.
    struct Place {
        let element: Int
        let part: AttributeHighlights.Part
    }

    /// The attribute whose bytes are a page of HTML.
    package static let htmlAttribute = "HTMLContentData"

    private static func htmlStrings(of value: AttributeValue) -> [String] {
        let text: String
        switch value {
        case .bytes(let bytes): text = HTMLText.text(of: String(decoding: bytes, as: UTF8.self))
        case .string(let page): text = HTMLText.text(of: page)
        case .strings, .number, .boolean, .numbers, .date, .dates, .byteStrings, .persons,
            .localized, .dictionary:
            return []
        }
        return text.isEmpty ? [] : [text]
    }
}

extension LocalizedString {
    /// The languages of the variants in the order of their bytes, as they are stored.
    fileprivate var languages: [String] {
        variants.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }
}
