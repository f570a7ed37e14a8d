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
            sendsHits: !plan.search.countOnly, facets: plan.search.facets,
            changes: plan.changes)
        if let fault { return fail(part: number, because: fault, at: now) }
        parts[number].close(with: done, at: now)
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
        for number in parts.indices { reports += parts[number].reports }
        done.shards = reports.sorted { ($0.index, $0.shard) < ($1.index, $1.shard) }
        let verdict = verdict(on: done.shards, status)
        done.status = verdict.rawValue
        done.complete = verdict == .complete
        // A worker that is gone or was told to stop may have sent more than it could report.
        done.found = max(done.shards.map(\.found).saturatingSum, delivered)
        done.searched = done.shards.map(\.searched).saturatingSum
        done.owned = done.shards.map(\.owned).saturatingSum
        done.delivered = delivered
        done.statistics = statisticsSource.rawValue
        done.facets = facetLists ?? []
        done.digest = plan.isOrdered ? digest.text : ""
        done.snapshot = snapshots
        done.warnings = plan.warnings.map(WireWarning.init)
        done.cutFacets(to: Limits.facetBytes)
        addCursors(to: &done)
        if case .refused(let failure) = status { done.error = failure }
        done.elapsedUs = (now - startedAt).wholeMicroseconds
        return done
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
        var newest: [String: SequenceNumber] = [:]
        for shard in plan.parts.flatMap(\.targets) + plan.unreachable {
            newest[shard.index] = max(newest[shard.index] ?? .zero, shard.snapshot)
        }
        return newest.sorted { $0.key < $1.key }.map { index, sequence in
            var snapshot = WireIndexSnapshot()
            snapshot.index = index
            snapshot.sequence = sequence.value
            return snapshot
        }
    }
}
