package import FresnelModel
package import FresnelWire

/// What can happen to a worker's protocol engine.
package enum WorkerEvent: Sendable {
    /// A well-formed message arrived from the broker.
    case received(Message, lane: Lane)
    /// Frames arrived that are no message.
    case unreadable(WireError, lane: Lane)
    /// Shards were opened (or could not be): the newest inventory of everything this worker holds.
    case hosted([WireShardInventory], failures: [HostingFailure])
    /// The directory was looked through for replicas that were not assigned; which indexes are
    /// known there to have been removed.
    case surveyed([WireFoundReplica], removed: [WireRemovedMark] = [])
    /// No replica lies in the directory any more.
    case emptied
    /// A write part was journaled and is visible, or was refused.
    case ingested(PartTicket, WirePartAck)
    /// The statistics of a query's scored comparisons.
    case counted(TaskID, WireStatistics)
    /// Matching ended (whole, by deadline or cancelled); hits are ready to be taken.
    case matched(TaskID, MatchOutcome)
    /// One hit batch was encoded after `produce`.
    case produced(TaskID, ProducedBatch)
    /// A search task broke.
    case searchFailed(TaskID, reason: String)
    /// A search task's time ran out before it had anything to report.
    case searchLate(TaskID)
    /// What the process weighs and holds now; about once a second.
    case vitals(residentBytes: UInt64, [WireShardInventory])
    /// A merge made a segment out of others of so many bytes.
    case merged(bytes: UInt64)
    /// How the disk of the worker's directory stands; about once a second.
    case disk(freeBytes: UInt64, isFull: Bool)
    /// The contents of a replica were summed up after `check`.
    case checked(WireReplicaDigest)
    /// A copy of a replica went on, as the broker shall hear.
    case replicaState(WireReplicaState)
    /// A copy to or from a store went on, as the broker shall hear.
    case stored(WireStoredShard)
    /// Both clocks were read; some times a second.
    case clocks(Moment)
    /// Time passed.
    case tick
}

/// What a worker's protocol engine wants done.
package enum WorkerEffect: Sendable {
    /// Send to the broker, never blocking.
    case send(Message, lane: Lane)
    /// Connect (or reconnect) the data lane there.
    case connectData(endpoint: String)
    /// Open these shards, creating what does not exist, then report `hosted`.
    case host([WireIndexAssignment])
    /// Journal, apply and publish a part, then report `ingested`.
    case ingest(PartTicket, WirePutPart, sequence: SequenceNumber, payload: [UInt8])
    /// Count documents per scored comparison, then report `counted`.
    case count(TaskID, WireSubquery, until: Instant)
    /// Match and sort, then report `matched`, with a first batch that the search's own credit
    /// covers if there is any. Checks `until` and cancellation in its loops.
    case match(TaskID, WireSubquery, until: Instant)
    /// Encode the next batch within these bounds, then report `produced`; a hit that is larger than
    /// `maximumBytes` by itself makes a batch of its own.
    case produce(TaskID, maximumItems: Int, maximumBytes: Int)
    /// Hits whose key follows this one are no longer wanted of the task.
    case narrow(TaskID, to: [UInt8])
    /// Stop matching soon and report `matched`; then forget the task.
    case cancel(TaskID)
    /// Nothing more will be asked of the task; where hits of it are held, drop them with their
    /// snapshot.
    case forget(TaskID, isHeld: Bool)
    /// The broker orders something of the worker's copies.
    case transfer(TransferOrder)
    /// Sum up what a replica contains, beside all else, then report `checked`.
    case check(WireCheckReplica)
    /// The broker orders a copy to or from a store, and waits for `stored`.
    case store(WireStoreShard)
    /// Remove what restores of former sessions made beside its place, but of these shards.
    case sweepRestored(keeping: Set<ShardKey>)
    /// What had expired by then, in seconds since 2001, may be dropped by merges; nil: nothing.
    case drop(expiredBy: Double?)
    /// By what the broker's wall clock is ahead of this machine's monotonic one, in seconds, as it
    /// was told last.
    case brokerTime(ahead: Double)
    /// Look through the directory for replicas, then report `surveyed`.
    case survey
    /// Keep that the directory is of this cluster.
    case join(cluster: UInt64)
    /// Tell the operator.
    case log(LogLevel, String)
}

/// Names one search task inside a worker process.
package struct TaskID: Hashable, Sendable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// Names one write part on its way through journal and index.
package struct PartTicket: Hashable, Sendable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
}

/// A shard that could not be opened.
package struct HostingFailure: Hashable, Sendable {
    package let index: String
    package let shard: ShardID
    /// What happened and what to do.
    package let reason: String
    /// Whether its files contradict themselves, so that a copy can take their place.
    package let isDamaged: Bool

    package init(index: String, shard: ShardID, reason: String, isDamaged: Bool = false) {
        self.index = index
        self.shard = shard
        self.reason = reason
        self.isDamaged = isDamaged
    }
}

/// How matching ended.
package struct MatchOutcome: Sendable {
    /// One per target shard: status, searched, owned, found and timings; `worker` and `wire_us`
    /// empty.
    package var reports: [WireShardReport]
    /// Hits ready to be produced, after the limit.
    package var available: UInt64
    /// Of a page: hits on its side of the cursor, also those above the limit.
    package var beyond: UInt64
    /// The found documents counted by value, one for each facet of the search, in its order.
    package var facets: [WireFacetCounts]
    /// Segments in which a filter query's documents were known already.
    package var knownFilters: UInt64
    /// Why the whole part failed.
    package var failure: WireFailure?
    /// What the search counted for itself, where it was to.
    package var statistics: WireStatistics?
    /// The batch that came with matching, which saves light searches a way between two threads.
    package var first: ProducedBatch?

    /// Whether hits are held that `produce` can ask for.
    package var holdsHits: Bool {
        available > 0 && failure == nil && first?.isLast != true
    }

    package init(
        reports: [WireShardReport], available: UInt64, beyond: UInt64 = 0,
        facets: [WireFacetCounts] = [], knownFilters: UInt64 = 0, failure: WireFailure? = nil,
        statistics: WireStatistics? = nil, first: ProducedBatch? = nil
    ) {
        self.statistics = statistics
        self.first = first
        self.reports = reports
        self.available = available
        self.beyond = beyond
        self.facets = facets
        self.knownFilters = knownFilters
        self.failure = failure
    }
}

/// One encoded hit batch.
package struct ProducedBatch: Sendable {
    /// A hit batch (FresnelWire.HitBatch); empty only when `items` is 0.
    package var payload: [UInt8]
    package var items: Int
    /// Nothing is left.
    package var isLast: Bool
    /// Microseconds spent fetching stored values.
    package var fetchMicroseconds: UInt64
    /// Where the answer has an order: a key that no hit of a later batch precedes; else empty.
    package var bound: [UInt8]

    package init(
        payload: [UInt8], items: Int, isLast: Bool, fetchMicroseconds: UInt64, bound: [UInt8] = []
    ) {
        self.payload = payload
        self.items = items
        self.isLast = isLast
        self.fetchMicroseconds = fetchMicroseconds
        self.bound = bound
    }
}
