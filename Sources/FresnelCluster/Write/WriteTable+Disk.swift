import FresnelWire

// What the broker's own disk refuses.

extension WriteTable {
    /// Answers every batch that waits for the cluster state to be on disk, which will not be soon.
    ///
    /// Nothing is undone. What the shards journaled stays, what the state says is written as soon
    /// as there is room, and a batch that is sent again finds both.
    mutating func failWaiting(_ reason: WireFailure) -> [Action] {
        var actions: [Action] = []
        for batch in batches.values.sorted(by: { $0.sequence < $1.sequence }) {
            switch batch.phase {
            case .preparing: forget(batch.key)
            case .committing: break
            case .writing: continue
            }
            actions += acknowledge(batch.key, error: reason)
        }
        return actions
    }
}
