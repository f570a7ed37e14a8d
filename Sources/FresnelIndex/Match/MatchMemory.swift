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

        /// Its place among all.
        fileprivate var place: Int { 2 * comparison + reading.rawValue }
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

    /// The terms of a pattern.
    private enum Terms: Sendable {
        case unknown
        /// The only one of its only token, which decides it.
        case only(SegmentMatcher.OnlyTerm)
        /// Of its only token, and the one of them that decides it alone, once that was asked for.
        case token([TermID], SegmentMatcher.OnlyTerm?)
        /// Of each of its tokens.
        case phrase([[TermID]])
    }

    /// The documents in which words touch irregular characters.
    private struct Touched: Sendable {
        let keys: [[UInt8]]
        let documents: [DocumentNumber]
    }

    /// Those that were looked for.
    private var touched: [Touched] = []
    /// The terms of the first pattern, which mostly is the only one.
    private var first = Terms.unknown
    /// Those of the others, by comparison and reading.
    private var others: [Terms] = []
    /// What is known of patterns on attributes.
    ///
    /// One dictionary, not one for each kind: a matcher is copied with all of them.
    var values: [Column: Values] = [:]

    /// Knows nothing.
    init() {}

    /// The terms of a pattern of one token; nil when they are not known.
    func termsOfToken(_ pattern: Pattern) -> [TermID]? {
        switch terms(of: pattern) {
        case .only(let only): [only.term]
        case .token(let known, _): known
        case .unknown, .phrase: nil
        }
    }

    /// The term that decides a pattern of one token alone; nil when it is not known.
    func onlyTerm(_ pattern: Pattern) -> SegmentMatcher.OnlyTerm? {
        switch terms(of: pattern) {
        case .only(let only): only
        case .token(_, let known): known
        case .unknown, .phrase: nil
        }
    }

    /// The terms of each token of a phrase; nil when they are not known.
    func termsOfPhrase(_ pattern: Pattern) -> [[TermID]]? {
        guard case .phrase(let known) = terms(of: pattern) else { return nil }
        return known
    }

    @inline(__always)
    private func terms(of pattern: Pattern) -> Terms {
        let place = pattern.place
        guard place > 0 else { return first }
        return place <= others.count ? others[place - 1] : .unknown
    }

    /// Keeps the only term of a pattern of one token.
    mutating func keep(_ only: SegmentMatcher.OnlyTerm, ofToken pattern: Pattern) {
        keep(.only(only), of: pattern)
    }

    /// Keeps the terms of a pattern of one token.
    ///
    /// - Parameter only: the one that decides it alone.
    mutating func keep(
        _ found: [TermID], ofToken pattern: Pattern, only: SegmentMatcher.OnlyTerm? = nil
    ) {
        keep(.token(found, only), of: pattern)
    }

    /// Keeps the terms of each token of a phrase.
    mutating func keep(_ found: [[TermID]], ofPhrase pattern: Pattern) {
        keep(.phrase(found), of: pattern)
    }

    private mutating func keep(_ found: Terms, of pattern: Pattern) {
        let place = pattern.place
        guard place > 0 else { return first = found }
        while others.count < place { others.append(.unknown) }
        others[place - 1] = found
    }

    /// The documents in which one of some keys touches an irregular character; nil when they are
    /// not known.
    func documents(touchedBy keys: [[UInt8]]) -> [DocumentNumber]? {
        touched.first { $0.keys == keys }?.documents
    }

    /// Keeps the documents in which one of some keys touches an irregular character.
    mutating func keep(_ documents: [DocumentNumber], touchedBy keys: [[UInt8]]) {
        touched.append(Touched(keys: keys, documents: documents))
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
        let looked = touched.reduce(found) { $0 + 96 + 4 * $1.documents.count }
        return ([first] + others).reduce(looked) { sum, terms in
            switch terms {
            case .unknown: sum + 32
            case .only: sum + 96
            case .token(let terms, _): sum + 96 + 4 * terms.count
            case .phrase(let terms): terms.reduce(sum + 32) { $0 + 16 + 4 * $1.count }
            }
        }
    }
}
