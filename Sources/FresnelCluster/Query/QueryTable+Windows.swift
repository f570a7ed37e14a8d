import FresnelModel
import FresnelWire

// How much the workers may send ahead of a client, whatever it granted: bounded per query and per
// session, so that a client that grants everything and reads nothing costs a fixed number of bytes.

extension QueryTable {
    /// Bytes that each worker of a new query may send ahead; nil when the client's other queries
    /// have used up what one session may.
    ///
    /// - Parameter tails: what its followed queries have reserved already.
    func windowBytes(
        for plan: QueryPlan, of client: SessionID, besides tails: UInt64 = 0
    ) -> UInt64? {
        let parts = UInt64(max(1, plan.parts.count))
        guard !plan.search.countOnly || !plan.search.facets.isEmpty else {
            return Limits.workerWindowBytes
        }
        let reserved = reservedBytes(of: client) + tails
        let share = min(Limits.workerWindowBytes, Limits.queryWindowBytes / parts)
        let left = Limits.sessionWindowBytes - min(reserved, Limits.sessionWindowBytes)
        for window in [max(share, Limits.hitBatchBytes), Limits.hitBatchBytes]
        where parts * window <= left {
            return window
        }
        // One query alone is always served, by however many workers.
        return reserved == 0 ? Limits.hitBatchBytes : nil
    }
}
