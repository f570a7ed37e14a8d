/// What matching found out about one segment, kept while one query runs.
struct MatchMemory: Sendable {
    /// Which of the two readings of a pattern.
    enum Reading: Hashable, Sendable {
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

    /// The terms of each token of a pattern.
    var terms: [Pattern: [[TermID]]] = [:]
    /// The values a pattern on whole values matches.
    var ranks: [Column: [ValueRank]] = [:]
    /// The verdicts on the values that were looked at.
    var verdicts: [Column: [Verdict]] = [:]

    /// The documents whose stored texts a pattern on whole values matches.
    var stored: [Column: DocumentSet] = [:]

    init(comparisonCount: Int) {
        terms.reserveCapacity(comparisonCount)
    }
}
