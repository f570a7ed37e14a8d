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

    /// What is known of a pattern on one attribute; few queries ask for any of it.
    struct Values: Sendable {
        /// The values a pattern on whole values matches.
        var ranks: [ValueRank]?
        /// The verdicts on the values that were looked at.
        var verdicts: [Verdict]?
        /// The documents whose stored texts a pattern on whole values matches.
        var stored: DocumentSet?
    }

    /// The terms of each token of a pattern, by comparison and reading; nil where not known.
    private var terms: [[[TermID]]?] = []
    /// What is known of patterns on attributes.
    ///
    /// One dictionary, not one for each kind: a matcher is copied with all of them.
    var values: [Column: Values] = [:]

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

    /// Gives the verdicts on values away, so that more can be written into them.
    mutating func takeVerdicts(of column: Column) -> [Verdict]? {
        let verdicts = values[column]?.verdicts
        values[column]?.verdicts = nil
        return verdicts
    }

    /// What the memory takes, about.
    var byteCount: Int {
        let found = values.values.reduce(0) { sum, known in
            sum + 96 + 4 * (known.ranks?.count ?? 0) + (known.verdicts?.count ?? 0)
                + (known.stored?.cachedBytes ?? 0)
        }
        return terms.reduce(found) { sum, terms in
            (terms ?? []).reduce(sum + 32) { $0 + 16 + 4 * $1.count }
        }
    }
}
