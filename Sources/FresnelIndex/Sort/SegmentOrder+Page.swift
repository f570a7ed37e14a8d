import FresnelKernels
import FresnelWire

// A page begins or ends beside a sort key made elsewhere. Nearly every document lies on one side of
// it by its first field alone, which is compared as a number of the segment; only where that is
// equal, whole keys are made and compared.

extension SegmentOrder {
    /// The found documents on the page's side of its key, as places in `documents`, ascending.
    func side(
        of page: PagePosition, in documents: [DocumentNumber], scores: [Double]
    ) -> [UInt32] {
        let border = columns.first?.border(of: page.key)
        let firsts = border == nil ? [] : columns[0].places(of: documents, scores: scores)
        var side: [UInt32] = []
        for place in documents.indices {
            let order: Int
            if let border, let decided = border.order(of: firsts.isEmpty ? 0 : firsts[place]) {
                order = decided
            } else {
                let key = key(of: documents[place], score: scores.isEmpty ? 0 : scores[place])
                order = ByteOrder.compare(key.span, page.key.span)
            }
            if page.isBackwards ? order < 0 : order > 0 { side.append(UInt32(place)) }
        }
        return side
    }

    /// Of the places on a page's side, the `limit` nearest to its key, in the order of the answer.
    func nearest(
        _ limit: Int?, of side: [UInt32], _ page: PagePosition, _ documents: [DocumentNumber],
        _ scores: [Double]
    ) -> [UInt32] {
        let kept = side.map { documents[Int($0)] }
        let keptScores = scores.isEmpty ? [] : side.map { scores[Int($0)] }
        guard page.isBackwards, let limit, limit < side.count else {
            return first(limit, of: kept, scores: keptScores).map { side[Int($0)] }
        }
        // Turned round: the greatest first field is the best, and so on.
        var top = TopPlaces(limit: limit)
        let firsts = columns.first?.places(of: kept, scores: keptScores) ?? []
        let follows = { (left: TopPlaces.Candidate, right: TopPlaces.Candidate) in
            precedes(
                TopPlaces.Candidate(first: ~right.first, place: right.place),
                TopPlaces.Candidate(first: ~left.first, place: left.place), kept, keptScores)
        }
        for place in kept.indices {
            let first = ~(firsts.isEmpty ? 0 : firsts[place])
            if let least = top.worstFirst, first > least { continue }
            top.insert(TopPlaces.Candidate(first: first, place: UInt32(place)), by: follows)
        }
        return top.sorted(by: follows).reversed().map { side[Int($0)] }
    }
}

/// What the first field alone says about documents before and behind a sort key.
struct SortBorder: Hashable {
    /// Documents with a smaller place precede the key.
    let lower: UInt64
    /// Whether the first field is that of the key at `lower` itself; what is greater follows.
    let isShared: Bool

    /// Below 0 before the key, above 0 behind it; nil when the first field does not decide.
    func order(of place: UInt64) -> Int? {
        if place < lower { return -1 }
        return isShared && place == lower ? nil : 1
    }
}
