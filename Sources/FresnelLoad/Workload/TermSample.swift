import FresnelSystem
import FresnelText

/// How many documents have a word.
package enum TermBand: Hashable, Sendable, CaseIterable {
    /// In at most a two-thousandth of the documents.
    case rare
    /// Between the others.
    case medium
    /// In at least a fiftieth of the documents.
    case frequent

    /// The band of a word that `part` (0...1) of the documents have.
    package static func band(of part: Double) -> TermBand {
        part <= 1 / 2000 ? .rare : part < 1 / 50 ? .medium : .frequent
    }
}

/// Words of an index, drawn from a sample of its documents.
package struct TermSample: Sendable {
    /// A word and in how many documents of the sample it is.
    package struct Term: Hashable, Sendable {
        package let text: String
        package let documents: Int
    }

    /// The words of each band, by text.
    package let bands: [TermBand: [Term]]
    /// All words as often as the sample's texts have them, at most `occurrencesMost`.
    let occurrences: [String]
    /// Neighbours.
    let phrases: [String]
    let identifiers: [String]
    /// The texts that were sampled.
    package let texts: [String]

    /// No more are kept than this.
    static let occurrencesMost = 200_000

    /// Reads the words of documents: (identifier, text) of each.
    package init(documents: [(identifier: String, text: String)]) {
        var counts: [String: Int] = [:]
        var occurrences: [String] = []
        var phrases: [String] = []
        for (_, text) in documents {
            let words = Self.words(of: text)
            for word in Set(words) { counts[word, default: 0] += 1 }
            if occurrences.count < Self.occurrencesMost { occurrences += words }
            if words.count > 1, phrases.count < Self.occurrencesMost {
                let at = words.count / 2
                phrases.append("\(words[at - 1]) \(words[at])")
            }
        }
        var bands: [TermBand: [Term]] = [:]
        for (text, count) in counts {
            // In a small sample nearly every word is in more than a two-thousandth: once is rare.
            let part = count == 1 ? 0 : Double(count) / Double(max(documents.count, 1))
            bands[.band(of: part), default: []].append(Term(text: text, documents: count))
        }
        // Dictionaries have no order; a seed has to.
        self.bands = bands.mapValues { $0.sorted { $0.text < $1.text } }
        self.occurrences = occurrences
        self.phrases = phrases
        identifiers = documents.map(\.identifier)
        texts = documents.map(\.text)
    }

    /// Whether there is nothing to draw from.
    package var isEmpty: Bool { occurrences.isEmpty }

    /// Words of letters and digits, lower case, of at least two characters.
    static func words(of text: String) -> [String] {
        text.lowercased().split { !($0.isLetter || $0.isNumber) }.map(String.init)
            .filter { $0.utf8.count > 1 && $0.utf8.count <= 40 }
    }

    /// A term for a place; of a band that has none, any word.
    func draw(_ place: QueryTemplate.Place, by generator: inout SeededGenerator) -> String {
        switch place {
        case .rare: word(.rare, &generator)
        case .medium: word(.medium, &generator)
        case .frequent: word(.frequent, &generator)
        case .word, .typed: occurrences.randomElement(using: &generator) ?? "a"
        case .prefix:
            String(word(.medium, &generator).prefix(Int.random(in: 3...4, using: &generator)))
        case .infix: inside(of: word(.medium, &generator), &generator)
        case .phrase: phrases.randomElement(using: &generator) ?? word(.medium, &generator)
        case .identifier: identifiers.randomElement(using: &generator) ?? ""
        }
    }

    private func word(_ band: TermBand, _ generator: inout SeededGenerator) -> String {
        bands[band]?.randomElement(using: &generator)?.text
            ?? occurrences.randomElement(using: &generator) ?? "a"
    }

    private func inside(of word: String, _ generator: inout SeededGenerator) -> String {
        let letters = Array(word)
        guard letters.count > 3 else { return word }
        let length = min(Int.random(in: 3...5, using: &generator), letters.count - 1)
        let start = Int.random(in: 0...(letters.count - length), using: &generator)
        return String(letters[start..<(start + length)])
    }
}
