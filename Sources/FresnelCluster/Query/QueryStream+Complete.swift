import FresnelModel
import FresnelWire

// Complete: the one place that ends a query and says how complete its answer is.

extension QueryStream {
    /// Why a query ends before every part has reported.
    enum EarlyEnd {
        case cancelled
        case deadline
        /// The client asked for something that it may not.
        case refused(WireFailure)

        /// What is said of the shards that have not reported.
        var shardStatus: WireShardStatus {
            switch self {
            case .cancelled, .refused: .cancelled
            case .deadline: .deadline
            }
        }
    }

    /// Every hit was delivered, every count is known.
    var isSatisfied: Bool { facetLists != nil && hasDelivered }

    /// Nothing more is to come, or nothing more is wanted and all parts have ended.
    private var hasDelivered: Bool {
        // By place: an element that is handed to a closure is a copy of all its references.
        guard parts.indices.allSatisfy({ !parts[$0].isOpen }) else { return false }
        return hasEnough || parts.indices.allSatisfy { parts[$0].hits.isEmpty }
    }

    /// Takes in a worker's last word on its part.
    mutating func finish(part number: Int, with done: WirePartDone, at now: Instant) {
        let fault = parts[number].fault(
            in: done, limit: parts[number].page == nil ? plan.limit : pageShare(of: number),
            sendsHits: !plan.search.countOnly, changes: plan.changes)
        if let fault { return fail(part: number, because: fault, at: now) }
        parts[number].close(
            with: done, facets: plan.isRest ? [] : plan.search.facets, at: now)
        for _ in parts[number].facets.faults { violations.count(.countsTrue) }
    }

    mutating func completeAll(at now: Instant) -> [Action] {
        phase = .finished
        return [toClient(.done(completion(status: nil, at: now)))]
    }

    /// Ends now: what is open is told to stop.
    ///
    /// At the deadline, what the other workers sent is still delivered, in order and as far as the
    /// credit goes; after a cancel nobody wants it. An answer that lacks nothing but the second
    /// round of its facets is whole: those say that they are not exact.
    mutating func end(as end: EarlyEnd, at now: Instant) -> [Action] {
        guard phase != .finished else { return [] }
        var actions: [Action] = []
        let isDeadline = if case .deadline = end { true } else { false }
        let isWhole = isDeadline && phase == .streaming && hasDelivered
        for number in parts.indices {
            if end.shardStatus == .cancelled { parts[number].hits.discard() }
            guard parts[number].isOpen else { continue }
            actions.append(toWorker(number, .cancel))
            parts[number].close(as: end.shardStatus, at: now)
        }
        if phase == .streaming { actions += release() }
        actions += endFacets(at: now)
        phase = .finished
        actions.append(toClient(.done(completion(status: isWhole ? nil : end, at: now))))
        return actions
    }

    private func completion(status: EarlyEnd?, at now: Instant) -> WireDone {
        var done = WireDone()
        var reports = plan.unreachable.map(Self.unreachable)
        for number in parts.indices { reports.gather(parts[number].reports) }
        doubt(&reports)
        if reports.count > 1 { reports.sort { ($0.index, $0.shard) < ($1.index, $1.shard) } }
        done.shards = reports
        let verdict = verdict(on: reports, status)
        done.status = verdict.rawValue
        done.complete = verdict == .complete
        // A worker that is gone or was told to stop may have sent more than it could report.
        done.found = max(reports.map(\.found).saturatingSum, delivered)
        done.searched = reports.map(\.searched).saturatingSum
        done.owned = reports.map(\.owned).saturatingSum
        done.delivered = delivered
        done.kept = isKept
        done.booleans = plan.booleans
        done.statistics = statisticsSource.rawValue
        done.facets = facetLists ?? []
        done.digest = plan.isOrdered ? digest.text : ""
        done.snapshot = snapshots
        done.warnings = (plan.warnings(on: reports) + facetWarnings).map(WireWarning.init)
        done.cutFacets(to: Limits.facetBytes)
        addCursors(to: &done)
        if case .refused(let failure) = status { done.error = failure }
        done.elapsedUs = (now - startedAt).wholeMicroseconds
        return done
    }

    /// What was found in a shard whose replicas differ, or of which somebody holds more than is
    /// known, is told, and is not whole.
    private func doubt(_ reports: inout [WireShardReport]) {
        guard plan.hasDoubts else { return }
        for target in plan.parts.lazy.flatMap(\.targets) where !target.doubt.isEmpty {
            for place in reports.indices
            where reports[place].status == .complete && reports[place].index == target.index
                && reports[place].shard == target.shard.number
            {
                reports[place].status = .failed
                reports[place].message = target.doubt
            }
        }
    }

    /// Asks the one function that decides (FresnelModel.Completion).
    private func verdict(on shards: [WireShardReport], _ end: EarlyEnd?) -> Completion.Status {
        let ending: Completion.Ending =
            switch end {
            case .cancelled: .cancelled
            case .deadline: .deadline
            case .refused: .failed
            case nil: .delivered
            }
        return Completion.verdict(
            ending, shards: shards.map(\.verdictReport),
            coverage: SearchCoverage(fraction: plan.search.coverage) ?? .all)
    }

    private static func unreachable(_ shard: SearchableShard) -> WireShardReport {
        var report = WireShardReport()
        report.index = shard.index
        report.shard = shard.shard.number
        report.status = .unreachable
        report.owned = shard.documents
        report.message = shard.absence
        return report
    }

    var snapshots: [WireIndexSnapshot] {
        // Few indexes: a list is quicker than a table of them.
        var snapshots: [WireIndexSnapshot] = []
        func note(_ shard: SearchableShard) {
            if let place = snapshots.firstIndex(where: { $0.index == shard.index }) {
                let newest = max(snapshots[place].sequence, shard.snapshot.value)
                snapshots[place].sequence = newest
            } else {
                var snapshot = WireIndexSnapshot()
                snapshot.index = shard.index
                snapshot.sequence = shard.snapshot.value
                snapshots.append(snapshot)
            }
        }
        for part in plan.parts { part.targets.forEach(note) }
        plan.unreachable.forEach(note)
        return snapshots.sorted { $0.index < $1.index }
    }
}
