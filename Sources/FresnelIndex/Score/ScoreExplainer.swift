import FresnelModel

// A score is explained by computing it again for one document and keeping what is otherwise summed
// away: the same occurrences, the same formulas, the same order of additions, so the same bits.

/// Explains the scores of one search.
///
/// A class, since the place for one goes from hand to hand, mostly empty.
package final class ScoreExplainer: Sendable {
    private let comparisons: [ComparisonPlan]
    private let scored: [Int]
    private let terms: [ScoreExplanation.Term]

    /// Prepares to explain a search that asks for it.
    ///
    /// - Parameter counts: those that the search scores with.
    init(_ plan: SearchPlan, _ counts: MatchCounts) {
        comparisons = plan.comparisons
        scored = plan.scored
        terms = plan.explained.enumerated().map { place, query in
            ScoreExplanation.Term(
                query: query, documents: counts.documents, matching: counts.matching(place),
                rarity: counts.rarity(place))
        }
    }

    /// How the score of a document came about.
    ///
    /// - Parameter view: its segment, under the schema of the search.
    func explanation(
        of document: DocumentNumber, in view: SegmentView, control: SearchControl
    ) throws(SearchStop) -> ScoreExplanation {
        var matcher = SegmentMatcher(comparisons, in: view, control: control)
        let weights = FieldWeights(view)
        let found = DocumentSet(.list([document]), of: view.segment.documentCount)
        var terms = terms
        for place in terms.indices {
            let occurrences = try matcher.occurrences(ofComparison: scored[place], in: found)
            guard !occurrences.isEmpty else { continue }
            for occurrence in occurrences {
                let attribute = weights.explanation(
                    of: occurrence,
                    named: view.segment.attributes[Int(occurrence.attribute)].name)
                terms[place].attributes.append(attribute)
                terms[place].weighted += attribute.weighted
            }
            terms[place].contribution = Relevance.contribution(
                rarity: terms[place].rarity, weightedOccurrences: terms[place].weighted)
        }
        return ScoreExplanation(
            terms: terms, saturation: Relevance.saturation, lengthShare: Relevance.lengthShare)
    }
}

extension FieldWeights {
    /// The factors behind the weight of some occurrences.
    fileprivate func explanation(
        of occurrence: AttributeOccurrences, named name: String
    ) -> ScoreExplanation.Attribute {
        let factors = factors(of: occurrence.attribute)
        return ScoreExplanation.Attribute(
            name: name, occurrences: occurrence.count,
            length: length(of: occurrence.document, in: occurrence.attribute),
            weight: factors.weight, referenceLength: factors.reference,
            weighted: weighted(
                occurrence.count, in: occurrence.attribute, of: occurrence.document))
    }
}

/// Explains the scores of the hits of one segment.
///
/// A class, as what it is made for is: the place for one goes from hand to hand, mostly empty.
final class SegmentExplainer: Sendable {
    private let explainer: ScoreExplainer
    private let view: SegmentView
    private let control: SearchControl

    init(_ explainer: ScoreExplainer, _ view: SegmentView, _ control: SearchControl) {
        self.explainer = explainer
        self.view = view
        self.control = control
    }

    /// How the score of a hit came about; nil once the time is up, since the hit itself matters
    /// more.
    func explanation(of document: DocumentNumber) -> ScoreExplanation? {
        do throws(SearchStop) {
            return try explainer.explanation(of: document, in: view, control: control)
        } catch {
            return nil
        }
    }
}
