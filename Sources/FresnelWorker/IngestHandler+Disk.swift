import FresnelCluster
import FresnelIndex
import FresnelModel
import FresnelSystem
import Logging

// What the writing thread knows of the disk: whether it refuses, how much is free, and what on it
// belongs to nothing.

extension IngestHandler {
    /// Free bytes with which a disk that refused something counts as one with room again: several
    /// of the pieces in which journals are written.
    private static let roomyBytes: UInt64 = 16 << 20

    /// Whether the disk has so little room that only deletions are taken, of any shard: what one of
    /// them gave up for deletions is no room for another's documents.
    var takesDeletionsOnly: Bool {
        isDiskFull && replicas.values.contains { $0.isReserveSpent }
    }

    /// While the disk has no room, what was deleted goes soon, and what lives is sealed as soon as
    /// it fits: then the journal that holds both can go.
    ///
    /// - Parameter freeBytes: of the disk; nil where it does not say.
    func makeRoom(freeBytes: UInt64?) {
        if !isDiskFull, let freeBytes { sealWhileThereIsRoom(freeBytes) }
        for replica in replicas.values {
            replica.index.setShortOfRoom(isDiskFull)
            guard isDiskFull else { continue }
            merge(replica.index)
            guard replica.sealOrder == nil else { continue }
            if replica.index.needsSealing {
                let bytes = replica.index.unsealedBytes
                let hasMoreRoom = replica.spendReserveOnSealing(unsealedBytes: bytes)
                replica.pace.noteShortage(unsealedBytes: bytes, hasMoreRoom: hasMoreRoom)
            } else {
                dropSealedJournal(of: replica)
            }
        }
    }

    /// Seals early where the disk fills: later there might be no room for it, and the journal,
    /// which is larger than what it becomes, would stay.
    private func sealWhileThereIsRoom(_ freeBytes: UInt64) {
        let unsealed = replicas.values.map { ($0, UInt64($0.index.unsealedBytes)) }
        let sum = unsealed.reduce(0) { $0 + $1.1 }
        guard freeBytes < 2 * sum + Self.roomyBytes else { return }
        for (replica, bytes) in unsealed
        where bytes >= Self.worthBytes && replica.sealOrder == nil {
            replica.pace.noteOwed()
        }
    }

    /// Bytes that are worth a few syncs on a disk that fills.
    private static let worthBytes: UInt64 = 1 << 20

    /// What is sealed before the disk was full has its journal still.
    private func dropSealedJournal(of replica: Replica) {
        guard !replica.isPoisoned, !replica.hasUnsynced else { return }
        do throws(WorkerError) {
            try replica.truncateJournal(
                limit: pins.limit(of: replica.shard), sparesNothing: true)
        } catch {
            isDirty = isDirty || replica.isPoisoned
            logger.warning(
                "shard \(replica.shard.shard.number) of \(replica.shard.index): \(error)")
        }
    }

    /// Something failed, perhaps for want of room.
    func noteFailure(_ isDiskFull: Bool) {
        if isDiskFull { self.isDiskFull = true }
    }

    /// Tells how the disk stands.
    ///
    /// - Returns: the bytes that are free; nil where nobody knows.
    func reportDisk() -> UInt64? {
        let free: UInt64
        do throws(SystemError) {
            free = try directory.storage.freeBytes(at: directory.path)
        } catch {
            // A figure for status only: without it the worker works as well.
            return nil
        }
        let isSpent = replicas.values.contains { $0.isReserveSpent }
        if free >= Self.roomyBytes, !isSpent { isDiskFull = false }
        if isSpent { isDiskFull = true }
        report(.disk(freeBytes: free, isFull: isDiskFull))
        return free
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
