import FresnelWire

// A search keeps which documents it found, as a set, and of their order only a window: the hits
// that come next. When they are taken, the set is gone through again for the hits behind the last
// of them. So what a search keeps in order does not grow with what it found; scores are made again,
// bit for bit the same, for hits that somebody takes (decision 0011).

/// The found documents of one segment, put in order window by window.
///
/// A class, so that a stream of their hits counts one reference a hit, not those of all parts.
final class FoundHits: Sendable {
    /// The segment under the schema of the search.
    let view: SegmentView
    /// The index they belong to.
    let index: String
    /// Its name in UTF-8.
    let indexName: [UInt8]
    /// The documents.
    let found: FoundDocuments
    let plan: SearchPlan
    /// What scores them; nil where nothing is scored.
    let terms: ScoringTerms?
    /// Their order; nil where the answer has none.
    let order: SegmentOrder?
    /// Explains their scores; nil unless asked for.
    let explainer: SegmentExplainer?
    /// The most hits of a window.
    let windowLength: Int
    /// Whether the one window there is has the last hits, not the first.
    let picksLast: Bool
    /// Lays out hits that are sent front-coded; nil where they have more than an identifier.
    let bareHits: BareSource?

    init(
        view: SegmentView, target: SearchTarget, found: FoundDocuments, plan: SearchPlan,
        terms: ScoringTerms?, order: SegmentOrder?, explainer: SegmentExplainer?,
        windowLength: Int, picksLast: Bool
    ) {
        self.view = view
        index = target.index
        indexName = target.indexName
        self.found = found
        self.plan = plan
        self.terms = terms
        self.order = order
        self.explainer = explainer
        self.windowLength = windowLength
        self.picksLast = picksLast
        let isBare =
            found.count > Self.bareCount && order == nil && terms == nil && explainer == nil
            && plan.isBare && plan.isFrontCoded
        let name = indexName
        let beginning = isBare ? view.segment.beginnings : nil
        bareHits = beginning.map {
            BareSource(hits: BareHits(index: name, head: $0.head), others: $0.others)
        }
    }

    /// Hits below which laying them out at once is not worth looking how documents begin.
    private static let bareCount = 64

    /// Some hits that follow each other in the answer.
    struct Window {
        var hits: [PlacedHit] = []
        /// The same where they have neither order nor score: `hits` is empty then.
        var documents: [DocumentNumber] = []
        /// Whether nothing is behind them.
        var isLast = true
        /// How many documents lie on the page's side; without a page all.
        var beyond = 0
        /// How many documents were scored.
        var scored = 0
        /// The best scores so far, where they are gathered.
        var best: BestScores?

        /// How many hits.
        var count: Int { documents.isEmpty ? hits.count : documents.count }

        /// One hit; `place` is in 0..<`count`.
        func hit(at place: Int) -> PlacedHit {
            documents.isEmpty
                ? hits[place] : PlacedHit(first: 0, document: documents[place], score: 0)
        }
    }

    /// The first window.
    ///
    /// - Parameters:
    ///   - matcher: what matched the segment, for what it knows.
    ///   - floor: the score below which hits are not wanted.
    ///   - best: the best scores of the segments before.
    func firstWindow(
        with matcher: SegmentMatcher, floor: ScoreFloor?, best: BestScores?
    ) throws(SearchStop) -> Window {
        guard let order else {
            return Window(isLast: found.count == 0, beyond: found.count)
        }
        let scope = SegmentSelection.Scope(
            page: plan.page, limit: windowLength, picksLast: picksLast)
        return try window(SegmentSelection(order, scope: scope, best: best), matcher, floor)
    }

    /// The window behind a hit; nil stands before all hits of an answer without order.
    func window(
        behind last: PlacedHit?, floor: ScoreFloor?, control: SearchControl
    ) throws(SearchStop) -> Window {
        guard let order else { return try unorderedWindow(behind: last, control) }
        let matcher = SegmentMatcher(
            plan.comparisons(in: index), in: view, control: control)
        let scope = SegmentSelection.Scope(page: plan.page, after: last, limit: windowLength)
        return try window(SegmentSelection(order, scope: scope), matcher, floor)
    }

    private func window(
        _ empty: SegmentSelection, _ matcher: SegmentMatcher, _ floor: ScoreFloor?
    ) throws(SearchStop) -> Window {
        var selection = empty
        var window = Window()
        var matcher = matcher
        let documents = try found.gathered(by: &matcher)
        if let terms {
            var floor = floor
            let isStaged = selection.best != nil || floor?.value(matcher.control) != nil
            var runs = try ScoredRuns(documents, terms, with: matcher, isStaged: isStaged)
            while let run = try runs.next(above: floor?.value(matcher.control)) {
                try selection.insert(run.documents, scores: run.scores, control: matcher.control)
                if let least = selection.best?.floor { floor?.inner = least }
            }
            window.scored = runs.count
        } else {
            var runs = DocumentRuns(documents, control: matcher.control)
            while let run = try runs.next() {
                try selection.insert(run, scores: [], control: matcher.control)
            }
            window.scored = documents.count
        }
        window.hits = try selection.hits(control: matcher.control)
        window.isLast = picksLast || selection.behind == window.hits.count
        // What was not worth scoring lies behind every page: its score is below that of the key.
        window.beyond = selection.beyond + documents.count - window.scored
        window.best = selection.best
        return window
    }

    /// Short at first, so that the first hits come soon.
    private func unorderedWindow(
        behind last: PlacedHit?, _ control: SearchControl
    ) throws(SearchStop) -> Window {
        try control.check()
        let length = last == nil ? min(windowLength, CheckPace.interval) : windowLength
        let start = last.map { Int($0.document) + 1 } ?? 0
        var window = Window()
        // Nothing has to be matched for documents that are known and do not score.
        if terms == nil, let known = found.known {
            window.documents = known.documents(from: start, atMost: length)
            window.isLast = window.documents.count < length
            return window
        }
        var matcher = SegmentMatcher(
            plan.comparisons(in: index), in: view, control: control)
        let documents = try found.gathered(by: &matcher)
        let numbers = documents.documents(from: start, atMost: length)
        window.isLast = numbers.count < length
        guard let terms else {
            window.documents = numbers
            return window
        }
        matcher.gathered = GatheredDocuments(
            whole: DocumentSet(.list(numbers), of: documents.documentCount))
        let scores = try matcher.scores(of: numbers, by: terms, FieldWeights(view))
        window.hits = numbers.indices.map { place in
            PlacedHit(first: 0, document: numbers[place], score: scores[place])
        }
        return window
    }
}
