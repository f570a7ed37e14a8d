import FresnelCluster
import FresnelJournal
import FresnelModel
import Logging

extension Replica {
    /// Tells the operator what opening cut off the journal, and where it is now.
    func warnOfTornTail(_ logger: Logger) {
        guard let tail = recovery.tornTail else { return }
        let place = recovery.keptTail.map { "they are kept in \($0)" } ?? "no copy was kept"
        logger.warning(
            """
            the journal of shard \(shard.shard.number) of index \(shard.index) ended in \(tail); \
            cut off after sequence \(recovery.last.value), \(place)
            """,
            metadata: [
                "bytes": "\(tail.bytes)", "after": "\(recovery.last.value)",
                "kept": "\(recovery.keptTail ?? "")",
            ])
        for path in recovery.droppedTails {
            logger.warning("\(path), an older cut-off end of the journal, was removed for it")
        }
    }
}
