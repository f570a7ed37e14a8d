package import FresnelModel

// BM25F (Robertson, Zaragoza & Taylor 2004): the occurrences of a predicate in the attributes of a
// document are weighted and added up before they are saturated, so that a word in title and text
// counts as one thing seen twice. Where we differ: the lengths that attributes are compared with
// are constants, so that a score depends on the document and the counts of the whole index, not on
// how documents are spread over shards and segments; and a predicate, whatever it matches, counts
// as one term.

/// The constants and formulas of scoring.
package enum Relevance {
    /// How soon further occurrences stop counting.
    static let saturation = 1.2
    /// How much the length of an attribute counts, 0...1.
    static let lengthShare = 0.75
    /// Weight of an attribute that no table names: the unique identifier.
    static let unknownWeight = 1.5
    /// Reference length of such an attribute, in tokens.
    static let unknownLength = 4.0

    /// How much a predicate tells: much when few documents match it.
    ///
    /// Never negative. More matching documents than documents, as counts from different moments may
    /// have it, count as all of them.
    package static func rarity(documents: UInt64, matching: UInt64) -> Double {
        let all = Double(max(documents, matching))
        let some = Double(matching)
        return NaturalLogarithm.of(1 + (all - some + 0.5) / (some + 0.5))
    }

    /// What one predicate adds to a score.
    package static func contribution(rarity: Double, weightedOccurrences: Double) -> Double {
        rarity * (weightedOccurrences / (saturation + weightedOccurrences))
    }

    /// The score of a document that has one predicate alone, to the bit as it is added up
    /// elsewhere: from 0 on, and nothing for no occurrences.
    static func score(rarity: Double, weightedOccurrences sum: Double) -> Double {
        sum > 0 ? 0 + contribution(rarity: rarity, weightedOccurrences: sum) : 0
    }

    /// The weight of one attribute's occurrences, in relation to its length.
    package static func weighted(
        occurrences: Int, length: Int, of definition: AttributeDefinition?
    ) -> Double {
        weighted(
            occurrences: occurrences, length: length,
            weight: definition?.weight ?? unknownWeight,
            reference: definition?.referenceLength ?? unknownLength)
    }

    /// The same with weight and reference length at hand.
    @inline(__always)
    static func weighted(
        occurrences: Int, length: Int, weight: Double, reference: Double
    ) -> Double {
        let relative = Double(length) / reference
        return weight * Double(occurrences) / (1 - lengthShare + lengthShare * relative)
    }
}
