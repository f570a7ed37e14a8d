/// The one last message of a query: what was searched, what was found, what is missing.
public struct Completion: Sendable {
    /// How the query ended, in one word.
    public enum Status: String, Hashable, Sendable, CaseIterable {
        /// Every shard was searched whole and every hit asked for was delivered.
        case complete
        /// Some shard was not searched whole, but enough were.
        case incomplete
        /// The client, or a newer query on its slot, ended the query.
        case cancelled
        /// The budget ran out.
        case deadline
        /// Fewer shards than demanded were searched, or the query failed as a whole.
        case failed
    }

    /// Where the counts come from that say how rare the words of a query are.
    public enum Statistics: String, Hashable, Sendable, CaseIterable {
        /// Nothing was scored.
        case none
        /// Every worker was asked for them first, which costs a round trip.
        case asked
        /// An earlier query's, checked by every worker to be those that asking would give.
        case cached
    }

    /// How the query ended.
    public var status: Status
    /// Documents that match; exact when the answer is complete.
    public var found: UInt64
    /// Documents that were searched.
    public var searched: UInt64
    /// Documents there were to search: "n of total".
    public var owned: UInt64
    /// Hits that were sent.
    public var delivered: UInt64 = 0
    /// What each shard did, ordered by index and shard.
    public var shards: [ShardReport]
    /// Fingerprint of the final order; empty where the delivery has none.
    public var digest = ""
    /// Where to go on behind the last hit (`SearchRequest.after`); nil when nothing follows.
    public var next: SearchCursor?
    /// Where to go back before the first hit (`SearchRequest.before`); nil when nothing precedes.
    public var previous: SearchCursor?
    /// The state of each index that was read.
    public var snapshot: [IndexName: SequenceNumber] = [:]
    /// Where the counts behind the scores came from.
    public var statistics = Statistics.none
    /// The found documents counted by value, one for each facet of the request, in its order.
    public var facets: [FacetCounts] = []
    /// What is odd about the query but not wrong.
    public var warnings: [Warning] = []
    /// Whether the broker told what it had told before, and asked no worker: what the shards say is
    /// of when they were asked, and still true.
    public var isKept = false
    /// From acceptance to this message.
    public var elapsed = Duration.zero
    /// Why it failed.
    public var error: SearchError?

    /// Makes a completion whose counts are the sums of its shards.
    public init(status: Status, shards: [ShardReport]) {
        self.status = status
        self.shards = shards.sorted { ($0.index, $0.shard) < ($1.index, $1.shard) }
        found = shards.map(\.found).saturatingSum
        searched = shards.map(\.searched).saturatingSum
        owned = shards.map(\.owned).saturatingSum
    }

    /// Whether nothing is missing from the answer.
    public var isComplete: Bool { status == .complete && shards.allSatisfy(\.isWhole) }
}

extension Completion {
    /// Why the stream of hits ended.
    public enum Ending: Hashable, Sendable {
        /// Every hit asked for was delivered.
        case delivered
        /// The client, or a newer query on its slot, ended it.
        case cancelled
        /// The budget ran out.
        case deadline
        /// The query could not be run.
        case failed
    }

    /// Decides the status of an answer, and with it whether it is complete; nothing else does.
    ///
    /// - Parameters:
    ///   - ending: why the stream of hits ended.
    ///   - shards: one report for every shard of every index searched, also for those nobody hosts.
    ///   - coverage: how many shards the client demands.
    public static func verdict(
        _ ending: Ending, shards: [ShardReport], coverage: SearchCoverage
    ) -> Status {
        switch ending {
        case .cancelled: return .cancelled
        case .deadline: return .deadline
        case .failed: return .failed
        case .delivered: break
        }
        let whole = shards.count(where: \.isWhole)
        if whole == shards.count { return .complete }
        if shards.contains(where: { $0.status == .deadline }) { return .deadline }
        return coverage.isSatisfied(whole: whole, of: shards.count) ? .incomplete : .failed
    }
}

/// Something odd about a query that is not an error, such as an unknown attribute.
public struct Warning: Hashable, Sendable {
    /// UTF-8 offset in the query string; nil when it is about no place in it.
    public var offset: Int?
    /// What is odd; lowercase, no full stop.
    public var message: String

    /// Makes a warning.
    public init(_ message: String, offset: Int? = nil) {
        self.message = message
        self.offset = offset
    }
}
