package import FresnelSystem

/// A query with places for terms: `** == "{frequent}"cdw && title == "{prefix}*"cd`.
///
/// Every place draws anew. What is drawn is letters and digits only, so it needs no escaping.
package struct QueryTemplate: Hashable, Sendable {
    /// What a place is filled with.
    package enum Place: String, Hashable, Sendable, CaseIterable {
        /// A word that few documents have (see ``TermBand``).
        case rare
        /// A word between them.
        case medium
        /// A word that many documents have.
        case frequent
        /// Any word, as often as texts use it.
        case word
        /// The first three or four letters of a medium word.
        case prefix
        /// Three to five letters from inside of a word.
        case infix
        /// Two words that stand beside each other in a document.
        case phrase
        /// The identifier of a document.
        case identifier
        /// What was typed so far; only in a class that types.
        case typed
    }

    enum Part: Hashable, Sendable {
        case text(String)
        case place(Place)
    }

    let parts: [Part]

    /// Reads a template.
    ///
    /// - Throws: `TemplateError` naming a place that is none. A brace that belongs to the query is
    ///   written twice.
    package init(parsing text: String) throws(TemplateError) {
        var parts: [Part] = []
        var plain = ""
        var rest = Substring(text)
        while let letter = rest.popFirst() {
            if (letter == "{" || letter == "}"), rest.first == letter {
                plain.append(letter)
                rest.removeFirst()
                continue
            }
            guard letter == "{" else {
                plain.append(letter)
                continue
            }
            guard let end = rest.firstIndex(of: "}") else {
                throw TemplateError(place: String(rest))
            }
            guard let place = Place(rawValue: String(rest[..<end])) else {
                throw TemplateError(place: String(rest[..<end]))
            }
            if !plain.isEmpty { parts.append(.text(plain)) }
            plain = ""
            parts.append(.place(place))
            rest = rest[rest.index(after: end)...]
        }
        if !plain.isEmpty { parts.append(.text(plain)) }
        self.parts = parts
    }

    /// The places it has.
    package var places: [Place] {
        parts.compactMap { part in
            if case .place(let place) = part { place } else { nil }
        }
    }

    /// The query with its places filled.
    package func filled(
        from terms: TermSample, typed: String = "", by generator: inout SeededGenerator
    ) -> String {
        var query = ""
        for part in parts {
            switch part {
            case .text(let text): query += text
            case .place(.typed): query += typed
            case .place(let place): query += terms.draw(place, by: &generator)
            }
        }
        return query
    }
}

/// A place of a template that is none.
package struct TemplateError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What stood between the braces.
    package let place: String

    package var description: String {
        let known = QueryTemplate.Place.allCases.map { "{\($0.rawValue)}" }
        return "'{\(place)}' is no place for a term: there are \(known.joined(separator: ", ")); "
            + "a brace of the query itself is written twice"
    }
}
