import FresnelModel
import FresnelSystem

/// The tables of a new segment that are made of the weighted occurrences of frequent words: each
/// word is gone through once for all of them.
struct ScoreTables {
    private(set) var best = BestPostingsContents()
    private(set) var impacts = ImpactContents()
    /// Weight and reference length of each attribute; 0 for those that take no part.
    let constants: [Double]

    /// - Parameters:
    ///   - lists: the postings.
    ///   - weights: of the attributes as the table has them.
    ///   - filter: the attributes that the table knows: no schema gives them other weights.
    ///   - ranks: the place of each document's identifier.
    init(
        _ lists: PostingLists, _ weights: FieldWeights, in filter: AttributeFilter,
        ranks: PackedArray<UInt32>
    ) {
        constants = (0..<weights.count).flatMap { place in
            let factors = weights.factors(of: AttributeOrdinal(place))
            return filter.contains(AttributeOrdinal(place))
                ? [factors.weight, factors.reference] : [0, 0]
        }
        var documents: [DocumentNumber] = []
        var sums: [Double] = []
        var yieldPace = YieldPace()
        for term in 0..<TermID(lists.count)
        where lists.documentCount(of: term) > SegmentFormat.impactDocuments
            && filter.covers(lists.attributeMask(of: term))
        {
            documents.removeAll(keepingCapacity: true)
            sums.removeAll(keepingCapacity: true)
            var cursor = lists.cursor(for: term)
            while !cursor.isAtEnd {
                yieldPace.step(every: 128)
                documents.append(cursor.documentNumber)
                sums.append(cursor.weightedOccurrences(in: filter, weights))
                cursor.advance()
            }
            impacts.append(term, sums: sums)
            yieldPace.step()
            guard documents.count > SegmentFormat.bestPostingsDocuments else { continue }
            best.append(term, documents, sums, ranks)
            yieldPace.step()
        }
    }
}
