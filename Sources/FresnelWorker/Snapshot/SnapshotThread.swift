import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// The thread of copies to and from stores, and the way to it.
///
/// A replica is captured before anything is handed on, by whoever calls, since the broker holds
/// batches until then: in memory, by references to segments that never change.
struct SnapshotThread: Sendable {
    private let loop: EventLoop<SnapshotHandler>
    private let table: ReplicaTable
    private let time: any TimeSource
    private let report: @Sendable (WireStoredShard) -> Void

    static func start(
        _ directory: WorkerDirectory, _ table: ReplicaTable, _ environment: Environment,
        logger: Logger, report: @escaping @Sendable (WireStoredShard) -> Void
    ) async throws(ZeroMQError) -> SnapshotThread {
        let loop = try await EventLoop<SnapshotHandler>.start(.laborious("snapshots")) { _ in
            SnapshotHandler(
                directory: directory, environment: environment, logger: logger, report: report)
        }
        return SnapshotThread(loop: loop, table: table, time: environment.time, report: report)
    }

    func stop() async throws { try await loop.stop() }

    /// Removes what restores of former sessions left, but of these shards; behind every order that
    /// came before, ahead of every one that comes.
    func sweep(keeping kept: Set<ShardKey>) {
        // Should the thread be overrun, the next session does it.
        _ = loop.post(.sweep(keeping: kept))
    }

    /// Carries out an order, or begins to.
    ///
    /// - Returns: false when nothing was done.
    func perform(_ order: WireStoreShard) -> Bool {
        guard order.work == .save else { return loop.post(.order(order)) }
        guard let index = table[order.key] else {
            let text = "shard \(order.shard) of index \(order.index) is not open here"
            report(order.failed(WireFailure(.shardUnavailable, text)))
            return true
        }
        let copy = index.copy()
        let snapshot = index.snapshot
        guard snapshot.sequence == copy.sequence else {
            report(order.failed(WireFailure(.busy, "it was written to meanwhile; try again")))
            return true
        }
        let now = Timestamp(wallClock: time.unixSeconds())
        guard loop.post(.save(order, copy, snapshot, at: now)) else { return false }
        report(order.report(.captured))
        return true
    }
}

extension WireStoreShard {
    /// The shard it is about.
    var key: ShardKey { ShardKey(index: index, shard: ShardID(shard)) }

    /// A report on this order.
    func report(_ phase: WireStorePhase) -> WireStoredShard {
        var report = WireStoredShard()
        report.index = index
        report.shard = shard
        report.ticket = ticket
        report.phase = phase
        return report
    }

    /// That it cannot be carried out.
    func failed(_ failure: WireFailure) -> WireStoredShard {
        var report = report(.failed)
        report.failure = failure
        return report
    }
}
