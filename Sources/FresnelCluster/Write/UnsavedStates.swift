/// Client states that are in the cluster state and not yet on disk with it.
///
/// Until then nobody may fetch them: their batches are not acknowledged, and a query does not yet
/// see their items everywhere.
struct UnsavedStates: Sendable {
    private struct Change: Sendable {
        /// The version of the cluster state that makes it durable.
        let version: UInt64
        /// What it takes the place of.
        let former: [UInt8]?
    }

    /// By index, oldest first.
    private var changes: [String: [Change]] = [:]

    /// A client state takes the place of another one with this version of the cluster state.
    mutating func note(_ index: String, former: [UInt8]?, version: UInt64) {
        changes[index, default: []].append(Change(version: version, former: former))
    }

    /// The index is gone, and its states with it.
    mutating func forget(index: String) { changes[index] = nil }

    /// The cluster state with this version is on disk.
    mutating func persisted(version: UInt64) {
        guard !changes.isEmpty else { return }
        changes = changes.mapValues { $0.filter { $0.version > version } }.filter {
            !$0.value.isEmpty
        }
    }

    /// The client state of an index that is on disk.
    func durable(of index: IndexState) -> [UInt8]? {
        guard let first = changes[index.name]?.first else { return index.clientState }
        return first.former
    }
}
