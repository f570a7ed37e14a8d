import FresnelKernels
package import FresnelModel
import FresnelWire

// The changes of an answer between two states: hits that are gone, then hits that are new, each in
// the order of the answer. Their sort keys begin with a byte that says which they are, so that
// streams of several shards merge into the same order as any answer does. They end with the number
// of the shard: while a document moves, two shards may have it, and no two changes share a key.

/// One shard of which changes are asked: what is read, and what was read before.
package struct ChangeTarget: Sendable {
    /// The shard and the newer state's sequence number.
    package let target: SearchTarget
    /// The former state's sequence number; 0 for nothing.
    package let since: SequenceNumber

    /// Makes a target.
    package init(_ target: SearchTarget, since: SequenceNumber) {
        self.target = target
        self.since = since
    }
}

/// Finds what of an answer changed, in the shards of one worker.
package struct ShardChanges: Sendable {
    private let plan: SearchPlan
    private let formerNow: Timestamp
    private let newerNow: Timestamp
    private let control: SearchControl
    private let direct: DirectMatcher

    /// Prepares to compare what a plan finds at two instants.
    package init(
        _ plan: SearchPlan, direct: DirectMatcher, fromNow: Timestamp, toNow: Timestamp,
        control: SearchControl
    ) {
        self.direct = direct
        self.plan = plan
        formerNow = fromNow
        newerNow = toNow
        self.control = control
    }

    /// Finds the changes; with a page in the plan, those behind its key.
    ///
    /// `isExpired` tells that a former state cannot be read any more.
    package func run(_ targets: [ChangeTarget]) -> MatchedHits {
        var runs: [HitRun] = []
        let shards = targets.map { search($0, into: &runs) }
        let available = runs.reduce(0) { $0 + $1.kept }
        let hits = HitStream(
            plan.isCountOnly ? [] : runs, available: available, of: plan, floor: nil,
            control: control)
        var matched = MatchedHits(shards: shards, hits: hits, facets: [], knownFilters: 0)
        if plan.page != nil { matched.beyond = UInt64(available) }
        matched.isExpired = !targets.allSatisfy(isReadable)
        return matched
    }

    /// Whether nothing that either state shows was merged away.
    ///
    /// Of a former state that is nothing only the newer one is read.
    private func isReadable(_ changes: ChangeTarget) -> Bool {
        let snapshot = changes.target.snapshot
        let isNewerReadable =
            changes.target.sequence >= snapshot.oldestReadable
            && newerNow.seconds >= snapshot.oldestInstant
        let isFormerReadable =
            changes.since == .zero
            || changes.since >= snapshot.oldestReadable
                && formerNow.seconds >= snapshot.oldestInstant
        return isNewerReadable && isFormerReadable
    }

    private func search(_ changes: ChangeTarget, into runs: inout [HitRun]) -> SearchedShard {
        let target = changes.target
        var report = SearchedShard(target)
        guard isReadable(changes) else {
            report.status = .failed
            report.message = """
                changes from \(changes.since.value) to \(target.sequence.value) are asked, \
                versions below \(target.snapshot.oldestReadable.value) or expired before then \
                are merged away
                """
            return report
        }
        let started = control.now
        var own: [HitRun] = []
        var (found, removed) = (UInt64(0), UInt64(0))
        do throws(SearchStop) {
            let differences = try target.snapshot.changes(
                from: ReadingPoint(sequence: changes.since, now: formerNow),
                to: ReadingPoint(sequence: target.sequence, now: newerNow), control: control)
            report.owned = differences.reduce(0) { $0 + UInt64($1.removed.count + $1.added.count) }
            let next = try target.snapshot.segments.nextExpiration(
                after: newerNow, control: control)
            report.nextExpiration = next.isFinite ? next : 0
            for (published, difference) in zip(target.snapshot.segments, differences)
            where !difference.isEmpty {
                let matched = try matches(difference, in: published, target)
                found += UInt64(matched.removed.count + matched.added.count)
                removed += UInt64(matched.removed.count)
                own += try self.runs(of: matched, in: published.view, target)
            }
            (report.found, report.removed) = (found, removed)
            runs += own
            report.searched = report.owned
            report.status = .complete
        } catch {
            report.status = error == .deadline ? .deadline : .cancelled
        }
        report.matchMicroseconds = control.now.microseconds(since: started)
        return report
    }

    /// Those of the changed documents that the plan looks for.
    private func matches(
        _ changes: SegmentChanges, in published: PublishedSegment, _ target: SearchTarget
    ) throws(SearchStop) -> SegmentChanges {
        try control.check()
        if let found = direct.matches(
            changes.documents, in: published.segment, of: target.index)
        {
            return SegmentChanges(
                removed: changes.removed.filter { found.contains($0) },
                added: changes.added.filter { found.contains($0) })
        }
        let view = published.view.reading(plan.schema)
        let count = view.segment.documentCount
        let candidates = DocumentSet(.list(changes.documents), of: count)
        let found: DocumentSet
        switch plan.goal {
        case .matches(let expression):
            var matcher = SegmentMatcher(
                plan.comparisons(in: target.index), in: view, control: control)
            let filters = plan.filters.map(\.expression)
            found = try matcher.matches(.and([expression] + filters), in: candidates)
        case .identifiers(let identifiers):
            found = view.segment.documents(withIdentifiers: identifiers, in: candidates)
        }
        return SegmentChanges(
            removed: changes.removed.filter { found.contains($0) },
            added: changes.added.filter { found.contains($0) })
    }

    /// What is gone and what is new of one segment, each in order and in memory.
    private func runs(
        of changes: SegmentChanges, in view: SegmentView, _ target: SearchTarget
    ) throws(SearchStop) -> [HitRun] {
        var runs: [HitRun] = []
        let parts = [(ChangeKeys.removed, changes.removed), (ChangeKeys.added, changes.added)]
        for (mark, documents) in parts where !documents.isEmpty {
            let fields = plan.isOrdered ? plan.order : []
            let order = SegmentOrder(
                fields, in: view.segment, indexName: target.indexName,
                frame: SegmentOrder.Frame(
                    before: [mark], behind: ChangeKeys.ending(of: target.shard)))
            let scope = SegmentSelection.Scope(limit: documents.count)
            var selection = SegmentSelection(order, scope: scope)
            try selection.insert(documents, scores: [], control: control)
            let hits = behindPage(try selection.hits(control: control), order)
            let found = DocumentSet(.list(documents), of: view.segment.documentCount)
            let source = FoundHits(
                view: view, target: target, found: FoundDocuments(found), plan: plan, terms: nil,
                order: order, explainer: nil, windowLength: hits.count, picksLast: false)
            runs.append(HitRun(source, FoundHits.Window(hits: hits, beyond: hits.count)))
        }
        return runs
    }

    /// Hits in order whose keys lie behind that of the page.
    private func behindPage(_ hits: [PlacedHit], _ order: SegmentOrder) -> [PlacedHit] {
        guard let page = plan.page else { return hits }
        let first = Bisection.end(from: 0, to: hits.count) { place in
            let key = order.key(of: hits[place].document, score: 0)
            return !page.key.lexicographicallyPrecedes(key)
        }
        return Array(hits[first...])
    }
}
