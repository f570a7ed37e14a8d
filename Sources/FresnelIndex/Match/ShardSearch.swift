import FresnelModel
package import FresnelWire

/// What matching found: a report for each shard, and the hits.
package struct MatchedHits: Sendable {
    /// One for each target, in their order; `worker` and `wireUs` are left to others.
    package var reports: [WireShardReport]
    /// The hits, at most as many as the search is limited to.
    package var hits: HitStream
}

/// Carries out a plan on the shards of one worker.
package struct ShardSearch: Sendable {
    private let plan: SearchPlan
    private let rarities: [Double]
    private let control: SearchControl
    /// Microseconds the search waited for a thread.
    private let queued: UInt64

    /// Prepares a search.
    ///
    /// - Parameters:
    ///   - statistics: the counts of the whole index; without them those of the targets are used.
    ///   - queuedMicroseconds: how long the search has waited, for the reports.
    package init(
        _ plan: SearchPlan, statistics: WireStatistics?, control: SearchControl,
        queuedMicroseconds: UInt64 = 0
    ) {
        self.plan = plan
        self.control = control
        queued = queuedMicroseconds
        let counts = statistics?.leafDocuments ?? []
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
        var runs: [HitRun] = []
        for target in targets {
            reports.append(search(target, into: &runs))
        }
        let hits = HitStream(
            plan.isCountOnly ? [] : runs, selection: plan.selection, limit: plan.limit)
        return MatchedHits(reports: reports, hits: hits)
    }

    private func search(_ target: SearchTarget, into runs: inout [HitRun]) -> WireShardReport {
        var report = WireShardReport()
        report.index = target.index
        report.shard = target.shard.number
        report.queueUs = queued
        guard target.sequence >= target.snapshot.oldestReadable else {
            report.status = .failed
            report.message = """
                the query reads at \(target.sequence.value), versions below \
                \(target.snapshot.oldestReadable.value) are merged away; search again
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
                try search(published, documents, of: target, &report, &runs)
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
        _ report: inout WireShardReport, _ runs: inout [HitRun]
    ) throws(SearchStop) {
        try control.check()
        guard !visible.isEmpty else { return }
        let view = published.view.reading(plan.schema)
        var matcher = SegmentMatcher(plan.comparisons, in: view, control: control)
        let started = control.now
        let found: DocumentSet
        switch plan.goal {
        case .matches(let expression): found = try matcher.matches(expression, in: visible)
        case .identifiers(let identifiers):
            found = view.segment.documents(withIdentifiers: identifiers, in: visible)
        }
        let count = found.count
        let matched = control.now
        report.matchUs += (matched - started).wholeMicroseconds
        if count > 0, !plan.isCountOnly {
            let scores =
                plan.isScored
                ? try matcher.scores(of: found, by: plan.scored, rarities: rarities) : []
            runs.append(run(view.segment, found.documents, scores, target.index))
            report.scoreUs += (control.now - matched).wholeMicroseconds
        }
        report.found += UInt64(count)
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
        let places = order.first(plan.limit, of: documents, scores: scores)
        return HitRun(
            segment, index: index, documents: places.map { documents[Int($0)] },
            scores: scores.isEmpty ? [] : places.map { scores[Int($0)] }, order: order)
    }
}

extension Duration {
    /// Whole microseconds, 0 for negative durations.
    fileprivate var wholeMicroseconds: UInt64 { UInt64(max(0, wholeNanoseconds) / 1000) }
}
