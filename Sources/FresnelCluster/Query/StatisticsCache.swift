import FresnelModel
import FresnelQuery
import FresnelWire

// Term statistics depend on four things: which comparisons score, how they are read, which
// documents exist, and which of those have expired. The first two are the question. The third is
// named by the newest part that each shard applied, as long as that is not newer than what the
// query reads at: then every part that the shard has is counted. The fourth changes only when an
// instant passes that the workers tell. So an answer is good for every later query that asks the
// same question of shards that stand where they stood, before that instant.
//
// What the broker knows of a shard may be old. So the numbers go with the sums, and a worker whose
// shard stands elsewhere says so instead of searching (Documentation/protocol.md, clause Q-22); the
// cache can cost a round trip, but not a wrong bit.

/// Sums of term statistics, by question and by the state of the shards they were counted over.
package struct StatisticsCache: Sendable {
    /// What was counted, and over whom.
    package struct Question: Hashable, Sendable {
        /// The comparisons that score, in query order.
        let comparisons: [ResolvedComparison]
        /// The language in which texts are folded; empty is neutral.
        let language: String
        /// The custom keys that the query may mean.
        let customKeys: [CustomAttributeKey]
        /// The shards of each part, in the order of the parts.
        let shards: [Shard]
        /// What an entry of this question costs in memory, about.
        let byteCount: Int

        /// One shard, and who counts it.
        struct Shard: Hashable, Sendable {
            let worker: WorkerID
            let key: ShardKey
        }
    }

    /// Sums, and the state of the shards they are true for.
    package struct Counts: Hashable, Sendable {
        /// Live documents of all shards together.
        package let documents: UInt64
        /// Matching documents for each scored comparison.
        package let leafDocuments: [UInt64]
        /// The newest part of each shard when it was counted, in the order of the question.
        package let sequences: [UInt64]
        /// The instant of the query, in seconds since 2001: documents that had expired by then are
        /// not counted.
        package let now: Double
        /// When the next of the counted documents expires, in seconds since 2001; 0 is never.
        package let validUntil: Double

        /// Whether the sums are those of another instant.
        func covers(_ instant: Double) -> Bool {
            instant >= now && (validUntil == 0 || instant < validUntil)
        }
    }

    /// Entries used since the last turn, and those from before: what is not used for a whole turn
    /// is forgotten.
    private var recent: [Question: Counts] = [:]
    private var former: [Question: Counts] = [:]
    private var recentBytes = 0
    private let capacityBytes: Int

    package init(capacityBytes: Int = Limits.statisticsCacheBytes) {
        self.capacityBytes = capacityBytes
    }

    package var count: Int { Set(recent.keys).union(former.keys).count }

    /// The sums for a query, if they were counted over shards that stand where the broker believes
    /// them to be now.
    mutating func entry(for plan: QueryPlan) -> Counts? {
        guard let question = plan.question else { return nil }
        let known = recent[question]
        guard let entry = known ?? former[question],
            entry.covers(plan.search.instant.seconds)
        else { return nil }
        let targets = plan.parts.lazy.flatMap(\.targets)
        guard question.shards.count == entry.sequences.count else { return nil }
        for (target, sequence) in zip(targets, entry.sequences)
        where target.settledSequence?.value != sequence || target.snapshot.value < sequence {
            return nil
        }
        if known == nil { keep(entry, for: question) }
        return entry
    }

    /// Remembers what was asked.
    mutating func keep(_ entry: Counts, for question: Question) {
        guard question.byteCount <= capacityBytes / 16 else { return }
        if recent.updateValue(entry, forKey: question) == nil { recentBytes += question.byteCount }
        guard recentBytes > capacityBytes / 2 else { return }
        former = recent
        recent = [:]
        recentBytes = 0
    }

    /// Forgets what turned out to be of another state.
    mutating func drop(_ question: Question) {
        if recent.removeValue(forKey: question) != nil { recentBytes -= question.byteCount }
        former[question] = nil
    }
}

extension QueryPlan {
    /// What is to be counted for the query; nil when nothing scores.
    var question: StatisticsCache.Question? {
        guard isScored else { return nil }
        let shards = parts.flatMap { part in
            part.targets.map {
                StatisticsCache.Question.Shard(
                    worker: part.worker, key: ShardKey(index: $0.index, shard: $0.shard))
            }
        }
        let keyBytes = customKeys.reduce(0) { $0 + 64 + $1.name.utf8.count }
        return StatisticsCache.Question(
            comparisons: scored, language: search.context.language, customKeys: customKeys,
            shards: shards,
            byteCount: 512 + 2 * search.query.utf8.count + 64 * scored.count + keyBytes
                + 128 * shards.count)
    }
}
