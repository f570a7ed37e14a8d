import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging

// What the writing thread knows of the disk: whether it refuses, how much is free, and what on it
// belongs to nothing.

extension IngestHandler {
    /// Free bytes with which a disk that refused something counts as one with room again.
    private static let roomyBytes: UInt64 = 64 << 20

    /// Something failed, perhaps for want of room.
    func noteFailure(_ isDiskFull: Bool) {
        if isDiskFull { self.isDiskFull = true }
    }

    /// Tells how the disk stands.
    func reportDisk() {
        let free: UInt64
        do throws(SystemError) {
            free = try directory.storage.freeBytes(at: directory.path)
        } catch {
            // A figure for status only: without it the worker works as well.
            return
        }
        let isSpent = replicas.values.contains { $0.isReserveSpent }
        if free >= Self.roomyBytes, !isSpent { isDiskFull = false }
        if isSpent { isDiskFull = true }
        report(.disk(freeBytes: free, isFull: isDiskFull))
    }

    /// Removes segment files that nothing names.
    func removeStrays(of replica: Replica) {
        do {
            let names = try replica.index.removeStrays()
            guard !names.isEmpty else { return }
            logger.info(
                """
                \(names.count) segment files that nothing names were removed from shard \
                \(replica.shard.shard.number) of \(replica.shard.index)
                """)
        } catch {
            logger.warning("\(error)")
        }
    }
}

extension HostingFailure {
    init(_ shard: ShardKey, _ error: WorkerError) {
        self.init(
            index: shard.index, shard: shard.shard, reason: error.description,
            isDamaged: error.isDamage)
    }
}
