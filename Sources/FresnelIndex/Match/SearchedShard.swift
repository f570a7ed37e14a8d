package import FresnelModel
package import FresnelWire

/// What a search found out about one shard, while it goes on.
///
/// Plain numbers, which change with every segment; the message that travels is made of them once.
package struct SearchedShard: Sendable {
    /// The name of the index.
    package let index: String
    /// The shard.
    package let shard: ShardID
    /// How far the search came; unspecified until it ends.
    package var status = WireShardStatus.unspecified
    /// Why it failed; empty if it did not.
    package var message = ""
    /// Documents that were searched.
    package var searched: UInt64 = 0
    /// Documents the shard has.
    package var owned: UInt64 = 0
    /// Documents that matched.
    package var found: UInt64 = 0
    /// Of changes: those of them that are gone.
    package var removed: UInt64 = 0
    /// Documents whose score was computed.
    package var scored: UInt64 = 0
    /// Documents that matched and could not be among the first hits.
    package var skipped: UInt64 = 0
    /// The newest part that was read.
    package var sequence: UInt64 = 0
    /// Seconds since 2001 of the next expiration, as far as it is known; 0 for none.
    package var nextExpiration = 0.0
    /// Microseconds that the search waited for a thread.
    package var queueMicroseconds: UInt64 = 0
    /// Microseconds of matching.
    package var matchMicroseconds: UInt64 = 0
    /// Microseconds of scoring and sorting.
    package var scoreMicroseconds: UInt64 = 0

    init(_ target: SearchTarget) {
        index = target.index
        shard = target.shard
    }

    /// The same as it travels; `worker` and `wireUs` are left to others.
    package var report: WireShardReport {
        var report = WireShardReport()
        report.index = index
        report.shard = shard.number
        report.status = status
        if !message.isEmpty { report.message = message }
        report.searched = searched
        report.owned = owned
        report.found = found
        report.sequence = sequence
        if removed > 0 { report.removed = removed }
        if scored > 0 { report.scored = scored }
        if skipped > 0 { report.skipped = skipped }
        if nextExpiration != 0 { report.nextExpiration = nextExpiration }
        report.queueUs = queueMicroseconds
        report.matchUs = matchMicroseconds
        report.scoreUs = scoreMicroseconds
        return report
    }
}
