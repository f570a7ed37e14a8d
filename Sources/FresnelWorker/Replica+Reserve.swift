import FresnelCluster
import FresnelJournal
import FresnelModel
import FresnelSystem
import FresnelWire
import Logging

// A full disk refuses what makes it fuller and takes what makes room. Each journal keeps a reserve;
// the first deletion that does not fit gives it up, and until it can be made anew the shard takes
// deletions only. What deletions free comes back when the memory is sealed and segments merge.

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
    func refusalOfFullDisk(_ part: WritePart) -> WireFailure? {
        guard isReserveSpent, !part.onlyDeletes else { return nil }
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
