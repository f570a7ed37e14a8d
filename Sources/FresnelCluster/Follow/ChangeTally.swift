import FresnelModel
import FresnelWire

/// How many changes of each kind there are.
struct ChangeTally: Hashable, Sendable {
    /// Hits that only the former state has.
    private(set) var removed: UInt64 = 0
    /// Hits that only the newer state has.
    private(set) var added: UInt64 = 0

    /// No changes.
    init() {}

    /// What reports say was found.
    init(_ reports: [WireShardReport]) {
        removed = reports.map(\.removed).saturatingSum
        let found = reports.map(\.found).saturatingSum
        added = found - min(found, removed)
    }

    /// Counts a change by its key; false when the key is of neither kind.
    mutating func count(_ key: ArraySlice<UInt8>) -> Bool {
        switch key.first {
        case ChangeKeys.removed: removed += 1
        case ChangeKeys.added: added += 1
        default: return false
        }
        return true
    }

    /// Whether there are at most as many of each kind.
    func isWithin(_ other: ChangeTally) -> Bool {
        removed <= other.removed && added <= other.added
    }
}
