/// How far the search of one shard came.
public enum ShardStatus: String, Hashable, Sendable, CaseIterable {
    /// Searched whole.
    case complete
    /// The budget ran out.
    case deadline
    /// The query was cancelled.
    case cancelled
    /// Refused, to protect the worker from overload.
    case shed
    /// The search failed; the report has the message.
    case failed
    /// No worker that hosts the shard answered.
    case unreachable
}

/// What one shard did for a query.
public struct ShardReport: Hashable, Sendable {
    /// The index.
    public var index: IndexName
    /// The shard of the index.
    public var shard: ShardID
    /// Who searched it; nil when nobody could be asked.
    public var worker: WorkerID?
    /// How far it came.
    public var status: ShardStatus
    /// Documents that were searched.
    public var searched: UInt64
    /// Documents the shard owned at the snapshot.
    public var owned: UInt64
    /// Documents that matched.
    public var found: UInt64
    /// Documents whose score was computed; 0 where nothing scores.
    public var scored: UInt64 = 0
    /// Documents that matched and were left out, because they could not be among the first hits.
    public var skipped: UInt64 = 0
    /// Filters of segments whose documents the worker remembered; told once for all its shards.
    public var knownFilters: UInt64 = 0
    /// Where the time went.
    public var timings: Timings
    /// Why it failed; empty otherwise.
    public var message: String

    /// Makes a report of a shard that was not searched.
    public init(
        index: IndexName, shard: ShardID, worker: WorkerID? = nil, status: ShardStatus
    ) {
        self.index = index
        self.shard = shard
        self.worker = worker
        self.status = status
        searched = 0
        owned = 0
        found = 0
        timings = Timings()
        message = ""
    }

    /// Whether every document of the shard was searched.
    public var isWhole: Bool { status == .complete && searched == owned }
}

extension ShardReport {
    /// Microseconds by phase; nil is not known, and 0 is none.
    ///
    /// A worker that answered told the first four. Of one that was cut short, by the deadline, a
    /// cancel or its loss, there is what it had told by then; all else of the time since it was
    /// asked is `wire`. Where nobody was asked all are nil.
    public struct Timings: Hashable, Sendable {
        /// Waiting for a thread.
        public var queue: UInt64?
        /// Finding matching documents.
        public var match: UInt64?
        /// Scoring and sorting them.
        public var score: UInt64?
        /// Reading the attributes asked for.
        public var fetch: UInt64?
        /// From the sending to the end, as the broker saw it, less what the worker told of.
        public var wire: UInt64?
        /// Of all these, what the second round of facets took; 0 where one was enough.
        public var facets: UInt64

        /// Makes timings.
        public init(
            queue: UInt64? = nil, match: UInt64? = nil, score: UInt64? = nil,
            fetch: UInt64? = nil, wire: UInt64? = nil, facets: UInt64 = 0
        ) {
            self.queue = queue
            self.match = match
            self.score = score
            self.fetch = fetch
            self.wire = wire
            self.facets = facets
        }

        /// All that is known of the phases together, those of both rounds of facets.
        public var total: UInt64 {
            [queue, match, score, fetch, wire].compactMap(\.self).saturatingSum
        }
    }
}
