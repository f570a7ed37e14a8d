package import FresnelModel
package import FresnelWire

/// One worker's share of a query, as the broker sees it.
package struct QueryPart: Sendable {
    /// Where the part stands.
    package enum Phase: Hashable, Sendable {
        /// Asked for term statistics.
        case counting
        /// Asked for hits; they may be arriving.
        case streaming
        /// Nothing more will come, or nothing more is wanted.
        case closed
    }

    package let worker: WorkerID
    package private(set) var targets: [SearchableShard]
    package var phase: Phase
    /// What the worker was granted and has used.
    package var window: CreditWindow
    /// Hits that arrived and were not yet released.
    package internal(set) var hits = HitBuffer()
    /// The sequence number the next FOUND must have.
    package internal(set) var expectedSequence: UInt64 = 0
    /// What the worker reported about its shards, or what we say for it.
    package var reports: [WireShardReport] = []
    package var statistics: WireStatistics?
    /// The facets of the reported shards.
    var facets = PartFacets()
    /// Whether the worker reported its shards: nothing of it may follow.
    package private(set) var hasReported = false
    /// What matching counted, told with the first hits: it stands when the query ends early.
    var counted: [WireShardReport] = []
    /// The sort key of the newest hit that arrived.
    var lastKey: [UInt8] = []
    /// The newest key that the worker named as its bound; empty until it did.
    var bound: [UInt8] = []
    /// Hits on the page's side of its cursor, as the worker said; 0 until it did.
    package internal(set) var beyond: UInt64 = 0
    /// Whether the worker knows that no more hits are wanted.
    package var wasToldEnough = false
    /// The key behind which the worker knows that no hits are wanted.
    var threshold: [UInt8]?
    /// The page that was asked for; its hits lie on one side of its key.
    var page: PagePosition?
    /// Whether its worker was lost, before or after it reported: what comes under its name now may
    /// be another replica's.
    var isWorkerLost = false
    /// Whether it goes on where another part stopped.
    var isResumed = false
    /// Whether the statistics it scores with were accepted by a worker that it goes on for.
    var isConfirmed = false
    /// What its worker may say, where it is asked for the rest of its facets.
    var rest: FacetRestCheck?
    /// What came of each kind in a round of changes; nil where no changes are sent.
    var changes: ChangeTally?
    /// When the part was first asked, for its counts or its hits.
    ///
    /// What is not spent in its shards is the wire, and waiting for other counts and for credit.
    package var sentAt: Instant?

    package init(worker: WorkerID, targets: [SearchableShard], phase: Phase, window: CreditWindow) {
        self.worker = worker
        self.targets = targets
        self.phase = phase
        self.window = window
    }

    /// Whether the worker has begun to answer.
    var wasHeard: Bool { expectedSequence > 0 || hasReported }

    /// Whether it ended otherwise than by its answer, its deadline or somebody's wish.
    var hasFailed: Bool {
        phase == .closed && !reports.contains { $0.status == .deadline || $0.status == .cancelled }
    }

    /// Whether hits may still arrive.
    package var isOpen: Bool {
        switch phase {
        case .counting, .streaming: true
        case .closed: false
        }
    }

    /// The totals to grant so that `items` and `bytes` are outstanding again, once less than half
    /// of that is left; nil while more is.
    package mutating func refill(items: UInt64, bytes: UInt64) -> (items: UInt64, bytes: UInt64)? {
        guard case .streaming = phase else { return nil }
        let outstandingItems = window.grantedItems - hits.consumedItems
        let outstandingBytes = window.grantedBytes - hits.consumedBytes
        // Less than the largest batch is of no use to a worker.
        let fewBytes = max(bytes / 2, Limits.hitBatchBytes - 1)
        guard outstandingItems <= items / 2 || outstandingBytes <= fewBytes else { return nil }
        let totals = (items: hits.consumedItems + items, bytes: hits.consumedBytes + bytes)
        guard totals.items > window.grantedItems || totals.bytes > window.grantedBytes else {
            return nil
        }
        window.grant(items: totals.items, bytes: totals.bytes)
        return (window.grantedItems, window.grantedBytes)
    }

    /// Gives up all shards but these: others answer for them; what arrived stays.
    ///
    /// The part stays open only for shards that it keeps.
    mutating func leave(_ kept: [SearchableShard], at now: Instant) {
        targets = kept
        facets = PartFacets()
        // Who goes on tells, where nothing had arrived yet.
        if receivedItems == 0 { beyond = 0 }
        counted = counted.filter { report in
            kept.contains { $0.index == report.index && $0.shard.number == report.shard }
        }
        guard kept.isEmpty else { return }
        phase = .closed
        hasReported = false
        reports = []
    }

    /// Ends the part without a word of its worker: one status for every shard, with the counts and
    /// times that the worker told before, if it is believed.
    package mutating func close(
        as status: WireShardStatus, because message: String = "", at now: Instant
    ) {
        phase = .closed
        hasReported = false
        facets = PartFacets()
        let isBelieved = status != .failed
        report(as: status, because: message, over: isBelieved ? counted : [])
        for number in reports.indices {
            reports[number].status = status
            reports[number].message = message
        }
        stampWire(at: now)
    }

    /// Closes the part with what its worker reported, and says `failed` for every shard that it was
    /// asked for and left out: a manifest names each shard once, whatever a worker sends.
    package mutating func close(
        with done: WirePartDone, facets requests: [WireFacetRequest] = [], at now: Instant
    ) {
        phase = .closed
        hasReported = true
        facets = PartFacets(of: done, for: requests)
        report(
            as: .failed, because: done.hasError ? done.error.message : "its worker left it out",
            over: done.shards)
        for number in reports.indices where done.hasError && reports[number].status == .complete {
            reports[number].status = .failed
            reports[number].message = done.error.message
        }
        stampWire(at: now)
    }

    /// Says for every shard how long the part took beyond what its worker told of; of a part that
    /// was never sent there is nothing to say.
    private mutating func stampWire(at now: Instant) {
        guard let sentAt else { return }
        let took = (now - sentAt).wholeMicroseconds
        // One thread searches the shards of a part one after the other, having waited once.
        var work: UInt64 = 0
        var longestQueue: UInt64 = 0
        for report in reports {
            work = work.saturatingAdding(report.matchUs).saturatingAdding(report.scoreUs)
                .saturatingAdding(report.fetchUs)
            longestQueue = max(longestQueue, report.queueUs)
        }
        let inside = work.saturatingAdding(longestQueue)
        for number in reports.indices { reports[number].wireUs = took > inside ? took - inside : 0 }
    }

    private mutating func report(
        as status: WireShardStatus, because message: String, over known: [WireShardReport]
    ) {
        reports = targets.map { target in
            let reported = known.first {
                $0.index == target.index && $0.shard == target.shard.number
            }
            if var reported {
                reported.worker = worker.name
                // Who could not begin has not counted what it holds.
                if reported.status != .complete, reported.owned == 0 {
                    reported.owned = target.documents
                }
                return reported
            }
            var report = WireShardReport()
            report.index = target.index
            report.shard = target.shard.number
            report.worker = worker.name
            report.status = status
            report.owned = target.documents
            report.message = message
            return report
        }
    }
}
