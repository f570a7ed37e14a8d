import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging
import ZeroMQ

// While parts come, segments merge in tiers, so that every document is copied a few times only.
// When a replica has had none for a while, what is left of the tiers becomes one segment where that
// is worth it and the disk has room, the sealing thread puts it into a file, and memory goes back
// to the system: a replica at rest is small and quick to search.

/// The worker's merging thread: makes few segments out of many, beside writing and searching.
final class MergeHandler: LoopHandler {
    /// A replica that this thread has heard of, while it is open.
    private struct Known {
        weak var replica: ReplicaIndex?
        /// The newest part when it was last heard of.
        var sequence: SequenceNumber
        /// When it last changed: monotonic nanoseconds.
        var changedAt: Int64
        /// Whether it changed since it was last at rest.
        var isRestless = true
        /// Whether it is at rest, and its first searches can be spared something.
        var isUnprepared = false
    }

    private let time: any TimeSource
    private let logger: Logger
    private let dropBound: DropBound
    /// Takes the bytes of the segments that a merge took the place of.
    private let report: @Sendable (_ mergedBytes: UInt64) -> Void
    /// Takes a replica in which a merge found damage, and what of it is damaged.
    private let reportDamage: @Sendable (ReplicaIndex, WorkerError) -> Void
    /// Hands a replica that has come to rest to the thread that seals.
    private let settle: @Sendable (ReplicaIndex) -> Void
    /// Has the writing thread give back what it has freed, too.
    private let giveBackOutside: @Sendable () -> Void
    /// Replicas that changed, each once, in the order they came.
    private var waiting: [ReplicaIndex] = []
    private var known: [Known] = []
    /// When freed memory goes back to the system: a while after a replica came to rest, since
    /// others let go of its former segments after that.
    private var givingBackAt: Int64?
    /// Longer than the pauses of an import, short beside what a person waits for.
    private static let calmNanoseconds: Int64 = 3_000_000_000

    init(
        time: any TimeSource, logger: Logger, dropBound: DropBound = DropBound(),
        report: @escaping @Sendable (UInt64) -> Void = { _ in },
        reportDamage: @escaping @Sendable (ReplicaIndex, WorkerError) -> Void = { _, _ in },
        settle: @escaping @Sendable (ReplicaIndex) -> Void = { _ in },
        giveBackOutside: @escaping @Sendable () -> Void = {}
    ) {
        self.time = time
        self.logger = logger
        self.dropBound = dropBound
        self.report = report
        self.reportDamage = reportDamage
        self.settle = settle
        self.giveBackOutside = giveBackOutside
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: ReplicaIndex) {
        if !waiting.contains(where: { $0 === mail }) { waiting.append(mail) }
        let (now, sequence) = (time.monotonicNanoseconds(), mail.snapshot.sequence)
        known.removeAll { $0.replica == nil }
        if let place = known.firstIndex(where: { $0.replica === mail }) {
            guard known[place].sequence != sequence else {
                // Its segments may have come into files: what held them is free.
                if !known[place].isRestless, givingBackAt == nil {
                    givingBackAt = now + Self.calmNanoseconds
                }
                return
            }
            known[place].sequence = sequence
            known[place].changedAt = now
            known[place].isRestless = true
            known[place].isUnprepared = false
        } else {
            known.append(Known(replica: mail, sequence: sequence, changedAt: now))
        }
    }

    /// One merge a turn, so that a stop is heard between two; replicas take turns.
    func finishTurn() -> Duration? {
        if !waiting.isEmpty {
            let replica = waiting.removeFirst()
            if merge(replica, MergePolicy()) {
                waiting.append(replica)
                noteChange(of: replica)
            }
            return .zero
        }
        let restless = known.indices.filter { known[$0].isRestless && known[$0].replica != nil }
        let next = restless.min { known[$0].changedAt < known[$1].changedAt }
        let left = next.map {
            known[$0].changedAt + Self.calmNanoseconds - time.monotonicNanoseconds()
        }
        if let next, let left, left <= 0 {
            rest(next)
            return .zero
        }
        if prepare() { return .zero }
        guard let left else { return giveBack() }
        return .nanoseconds(left)
    }

    /// A replica at rest that was merged has to come to rest anew.
    private func noteChange(of replica: ReplicaIndex) {
        guard let place = known.firstIndex(where: { $0.replica === replica }),
            !known[place].isRestless
        else { return }
        known[place].isRestless = true
        known[place].changedAt = time.monotonicNanoseconds()
    }

    /// Does some milliseconds of what the first searches of replicas at rest would have to; whether
    /// there is more.
    private func prepare() -> Bool {
        guard
            let place = known.firstIndex(where: { $0.isUnprepared && $0.replica != nil }),
            let replica = known[place].replica
        else { return false }
        known[place].isUnprepared = replica.prepareForSearches()
        return true
    }

    /// Gives back what writing and merging have freed, when it is time.
    ///
    /// - Returns: how long to wait for that.
    private func giveBack() -> Duration? {
        guard let due = givingBackAt else { return nil }
        let left = due - time.monotonicNanoseconds()
        guard left <= 0 else { return .nanoseconds(left) }
        givingBackAt = nil
        ProcessMemory.giveBackFreed()
        giveBackOutside()
        return nil
    }

    /// Brings a replica to rest, or one step nearer.
    private func rest(_ place: Int) {
        guard let replica = known[place].replica else { return }
        if replica.hasRoomToRewrite, merge(replica, .calm) { return }
        known[place].isRestless = false
        known[place].isUnprepared = true
        settle(replica)
        givingBackAt = time.monotonicNanoseconds() + Self.calmNanoseconds
    }

    /// Merges something; whether there may be more to merge.
    ///
    /// What failed takes part in no other merge, so there may.
    private func merge(_ replica: ReplicaIndex, _ policy: MergePolicy) -> Bool {
        do throws(IndexError) {
            let before = replica.snapshot.segments
            guard
                try replica.merge(expiredBy: dropBound.expiredBy, policy: policy)
            else { return false }
            report(replica.mergedBytes(since: before))
            return true
        } catch {
            let failure = WorkerError.index(error)
            logger.error(
                "shard \(replica.settings.shard.number) of \(replica.settings.index): \(failure)")
            if failure.isDamage { reportDamage(replica, failure) }
            return true
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
