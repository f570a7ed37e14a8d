import FresnelKernels
import FresnelWire

// A page begins or ends beside a sort key made elsewhere. Nearly every document lies on one side of
// it by its first field alone, which is compared as a number of the segment; only where that is
// equal, whole keys are made and compared. What a stream goes on behind is a hit of the same
// segment, for which no key is needed.

/// Picks the hits of one window from found documents that come in runs.
struct SegmentSelection {
    /// Which hits may be picked, and how many.
    struct Scope {
        /// Only those on a page's side of its key.
        var page: PagePosition?
        /// Only those behind this hit.
        var after: PlacedHit?
        /// The most hits.
        var limit: Int
        /// Whether the last hits are picked instead of the first.
        var picksLast = false
    }

    private let order: SegmentOrder
    private let scope: Scope
    private let border: SortBorder?
    /// Whether every document may be picked.
    private let isOpen: Bool
    private var top: TopPlaces
    /// How many documents lie on the page's side, picked or not; without a page all.
    private(set) var beyond = 0
    /// How many of those may be picked.
    private(set) var behind = 0
    /// Their best scores, where they are gathered.
    var best: BestScores?

    /// Looks at a run of found documents; `scores` is empty where nothing is scored.
    mutating func insert(
        _ documents: [DocumentNumber], scores: [Double], control: SearchControl
    ) throws(SearchStop) {
        guard documents.count > CheckPace.interval else {
            try control.check()
            return insert(documents, scores)
        }
        for start in stride(from: 0, to: documents.count, by: CheckPace.interval) {
            try control.check()
            let end = min(documents.count, start + CheckPace.interval)
            insert(
                Array(documents[start..<end]), scores.isEmpty ? [] : Array(scores[start..<end]))
        }
    }

    private mutating func insert(_ documents: [DocumentNumber], _ scores: [Double]) {
        let firsts = order.firstPlaces(of: documents, scores: scores)
        for place in documents.indices {
            let score = scores.isEmpty ? 0 : scores[place]
            let first = firsts.isEmpty ? order.place(ofScore: score) : firsts[place]
            insert(PlacedHit(first: first, document: documents[place], score: score))
        }
    }

    /// Looks at one document where the order is by score alone.
    mutating func insert(_ document: DocumentNumber, score: Double) {
        insert(PlacedHit(first: order.place(ofScore: score), document: document, score: score))
    }

    @inline(__always)
    private mutating func insert(_ hit: PlacedHit) {
        guard isOpen || isOnSide(hit) else { return }
        beyond += 1
        if let after = scope.after, !order.precedes(after, hit) { return }
        behind += 1
        best?.insert(hit.score)
        let candidate = scope.picksLast ? hit.turned : hit
        if top.fill(candidate) { return }
        if let least = top.worstFirst, candidate.first > least { return }
        // Captures no `self`: that would hold the heap a second time, and copy it at each insert.
        let precedence = precedence
        top.insert(candidate) { precedence.holds($0, $1) }
    }

    /// The hits picked, in the order of the answer.
    ///
    /// Asked once, at the end.
    mutating func hits(control: SearchControl) throws(SearchStop) -> [PlacedHit] {
        let precedence = precedence
        let sorted = try top.takeSorted(control: control) { precedence.holds($0, $1) }
        return scope.picksLast ? sorted.reversed().map(\.turned) : sorted
    }

    /// The order of picking: turned round, the greatest first field is the best, and so on.
    private struct Precedence {
        let order: SegmentOrder
        let isTurned: Bool

        func holds(_ left: PlacedHit, _ right: PlacedHit) -> Bool {
            isTurned
                ? order.precedes(right.turned, left.turned) : order.precedes(left, right)
        }
    }

    private var precedence: Precedence { Precedence(order: order, isTurned: scope.picksLast) }

    private func isOnSide(_ hit: PlacedHit) -> Bool {
        guard let page = scope.page else { return true }
        let side: Int
        if let border, let decided = border.order(of: hit.first) {
            side = decided
        } else {
            let key = order.key(of: hit.document, score: hit.score)
            side = ByteOrder.compare(key.span, page.key.span)
        }
        return page.isBackwards ? side < 0 : side > 0
    }
}

extension SegmentSelection {
    /// Nothing picked yet.
    init(_ order: SegmentOrder, scope: Scope, best: BestScores? = nil) {
        self.init(
            order: order, scope: scope,
            border: scope.page.flatMap { page in order.columns.first?.border(of: page.key) },
            isOpen: scope.page == nil && scope.after == nil && !scope.picksLast,
            top: TopPlaces(limit: scope.limit), best: best)
    }
}

extension PlacedHit {
    /// The hit with its first field complemented.
    fileprivate var turned: PlacedHit {
        PlacedHit(first: ~first, document: document, score: score)
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
