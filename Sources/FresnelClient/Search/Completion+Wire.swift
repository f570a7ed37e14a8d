import FresnelWire

extension Completion {
    /// The completion that DONE carries, or the error that makes it unreadable.
    static func result(of done: WireDone) -> Result<Completion, SearchError> {
        do throws(SearchError) {
            return .success(try Completion(done))
        } catch {
            return .failure(error)
        }
    }

    /// Reads DONE.
    init(_ done: WireDone) throws(SearchError) {
        guard let status = Status(rawValue: done.status) else {
            throw SearchError(
                .malformedMessage, "the broker sent a completion of status \"\(done.status)\"")
        }
        var reports: [ShardReport] = []
        for shard in done.shards { reports.append(try ShardReport(shard)) }
        self.init(status: status, shards: reports)
        found = done.found
        searched = done.searched
        owned = done.owned
        delivered = done.delivered
        digest = done.digest
        // An older broker does not say; then nothing is claimed.
        statistics = Statistics(rawValue: done.statistics) ?? .none
        isKept = done.kept
        if !done.nextBytes.isEmpty { next = SearchCursor(bytes: done.nextBytes) }
        if !done.previousBytes.isEmpty { previous = SearchCursor(bytes: done.previousBytes) }
        let booleans = BooleanAttributes(keys: done.booleans)
        facets = done.facets.map { FacetCounts($0, booleans) }
        for entry in done.snapshot {
            snapshot[try IndexName(entry.index)] = SequenceNumber(entry.sequence)
        }
        warnings = done.warnings.map {
            Warning($0.message, offset: $0.hasOffset ? Int($0.offset) : nil)
        }
        elapsed = .microseconds(Int64(clamping: done.elapsedUs))
        if done.hasError { error = SearchError(done.error) }
    }
}

extension ShardReport {
    init(_ report: WireShardReport) throws(SearchError) {
        self.init(
            index: try IndexName(report.index), shard: ShardID(report.shard),
            worker: report.worker.isEmpty ? nil : WorkerID(report.worker),
            status: ShardStatus(report.status))
        searched = report.searched
        owned = report.owned
        found = report.found
        scored = report.scored
        skipped = report.skipped
        knownFilters = report.knownFilters
        timings = Timings(
            queue: report.hasQueueUs ? report.queueUs : nil,
            match: report.hasMatchUs ? report.matchUs : nil,
            score: report.hasScoreUs ? report.scoreUs : nil,
            fetch: report.hasFetchUs ? report.fetchUs : nil,
            wire: report.hasWireUs ? report.wireUs : nil, facets: report.facetUs)
        message = report.message
    }
}

extension ShardStatus {
    init(_ status: WireShardStatus) {
        self =
            switch status {
            case .complete: .complete
            case .deadline: .deadline
            case .cancelled: .cancelled
            case .shed: .shed
            case .unreachable: .unreachable
            case .failed, .unspecified, .UNRECOGNIZED: .failed
            }
    }
}
