import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging
import ZeroMQ

/// The worker's merging thread: makes few segments out of many, beside writing and searching.
final class MergeHandler: LoopHandler {
    private let time: any TimeSource
    private let logger: Logger
    /// Takes the bytes of the segments that a merge took the place of.
    private let report: @Sendable (_ mergedBytes: UInt64) -> Void
    /// Replicas that changed, each once, in the order they came.
    private var waiting: [ReplicaIndex] = []

    init(
        time: any TimeSource, logger: Logger,
        report: @escaping @Sendable (UInt64) -> Void = { _ in }
    ) {
        self.time = time
        self.logger = logger
        self.report = report
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: ReplicaIndex) {
        if !waiting.contains(where: { $0 === mail }) { waiting.append(mail) }
    }

    /// One merge a turn, so that a stop is heard between two; replicas take turns.
    func finishTurn() -> Duration? {
        guard !waiting.isEmpty else { return nil }
        let replica = waiting.removeFirst()
        do {
            let before = replica.snapshot.segments
            if try replica.merge(now: Timestamp(wallClock: time.unixSeconds())) {
                report(replica.mergedBytes(since: before))
                waiting.append(replica)
            }
        } catch {
            logger.error(
                "shard \(replica.settings.shard.number) of \(replica.settings.index): \(error)")
        }
        return waiting.isEmpty ? nil : .zero
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
