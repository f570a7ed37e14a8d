/// What a receiver has granted and a sender has used, as cumulative totals.
///
/// Totals instead of differences, so that a lost or repeated CREDIT does no harm: a grant only
/// counts when it is higher than the highest seen (Documentation/protocol.md, "Credit").
/// Invariant: `used` never exceeds `granted`, in items as in bytes.
package struct CreditWindow: Equatable, Sendable {
    package private(set) var grantedItems: UInt64
    package private(set) var grantedBytes: UInt64
    package private(set) var usedItems: UInt64 = 0
    package private(set) var usedBytes: UInt64 = 0

    package init(items: UInt64, bytes: UInt64) {
        grantedItems = items
        grantedBytes = bytes
    }

    /// Items that may still be sent.
    package var items: UInt64 { grantedItems - usedItems }
    /// Bytes that may still be sent.
    package var bytes: UInt64 { grantedBytes - usedBytes }

    /// Raises the grants to these totals; lower totals are old news and change nothing.
    package mutating func grant(items: UInt64, bytes: UInt64) {
        grantedItems = max(grantedItems, items)
        grantedBytes = max(grantedBytes, bytes)
    }

    /// Whether a batch of this size may be sent now.
    package func allows(items: UInt64, bytes: UInt64) -> Bool {
        items <= self.items && bytes <= self.bytes
    }

    /// Counts a batch as sent; false, and nothing counted, when it is beyond the grant.
    package mutating func use(items: UInt64, bytes: UInt64) -> Bool {
        guard allows(items: items, bytes: bytes) else { return false }
        usedItems += items
        usedBytes += bytes
        return true
    }
}
