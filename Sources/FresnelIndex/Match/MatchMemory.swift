/// What matching found out about one segment, kept while one query runs.
struct MatchMemory: Sendable {
    /// Which of the two readings of a pattern.
    enum Reading: Int, Hashable, Sendable {
        case ordinary
        case content
    }

    /// A reading of one comparison's pattern.
    struct Pattern: Hashable, Sendable {
        let comparison: Int
        let reading: Reading
    }

    /// A reading of a pattern on one attribute.
    struct Column: Hashable, Sendable {
        let pattern: Pattern
        let attribute: AttributeOrdinal
    }

    /// What a pattern says of a value.
    enum Verdict: UInt8, Sendable {
        case unknown, fails, holds
    }

    /// The terms of each token of a pattern, by comparison and reading; nil where not known.
    private var terms: [[[TermID]]?] = []
    /// The values a pattern on whole values matches.
    var ranks: [Column: [ValueRank]] = [:]
    /// The verdicts on the values that were looked at.
    var verdicts: [Column: [Verdict]] = [:]

    /// The documents whose stored texts a pattern on whole values matches.
    var stored: [Column: DocumentSet] = [:]

    /// Knows nothing.
    init() {}

    /// The terms of each token of a pattern; nil when they are not known.
    func terms(of pattern: Pattern) -> [[TermID]]? {
        let place = 2 * pattern.comparison + pattern.reading.rawValue
        return place < terms.count ? terms[place] : nil
    }

    /// Keeps the terms of each token of a pattern.
    mutating func keep(_ found: [[TermID]], of pattern: Pattern) {
        let place = 2 * pattern.comparison + pattern.reading.rawValue
        while terms.count <= place { terms.append(nil) }
        terms[place] = found
    }

    /// What the memory takes, about.
    var byteCount: Int {
        let ranks = ranks.values.reduce(0) { $0 + 32 + 4 * $1.count }
        let read = stored.values.reduce(ranks) { $0 + $1.cachedBytes }
        let found = verdicts.values.reduce(read) { $0 + 32 + $1.count }
        return terms.reduce(found) { sum, terms in
            (terms ?? []).reduce(sum + 32) { $0 + 16 + 4 * $1.count }
        }
    }
}
