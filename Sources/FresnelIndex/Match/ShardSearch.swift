import FresnelModel
package import FresnelWire

/// What matching found: a report for each shard, and the hits.
package struct MatchedHits: Sendable {
    /// One for each target, in their order; `worker` and `wireUs` are left to others.
    package var reports: [WireShardReport]
    /// Of a page: hits on its side of the cursor, also those above the limit; else 0.
    package var beyond: UInt64 = 0
    /// Whether a page cannot be had any more: versions it reads are merged away.
    package var isExpired = false
    /// The hits, at most as many as the search is limited to.
    package var hits: HitStream
    /// The found documents counted by value, one for each facet of the search, in its order.
    package var facets: [WireFacetCounts]
    /// Segments in which a filter's documents were known already.
    package var knownFilters: UInt64
}

/// Carries out a plan on the shards of one worker.
package struct ShardSearch: Sendable {
    private let plan: SearchPlan
    private let rarities: [Double]
    private let explainer: ScoreExplainer?
    private let control: SearchControl
    private let counted: CountedMatches?
    /// Microseconds the search waited for a thread.
    private let queued: UInt64
    private let filters: ScopeFilters

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - statistics: the counts of the whole index; without them those of the targets are used.
    ///   - queuedMicroseconds: how long the search has waited, for the reports.
    ///   - counted: what counting for the same search found out, over the targets to be searched.
    ///   - cache: what is known of filters; without one they are matched with the query.
    package init(
        _ plan: SearchPlan, statistics: WireStatistics?, control: SearchControl,
        queuedMicroseconds: UInt64 = 0, counted: CountedMatches? = nil, cache: FilterCache? = nil
    ) {
        self.counted = counted
        filters = ScopeFilters(plan.filters, cache: cache)
        self.plan = plan
        self.control = control
        queued = queuedMicroseconds
        let counts = statistics?.leafDocuments ?? []
        explainer = ScoreExplainer(plan, statistics: statistics ?? WireStatistics())
        rarities = plan.scored.indices.map { place in
            Relevance.rarity(
                documents: statistics?.documents ?? 0,
                matching: place < counts.count ? counts[place] : 0)
        }
    }

    /// Finds, scores and sorts.
    ///
    /// A shard whose search ended early reports what was searched by then, and its hits are kept.
    package func run(_ targets: [SearchTarget]) -> MatchedHits {
        var reports: [WireShardReport] = []
        var found = Found(facets: plan.facets.map(FacetTally.init))
        for target in targets {
            reports.append(search(target, into: &found))
        }
        let hits = HitStream(
            plan.isCountOnly ? [] : found.runs, selection: plan.selection, limit: plan.limit,
            keepsLast: plan.page?.isBackwards == true, highlighter: plan.highlighter,
            control: control)
        var matched = MatchedHits(
            reports: reports, hits: hits,
            facets: found.facets.map(\.wire).fitted(to: Limits.facetBytes),
            knownFilters: found.knownFilters)
        guard plan.page != nil else { return matched }
        matched.beyond = found.runs.reduce(0) { $0 + UInt64($1.beyond) }
        matched.isExpired = !targets.allSatisfy(isReadable)
        return matched
    }

    /// Whether nothing that the search may see was merged away.
    ///
    /// A page must see what the page before it saw; a first page takes what has not expired, for
    /// whatever instant it is asked.
    private func isReadable(_ target: SearchTarget) -> Bool {
        target.sequence >= target.snapshot.oldestReadable
            && (plan.page == nil || plan.now.seconds >= target.snapshot.oldestInstant)
    }

    /// What the segments searched so far gave.
    private struct Found {
        var runs: [HitRun] = []
        var facets: [FacetTally]
        var knownFilters: UInt64 = 0
    }

    private func search(_ target: SearchTarget, into total: inout Found) -> WireShardReport {
        var report = WireShardReport()
        report.index = target.index
        report.shard = target.shard.number
        report.queueUs = queued
        guard isReadable(target) else {
            report.status = .failed
            report.message = """
                the query reads at \(target.sequence.value), versions below \
                \(target.snapshot.oldestReadable.value) or expired before then are merged away; \
                search again
                """
            return report
        }
        // The target's number is the index's: a shard that newer batches did not touch is behind it
        // and whole all the same. Parts are acknowledged only after they were applied here.
        let started = control.now
        let visible = target.snapshot.visible(at: target.sequence, now: plan.now)
        report.owned = visible.reduce(0) { $0 + UInt64($1.count) }
        report.matchUs = (control.now - started).wholeMicroseconds
        do throws(SearchStop) {
            for (published, documents) in zip(target.snapshot.segments, visible) {
                try search(published, documents, of: target, &report, &total)
                report.searched += UInt64(documents.count)
            }
            report.status = .complete
        } catch {
            report.status = error == .deadline ? .deadline : .cancelled
        }
        return report
    }

    private func search(
        _ published: PublishedSegment, _ visible: DocumentSet, of target: SearchTarget,
        _ report: inout WireShardReport, _ total: inout Found
    ) throws(SearchStop) {
        try control.check()
        guard !visible.isEmpty else { return }
        let view = published.view.reading(plan.schema)
        var matcher = SegmentMatcher(plan.comparisons, in: view, control: control)
        if let known = counted?.known(of: published, in: target) { matcher.known = known }
        let started = control.now
        let found: DocumentSet
        switch plan.goal {
        case .matches(let expression):
            let scope = try filters.scope(of: visible, with: &matcher)
            total.knownFilters += scope.known
            found = try matcher.matches(.and([expression] + filters.others), in: scope.documents)
        case .identifiers(let identifiers):
            found = view.segment.documents(withIdentifiers: identifiers, in: visible)
        }
        let count = found.count
        let facets = try facets(of: found, in: view.segment)
        let matched = control.now
        report.matchUs += (matched - started).wholeMicroseconds
        if count > 0, !plan.isCountOnly {
            let scores =
                plan.isScored
                ? try matcher.scores(of: found, by: plan.scored, rarities: rarities) : []
            report.scored += UInt64(scores.count)
            var run = run(view.segment, found.documents, scores, target.index)
            run.explainer = explainer.map {
                SegmentExplainer(explainer: $0, view: view, control: control)
            }
            total.runs.append(run)
            report.scoreUs += (control.now - matched).wholeMicroseconds
        }
        report.found += UInt64(count)
        for (number, part) in facets.enumerated() { total.facets[number].add(part) }
    }

    private func facets(
        of found: DocumentSet, in segment: Segment
    ) throws(SearchStop) -> [FacetTally.Part] {
        var parts: [FacetTally.Part] = []
        for field in plan.facets {
            var counter = SegmentFacetCounter(field, in: segment, control: control)
            parts.append(try counter.count(found))
        }
        return parts
    }

    private func run(
        _ segment: Segment, _ documents: [DocumentNumber], _ scores: [Double], _ index: String
    ) -> HitRun {
        guard plan.isOrdered else {
            let kept = min(plan.limit ?? documents.count, documents.count)
            return HitRun(
                segment, index: index, documents: Array(documents[..<kept]),
                scores: Array(scores.prefix(kept)), order: nil)
        }
        let order = SegmentOrder(plan.order, in: segment, index: index)
        let places: [UInt32]
        var beyond = 0
        if let page = plan.page {
            let side = order.side(of: page, in: documents, scores: scores)
            beyond = side.count
            places = order.nearest(plan.limit, of: side, page, documents, scores)
        } else {
            places = order.first(plan.limit, of: documents, scores: scores)
        }
        var run = HitRun(
            segment, index: index, documents: places.map { documents[Int($0)] },
            scores: scores.isEmpty ? [] : places.map { scores[Int($0)] }, order: order)
        run.beyond = beyond
        return run
    }
}
