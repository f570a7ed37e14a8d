import FresnelCluster
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging

// A full disk refuses what makes it fuller and takes what makes room. Each journal keeps a reserve;
// the first deletion that does not fit gives it up, and until it can be made anew the shard takes
// deletions only, as do all others on that disk. What deletions free comes back soon: versions that
// were replaced or deleted are kept for seconds only while there is no room, segments merge without
// them, what lives is sealed in what is left of the reserves, and then the journal goes.

extension WritePart {
    /// Whether it only removes.
    var onlyDeletes: Bool {
        put.operations.allSatisfy { operation in
            switch operation.kind {
            case .deleteIdentifier, .deleteDomain, .deleteQuery, .deleteAll, .supersede: true
            case .index, .update, .unspecified, .UNRECOGNIZED: false
            }
        }
    }
}

extension Replica {
    /// Why a part cannot be taken while the disk is full; nil when it can.
    ///
    /// - Parameter isShort: whether another shard on this disk gave its reserve up.
    func refusalOfFullDisk(_ part: WritePart, _ isShort: Bool = false) -> WireFailure? {
        guard isReserveSpent || isShort, !part.onlyDeletes else { return nil }
        return failure(
            .diskFull, "the disk of shard \(shard.shard.number) of index \(shard.index)",
            " is full; only deletions are taken until there is room")
    }

    /// Tries deletions once more, in the room of the reserve.
    ///
    /// - Parameter parts: what a full disk has just refused, in order.
    /// - Returns: how many of the first are durable now: what follows a refused part is refused.
    func journalDeletions(of parts: [WritePart]) -> Int {
        let deletions = Array(parts.prefix { $0.onlyDeletes })
        guard !deletions.isEmpty else { return 0 }
        do throws(SystemError) {
            guard try reserve.release() else { return 0 }
        } catch {
            return 0
        }
        isReserveSpent = true
        for part in deletions where append(part) != nil {
            forgetAppended()
            return 0
        }
        return sync() == nil ? deletions.count : 0
    }

    /// Gives the reserve up for sealing, where what is to be sealed is small beside it: the
    /// manifest alone may be more than what is left.
    ///
    /// Should sealing fail all the same, the room is there for deletions still: nothing else is
    /// taken until there is a reserve again.
    ///
    /// - Returns: whether there is room that was not there before.
    func spendReserveOnSealing(unsealedBytes: Int) -> Bool {
        guard pace.hasFailed, !isReserveSpent, unsealedBytes <= reserve.bytes / 4
        else { return false }
        do throws(SystemError) {
            guard try reserve.release() else { return false }
        } catch {
            return false
        }
        isReserveSpent = true
        return true
    }

    /// Keeps room again as soon as there is some.
    func restoreReserve() throws(WorkerError) {
        do throws(SystemError) {
            isReserveSpent = try !reserve.restore()
        } catch {
            throw .storage(error)
        }
    }
}

extension IngestHandler {
    /// Keeps room for deletions again where it was given up.
    func restoreReserves() {
        for replica in replicas.values where replica.isReserveSpent {
            do {
                try replica.restoreReserve()
                guard !replica.isReserveSpent else { continue }
                logger.info(
                    "shard \(replica.shard.shard.number) of \(replica.shard.index) takes all again")
            } catch {
                logger.warning("\(error)")
            }
        }
    }
}
