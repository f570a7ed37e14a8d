import FresnelModel
import FresnelWire

// An answer depends on what is asked, on the parts that each shard has, and on what of them has
// expired. The first two name the answer: a question is looked up together with the newest part of
// every shard, as the broker believes it to stand now, so a write makes no answer wrong; it makes
// another name. The third changes only when an instant passes that the workers tell. Nothing is
// ever taken back, and nobody has to remember to do so (decision 0026).
//
// What the broker believes may be old. So an answer is kept only if every shard reported to have
// been read at just the part that names it; and a question is looked up only where every shard has
// a live replica in sync, and no part is on its way to it.

/// Complete answers, none of them large, that were given lately.
package struct KeptAnswers: Sendable {
    /// What is asked, and of which state.
    struct Question: Hashable, Sendable {
        private let texts: PlanMemory.Question
        private let limit: UInt64?
        private let delivery: Int
        private let coverage: Double
        private let isHighlighted: Bool
        private let isFrontCoded: Bool
        /// In the order of the index names, then of the numbers.
        let shards: [Shard]

        /// One shard, in one state.
        struct Shard: Hashable, Sendable {
            let key: ShardKey
            let identity: IndexIdentity
            /// Of the shard: it grows whenever a replica comes or goes.
            let epoch: Epoch
            let sequence: SequenceNumber
        }

        /// Nil for what is never kept: followed and explained queries, pages behind the first,
        /// facets, a chosen instant, texts that speak of the time of asking; and while a shard is
        /// away, is written, or has replicas that differ.
        init?(_ plan: QueryPlan) {
            let search = plan.search
            guard let texts = plan.texts, plan.page == nil, plan.changes == nil, !plan.isPinned,
                !search.explain, plan.unreachable.isEmpty
            else { return nil }
            var shards: [Shard] = []
            for target in plan.parts.lazy.flatMap(\.targets) {
                guard let sequence = target.settledSequence, sequence <= target.snapshot,
                    target.doubt.isEmpty
                else {
                    return nil
                }
                shards.append(
                    Shard(
                        key: ShardKey(index: target.index, shard: target.shard),
                        identity: target.identity, epoch: target.shardEpoch, sequence: sequence))
            }
            self.texts = texts
            limit = plan.limit
            delivery = search.delivery.rawValue
            coverage = search.coverage
            isHighlighted = search.highlight
            isFrontCoded = search.frontCoded
            self.shards = shards.sorted { $0.key < $1.key }
        }

        /// What it costs in memory, about.
        var byteCount: Int { 256 + texts.byteCount + 128 * shards.count }
    }

    /// What was told, without what belongs to the one query that it was told to.
    struct Answer: Sendable {
        /// Hits in the order in which they were sent.
        let batches: [HitBatch]
        let done: WireDone
        let page: PageEnds
        /// The instant of the query, in seconds since 2001.
        let now: Double
        /// When the next document expires; `+infinity` for never.
        let validUntil: Double

        /// Whether nothing has expired since, that had not then.
        func covers(_ instant: Double) -> Bool { instant >= now && instant < validUntil }

        var items: UInt64 { done.delivered }
        /// Of the sort keys of its first and last hit.
        var endBytes: Int { (page.first?.count ?? 0) + (page.last?.count ?? 0) }
        private var payloadBytes: Int { batches.reduce(0) { $0 + $1.bytes.count } }

        /// Whether a client may be sent all of it with its question's credit.
        func isWithinCredit(of search: WireSearch) -> Bool {
            CreditWindow(items: search.creditItems, bytes: search.creditBytes)
                .allows(items: items, bytes: UInt64(payloadBytes))
        }

        /// What it costs in memory, about.
        var byteCount: Int {
            1024 + batches.reduce(0) { $0 + $1.memoryBytes } + endBytes + 512 * done.shards.count
        }
    }

    /// Answers used since the last turn, and those from before: what is not used for a whole turn
    /// is forgotten.
    private var recent: [Question: Answer] = [:]
    private var former: [Question: Answer] = [:]
    private var recentBytes = 0
    private let capacityBytes: Int

    /// - Parameter capacityBytes: bytes of all answers together, about; 0 keeps none.
    package init(capacityBytes: Int) { self.capacityBytes = capacityBytes }

    var isKeeping: Bool { capacityBytes > 0 }
    /// Bytes of an answer that is kept, at most.
    private var largestBytes: Int { min(Limits.keptAnswerBytes, capacityBytes / 4) }

    /// Bytes of hits that a query may remember to have told, as it runs: all queries together no
    /// more than what is kept, but for small ones.
    ///
    /// - Parameter promised: bytes of those that run.
    func rememberedBytes(beside promised: Int) -> Int {
        min(largestBytes, max(Limits.smallAnswerBytes, capacityBytes - promised))
    }

    var count: Int { recent.count + former.keys.count { recent[$0] == nil } }

    /// The answer to a question, if it is still true.
    ///
    /// - Parameter instant: of the query, in seconds since 2001.
    mutating func answer(to question: Question, at instant: Double) -> Answer? {
        let inUse = recent[question]
        guard let answer = inUse ?? former[question], answer.covers(instant) else { return nil }
        if inUse == nil { keep(answer, for: question) }
        return answer
    }

    /// Remembers an answer.
    mutating func keep(_ answer: Answer, for question: Question) {
        let byteCount = question.byteCount + answer.byteCount
        guard byteCount <= largestBytes else { return }
        let replaced = recent.updateValue(answer, forKey: question)
        recentBytes += byteCount - (replaced.map { question.byteCount + $0.byteCount } ?? 0)
        guard recentBytes > capacityBytes / 2 else { return }
        former = recent
        recent = [:]
        recentBytes = 0
    }
}
