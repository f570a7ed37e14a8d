/// How the score of one document came about: every predicate that scores, with its factors.
///
/// A predicate adds `rarity × weighted / (saturation + weighted)`, where `weighted` is the sum over
/// its attributes of `weight × occurrences / (1 − lengthShare + lengthShare × length / reference)`.
public struct ScoreExplanation: Hashable, Sendable {
    /// The predicates that score, in the order of the query, also those the document lacks.
    public var terms: [Term]
    /// How soon further occurrences stop counting.
    public var saturation: Double
    /// How much the length of an attribute counts, 0 to 1.
    public var lengthShare: Double

    /// Makes an explanation.
    public init(terms: [Term], saturation: Double, lengthShare: Double) {
        self.terms = terms
        self.saturation = saturation
        self.lengthShare = lengthShare
    }

    /// The score: what the predicates add, summed in their order; the bits of the delivered one.
    public var total: Double {
        var total = 0.0
        for term in terms { total += term.contribution }
        return total
    }
}

extension ScoreExplanation {
    /// What one predicate adds to a score.
    public struct Term: Hashable, Sendable {
        /// The predicate, in canonical spelling; a very long one is cut.
        public var query: String
        /// Documents there were to search, over all shards.
        public var documents: UInt64
        /// Those of them that the predicate matches.
        public var matching: UInt64
        /// How much the predicate tells: ln(1 + (documents − matching + ½) / (matching + ½)).
        public var rarity: Double
        /// Where it occurs in the document, by attribute; empty where it does not.
        public var attributes: [Attribute]
        /// The weighted occurrences of all attributes together.
        public var weighted: Double
        /// What it adds to the score.
        public var contribution: Double

        /// Makes the explanation of a predicate.
        public init(query: String, documents: UInt64, matching: UInt64, rarity: Double) {
            self.query = query
            self.documents = documents
            self.matching = matching
            self.rarity = rarity
            attributes = []
            weighted = 0
            contribution = 0
        }
    }

    /// The occurrences of a predicate in one attribute of the document.
    public struct Attribute: Hashable, Sendable {
        /// The canonical name.
        public var name: String
        /// How often it occurs.
        public var occurrences: Int
        /// Tokens of the attribute in this document.
        public var length: Int
        /// The weight of the attribute.
        public var weight: Double
        /// The length that counts as ordinary, in tokens.
        public var referenceLength: Double
        /// The occurrences, weighted and in relation to the length.
        public var weighted: Double

        /// Makes the explanation of an attribute.
        public init(
            name: String, occurrences: Int, length: Int, weight: Double, referenceLength: Double,
            weighted: Double
        ) {
            self.name = name
            self.occurrences = occurrences
            self.length = length
            self.weight = weight
            self.referenceLength = referenceLength
            self.weighted = weighted
        }
    }
}
