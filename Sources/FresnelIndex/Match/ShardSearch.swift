import FresnelModel
package import FresnelWire

/// What matching found: a report for each shard, and the hits.
package struct MatchedHits: Sendable {
    /// One for each target, in their order.
    package var shards: [SearchedShard]
    /// The same as they travel; made when asked for.
    package var reports: [WireShardReport] { shards.map(\.report) }
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
    let plan: SearchPlan
    /// What scores, of a plan that is scored.
    private let terms: ScoringTerms
    let control: SearchControl
    let counted: CountedMatches?
    /// Microseconds the search waited for a thread.
    private let queued: UInt64
    private let filters: ScopeFilters
    /// The most hits kept in order at once, but for one a segment.
    package var windowHits = Limits.searchWindowHits
    /// Bytes of all facets as they are listed.
    package var facetBytes = Limits.facetBytes

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - counts: those of the whole index, which a plan that is scored needs.
    ///   - queuedMicroseconds: how long the search has waited, for the reports.
    ///   - counted: what counting for the same search found out, over the targets to be searched.
    ///   - cache: what is known of filters; without one they are matched with the query.
    package init(
        _ plan: SearchPlan, counts: MatchCounts?, control: SearchControl,
        queuedMicroseconds: UInt64 = 0, counted: CountedMatches? = nil, cache: FilterCache? = nil
    ) {
        self.counted = counted
        filters = ScopeFilters(plan.filters, cache: cache)
        self.plan = plan
        self.control = control
        queued = queuedMicroseconds
        guard plan.isScored else {
            terms = .none
            return
        }
        terms = ScoringTerms(plan, counts ?? .none)
    }

    /// Finds, scores and sorts.
    ///
    /// A shard whose search ended early reports what was searched by then, and its hits are kept.
    package func run(_ targets: [SearchTarget]) -> MatchedHits {
        var found = Found(plan, targets, windowHits: windowHits)
        var shards: [SearchedShard] = []
        for place in targets.indices {
            let shard = search(targets[place], into: &found)
            // Mostly the only one, which is made room for at once.
            if shards.isEmpty { shards = [shard] } else { shards.append(shard) }
        }
        let facets = lists(of: found, &shards)
        let isPage = plan.page != nil
        return MatchedHits(
            shards: shards, beyond: isPage ? UInt64(found.beyond) : 0,
            isExpired: isPage && !targets.allSatisfy(isReadable),
            hits: HitStream(
                found.runs, available: found.available, of: plan, floor: found.floor,
                control: control),
            facets: facets, knownFilters: found.knownFilters)
    }

    /// Counts once more, for the values that the lists of the first round left out.
    ///
    /// - Parameter rest: what is asked for. A stopped search reports so and has no values.
    package func run(_ targets: [SearchTarget], rest: [WireFacetRest]) -> MatchedRest {
        var found = Found(plan, targets, windowHits: windowHits)
        var shards = targets.map { search($0, into: &found) }
        let started = control.now
        var entries: [(key: [UInt8], count: UInt64)] = []
        do throws(FacetRestStop) {
            for rest in rest where Int(rest.facet) < found.facets.count {
                entries += try found.facets[Int(rest.facet)].rest(
                    ofFacet: Int(rest.facet), behind: rest.hasLast ? rest.last : nil,
                    control: control)
            }
        } catch {
            entries = []
            for number in shards.indices where shards[number].status == .complete {
                shards[number].status = error.status
                shards[number].message = error.message
            }
        }
        if !shards.isEmpty {
            shards[0].matchMicroseconds += control.now.microseconds(since: started)
        }
        return MatchedRest(
            shards: shards, facets: found.facets.map(\.summary),
            values: FacetRestStream(entries), knownFilters: found.knownFilters)
    }

    /// Whether nothing that the search may see was merged away.
    ///
    /// Also who asks for the first time must not find less than had not expired at the instant
    /// that is asked for.
    private func isReadable(_ target: SearchTarget) -> Bool {
        target.sequence >= target.snapshot.oldestReadable
            && plan.now.seconds >= target.snapshot.oldestInstant
    }

    /// What was merged away that the search may see.
    private func unreadable(_ target: SearchTarget) -> String {
        let snapshot = target.snapshot
        guard target.sequence >= snapshot.oldestReadable else {
            return """
                the query reads at \(target.sequence.value), versions below \
                \(snapshot.oldestReadable.value) are merged away
                """
        }
        let dropped = Timestamp(seconds: snapshot.oldestInstant) ?? plan.now
        return """
            the query asks as of \(plan.now), and what expired until \(dropped) is merged away
            """
    }

    private func search(_ target: SearchTarget, into total: inout Found) -> SearchedShard {
        var report = SearchedShard(target)
        report.queueMicroseconds = queued
        guard isReadable(target) else {
            report.status = .failed
            report.message = unreadable(target)
            return report
        }
        // The target's number is the index's: a shard that newer batches did not touch is behind it
        // and whole all the same. Parts are acknowledged only after they were applied here.
        let started = control.now
        report.owned = target.snapshot.liveCount
        report.sequence = min(target.sequence, target.snapshot.sequence).value
        report.nextExpiration = target.snapshot.segments.toldExpiration(after: plan.now)
        do throws(SearchStop) {
            let first = counted?.start(of: target)
            let visible = try visible(target, first)
            let segments = target.snapshot.segments
            report.owned = segments.indices.reduce(0) {
                $0 + UInt64(visible[$1 + (first ?? 0)].count)
            }
            report.matchMicroseconds = microseconds(since: started, first)
            for place in segments.indices {
                try control.check()
                let documents = visible[place + (first ?? 0)]
                if !documents.isEmpty {
                    var matcher = matcher(of: segments[place], place, first, target)
                    matcher.control = control
                    let found = try search(documents, of: target, with: &matcher, &report, &total)
                    try countValues(
                        of: found, in: matcher.segment, target, &report, &total)
                }
                total.documentsLeft -= segments[place].segment.documentCount
                report.searched += UInt64(documents.count)
            }
            report.status = .complete
        } catch {
            report.status = error == .deadline ? .deadline : .cancelled
        }
        return report
    }

    /// Searches a segment; returns what it found where that was gathered, which it is for facets.
    private func search(
        _ visible: DocumentSet, of target: SearchTarget, with matcher: inout SegmentMatcher,
        _ report: inout SearchedShard, _ total: inout Found
    ) throws(SearchStop) -> DocumentSet? {
        let started = control.now
        let found: DocumentSet
        switch plan.goal {
        case .matches(let expression):
            let scope = try filters.scope(of: visible, with: &matcher)
            total.knownFilters += scope.known
            let isOpen = filters.others.isEmpty
            if isOpen, DirectAnswer.isPossible(for: plan) {
                let isAnswered = try answer(
                    expression, in: scope.documents, with: &matcher, of: target, started, &report,
                    &total)
                if isAnswered { return nil }
            }
            if isOpen, scope.documents.isAll,
                let some = try someDocuments(of: expression, with: &matcher)
            {
                found = some
                break
            }
            let whole = isOpen ? expression : .and([expression] + filters.others)
            found = try matcher.matches(whole, in: scope.documents)
        case .identifiers(let identifiers):
            found = matcher.segment.documents(withIdentifiers: identifiers, in: visible)
        }
        let count = found.count
        let matched = control.now
        report.matchMicroseconds += matched.microseconds(since: started)
        if count > 0, !plan.isCountOnly {
            let source = source(
                FoundDocuments(found, count: count), in: matcher.view, target, total)
            let window = try source.firstWindow(
                with: matcher, floor: total.floor, best: total.best)
            total.add(source, window, to: &report)
            report.scoreMicroseconds += control.now.microseconds(since: matched)
        }
        report.found += UInt64(count)
        return found
    }

    /// As many documents as are wanted; nil where all are to be found.
    private func someDocuments(
        of expression: PlannedExpression, with matcher: inout SegmentMatcher
    ) throws(SearchStop) -> DocumentSet? {
        guard !plan.countsAll, !plan.isOrdered, !plan.isScored, !plan.isCountOnly,
            plan.facets.isEmpty, plan.page == nil, let limit = plan.limit
        else { return nil }
        return try matcher.anyDocuments(of: expression, atLeast: limit)
    }

    /// Answers a query that needs no set of what it finds; false when the query is another.
    private func answer(
        _ expression: PlannedExpression, in candidates: DocumentSet,
        with matcher: inout SegmentMatcher, of target: SearchTarget, _ started: Instant,
        _ report: inout SearchedShard, _ total: inout Found
    ) throws(SearchStop) -> Bool {
        var direct = DirectAnswer(
            plan, plan.isScored ? terms : nil, in: candidates,
            isLast: total.documentsLeft <= matcher.documentCount)
        guard let count = try direct.count(expression, with: &matcher) else { return false }
        guard count > 0, !plan.isCountOnly else {
            try control.check()
            report.found += UInt64(count)
            report.matchMicroseconds += control.now.microseconds(since: started)
            return true
        }
        let found =
            if let gathered = direct.gathered {
                FoundDocuments(gathered, count: count)
            } else {
                FoundDocuments(count: count, matching: expression, of: matcher.documentCount)
            }
        let source = source(found, in: matcher.view, target, total)
        guard
            let window = try direct.window(source, count, with: &matcher, total.best)
        else { return false }
        try control.check()
        total.add(source, window, to: &report)
        report.found += UInt64(count)
        report.scoreMicroseconds += control.now.microseconds(since: started)
        return true
    }

    private func source(
        _ found: FoundDocuments, in view: SegmentView, _ target: SearchTarget, _ total: Found
    ) -> FoundHits {
        FoundHits(
            view: view, target: target, found: found, plan: plan,
            terms: plan.isScored ? terms : nil,
            order: plan.isOrdered
                ? SegmentOrder(plan.order, in: view.segment, indexName: target.indexName) : nil,
            explainer: terms.explainer.map { SegmentExplainer($0, view, control) },
            windowLength: total.windowLength(of: view.segment), picksLast: total.picksLast)
    }
}
