import FresnelModel
import FresnelWire

// A name is that of an index or of an alias, never of both, and never of two indexes. Everything
// that makes one of them asks here, and what takes its time asks again at the end.

extension BrokerCore {
    /// What would have a name.
    enum NameUse {
        case index
        case alias
        /// An index that is taken over from the workers that hold it.
        case adoptedIndex
        /// An index that a restore makes, which this request asked for.
        case restoredIndex(RequestID)

        fileprivate var name: String {
            switch self {
            case .index, .adoptedIndex, .restoredIndex: "index"
            case .alias: "alias"
            }
        }

        fileprivate func isMade(by restore: SnapshotJob) -> Bool {
            if case .restoredIndex(let request) = self { request == restore.id } else { false }
        }

        /// What to do where something else has the name.
        fileprivate var advice: String {
            switch self {
            case .index: "give the index another name"
            case .alias: "give the alias another name"
            case .adoptedIndex: "give that one another name"
            case .restoredIndex: "restore under another name"
            }
        }
    }

    /// Why a name is not free; nil where it is.
    func refusalToTake(_ name: String, for use: NameUse) -> Refusal? {
        let target = state.names.index(of: name)
        guard target == name else {
            let advice = if case .adoptedIndex = use { "" } else { "\(use.advice), or " }
            return .final(
                .indexExists,
                "\(name) is an alias of index \(target); \(advice)remove the alias first")
        }
        guard state.index(named: name) == nil else {
            return .final(
                .indexExists, "there is an index \(name) already; \(use.advice)")
        }
        if let restore = snapshots.restore(of: name), !use.isMade(by: restore) {
            return .later(
                .busy,
                "an index \(name) is being restored; wait until that is done, or \(use.advice)")
        }
        return refusalBesideWorkers(name, use)
    }

    /// Why nothing of a name is made beside what workers hold; nil where it can.
    private func refusalBesideWorkers(_ name: String, _ use: NameUse) -> Refusal? {
        if case .adoptedIndex = use { return nil }
        if let replica = unknownReplicas.first(where: { $0.key.index == name }) {
            return .final(
                .indexExists,
                "\(use.name) \(name) is not made, since shards of one of that name are there: "
                    + replica.text)
        }
        if let worker = unknown.awaited(among: members.map(\.worker)) {
            return .later(
                .starting, "worker \(worker) has not told yet what it holds; it may be \(name)")
        }
        return nil
    }

    /// Why nothing is made that leads to an index; nil where that is durable.
    ///
    /// One that is not goes again where the disk goes on refusing, as what was never made.
    func refusalToRely(on index: String) -> Refusal? {
        guard catalogue.isUnsaved(index, durable: persistedVersion) else { return nil }
        return .later(.busy, "index \(index) is not on the broker's disk yet\(unwrittenReason)")
    }
}
