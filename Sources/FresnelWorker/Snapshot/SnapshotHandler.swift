import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelS3
import FresnelSnapshot
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// The thread that copies replicas to stores and makes replicas from them, an object a turn, so
/// that an order to stop is heard between two of them.
final class SnapshotHandler: LoopHandler {
    /// What the worker's loop asks for.
    enum Mail: Sendable {
        /// Make a replica, or forget what a ticket began.
        case order(WireStoreShard)
        /// Copy what was captured.
        case save(WireStoreShard, ReplicaCopy, IndexSnapshot, at: Timestamp)
        /// Remove replicas that restores left beside their places, but of these shards.
        case sweep(keeping: Set<ShardKey>)
    }

    private enum Work {
        case save(ReplicaUpload)
        case load(ReplicaDownload)
    }

    private let directory: WorkerDirectory
    private let environment: Environment
    private let logger: Logger
    private let report: @Sendable (WireStoredShard) -> Void
    private var waiting: [(order: WireStoreShard, work: Work)] = []
    private var reportDue: Int64 = 0

    init(
        directory: WorkerDirectory, environment: Environment, logger: Logger,
        report: @escaping @Sendable (WireStoredShard) -> Void
    ) {
        self.directory = directory
        self.environment = environment
        self.logger = logger
        self.report = report
    }

    /// The answer to an order that nobody can take.
    static func refusal(of order: WireStoreShard) -> WireStoredShard {
        order.failed(WireFailure(.busy, "the worker's threads have too much to do"))
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: Mail) {
        switch mail {
        case .save(let order, let copy, let snapshot, let now):
            let upload = ReplicaUpload(order, copy, snapshot, at: now)
            waiting.append((order, .save(upload)))
        case .order(let order) where order.work == .load:
            let download = ReplicaDownload(order, in: directory, environment)
            waiting.append((order, .load(download)))
        case .order(let order): discard(order)
        case .sweep(let kept): sweep(keeping: kept)
        }
    }

    func finishTurn() -> Duration? {
        guard let (order, work) = waiting.first else { return nil }
        do throws(StoreCopyError) {
            let report = try advance(order, work)
            if report.phase == .done { waiting.removeFirst() }
            tell(report)
        } catch {
            waiting.removeFirst()
            logger.warning(
                "shard \(order.shard) of \(order.index): a copy failed: \(error.failure.message)")
            forget(order)
            report(order.failed(error.failure))
        }
        return waiting.isEmpty ? nil : .zero
    }

    func stop() {}

    /// Does the next piece of a copy.
    private func advance(
        _ order: WireStoreShard, _ work: Work
    ) throws(StoreCopyError) -> WireStoredShard {
        switch work {
        case .save(var upload):
            let before = upload.replaced.count
            let report = try upload.advance(in: environment)
            waiting[0].work = .save(upload)
            for damage in upload.replaced.dropFirst(before) {
                logger.warning("\(damage); it was put there again, look at the store's disk")
            }
            return report
        case .load(var download):
            let report = try download.advance()
            waiting[0].work = .load(download)
            return report
        }
    }

    /// Tells the end at once, and how it goes about once a second.
    private func tell(_ report: WireStoredShard) {
        let now = environment.time.monotonicNanoseconds()
        guard report.phase == .done || now >= reportDue else { return }
        reportDue = now + 1_000_000_000
        self.report(report)
    }

    private func discard(_ order: WireStoreShard) {
        waiting.removeAll {
            $0.order.ticket == order.ticket && $0.order.shard == order.shard
                && $0.order.index == order.index
        }
        forget(order)
    }

    /// Ends what a former session ordered, and removes what nobody will assign any more.
    private func sweep(keeping kept: Set<ShardKey>) {
        waiting.removeAll { $0.order.work == .load && !kept.contains($0.order.key) }
        do throws(SystemError) {
            for shard in try directory.restoredShards() where !kept.contains(shard) {
                try directory.discardRestored(of: shard)
                logger.info(
                    """
                    removed \(directory.restoredPath(of: shard)): a restore that was cut off left \
                    it, and no index has it
                    """)
            }
        } catch {
            logger.warning("what a restore left could not be removed: \(error)")
        }
    }

    /// Removes what was made for an order, unless another one makes it now.
    private func forget(_ order: WireStoreShard) {
        let shard = order.key
        let isWanted = waiting.contains {
            $0.order.key == shard && $0.order.work == .load
        }
        guard order.hasSource, !isWanted else { return }
        do throws(SystemError) {
            try directory.discardRestored(of: shard)
        } catch {
            logger.warning("what a restore left could not be removed: \(error)")
        }
    }
}
