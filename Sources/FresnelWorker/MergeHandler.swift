import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging
import ZeroMQ

// While parts come, segments merge in tiers, so that every document is copied a few times only.
// When none has come for a while, what is left of the tiers becomes one segment where that is worth
// it, the writing thread seals the result, and memory goes back to the system: a replica at rest is
// small and quick to search.

/// The worker's merging thread: makes few segments out of many, beside writing and searching.
final class MergeHandler: LoopHandler {
    private let time: any TimeSource
    private let logger: Logger
    /// Takes the bytes of the segments that a merge took the place of.
    private let report: @Sendable (_ mergedBytes: UInt64) -> Void
    /// Replicas that changed, each once, in the order they came.
    private var waiting: [ReplicaIndex] = []
    /// Replicas that changed since they were last at rest.
    private var restless: [ReplicaIndex] = []
    /// Monotonic nanoseconds of the last news.
    private var lastNews: Int64 = 0
    /// Longer than the pauses of an import, short beside what a person waits for.
    private static let calmNanoseconds: Int64 = 3_000_000_000
    /// Hands a replica that has come to rest to the thread that seals.
    private let settle: @Sendable (ReplicaIndex) -> Void

    init(
        time: any TimeSource, logger: Logger,
        report: @escaping @Sendable (UInt64) -> Void = { _ in },
        settle: @escaping @Sendable (ReplicaIndex) -> Void = { _ in }
    ) {
        self.time = time
        self.logger = logger
        self.report = report
        self.settle = settle
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: ReplicaIndex) {
        if !waiting.contains(where: { $0 === mail }) { waiting.append(mail) }
        if !restless.contains(where: { $0 === mail }) { restless.append(mail) }
        lastNews = time.monotonicNanoseconds()
    }

    /// One merge a turn, so that a stop is heard between two; replicas take turns.
    func finishTurn() -> Duration? {
        if !waiting.isEmpty {
            let replica = waiting.removeFirst()
            if merge(replica, MergePolicy()) { waiting.append(replica) }
            return .zero
        }
        guard !restless.isEmpty else { return nil }
        let left = lastNews + Self.calmNanoseconds - time.monotonicNanoseconds()
        guard left <= 0 else { return .nanoseconds(left) }
        rest()
        return restless.isEmpty ? nil : .zero
    }

    /// Brings a replica to rest, or one step nearer.
    private func rest() {
        let replica = restless[0]
        guard !merge(replica, .calm) else { return }
        restless.removeFirst()
        settle(replica)
    }

    /// Whether something was merged.
    private func merge(_ replica: ReplicaIndex, _ policy: MergePolicy) -> Bool {
        do {
            let before = replica.snapshot.segments
            guard
                try replica.merge(
                    now: Timestamp(wallClock: time.unixSeconds()), policy: policy)
            else { return false }
            report(replica.mergedBytes(since: before))
            return true
        } catch {
            logger.error(
                "shard \(replica.settings.shard.number) of \(replica.settings.index): \(error)")
            return false
        }
    }

    func stop() {}
}

extension ReplicaIndex {
    /// Bytes of the segments that are no longer there, with those that a writer merged meanwhile.
    fileprivate func mergedBytes(since before: [PublishedSegment]) -> UInt64 {
        let left = Set(snapshot.segments.map(\.serial))
        return before.reduce(0) { sum, former in
            left.contains(former.serial) ? sum : sum + UInt64(former.segment.bytes.count)
        }
    }
}
