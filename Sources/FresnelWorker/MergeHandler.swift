import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging
import ZeroMQ

/// The worker's merging thread: makes few segments out of many, beside writing and searching.
final class MergeHandler: LoopHandler {
    private let time: any TimeSource
    private let logger: Logger
    /// Replicas that changed, each once, in the order they came.
    private var waiting: [ReplicaIndex] = []

    init(time: any TimeSource, logger: Logger) {
        self.time = time
        self.logger = logger
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
            if try replica.merge(now: Timestamp(wallClock: time.unixSeconds())) {
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
