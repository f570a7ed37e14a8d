// Most terms occur in attributes that a query either wants all or wants none of. A 64-bit mask per
// term says so without looking at postings: bit i for attribute i below 63, bit 63 for the others.

/// The attributes of a segment that a comparison looks at.
package struct AttributeFilter: Hashable, Sendable {
    /// A bit for each of the first 64 attributes.
    private let low: UInt64
    /// A bit for each of the others; nil where there are none, as nearly always.
    private let high: [UInt64]?
    /// The mask bits all of whose attributes are in the filter.
    private let certain: UInt64
    /// The mask bits some of whose attributes are in the filter.
    private let possible: UInt64

    /// The highest bit of a mask, which stands for every attribute from 63 on.
    static let sharedBit: UInt64 = 1 << 63

    /// Makes a filter for a segment of `attributeCount` attributes.
    package init(_ attributes: some Sequence<AttributeOrdinal>, attributeCount: Int) {
        var words = [UInt64](repeating: 0, count: attributeCount / 64 + 1)
        for attribute in attributes where Int(attribute) < attributeCount {
            words[Int(attribute >> 6)] |= 1 << UInt64(attribute & 63)
        }
        low = words[0]
        high = words.count > 1 ? Array(words.dropFirst()) : nil
        let own = words[0] & ~Self.sharedBit
        guard attributeCount > 63 else {
            // No attribute shares a bit.
            (certain, possible) = (own | Self.sharedBit, own)
            return
        }
        let isShared = (63..<attributeCount).map { words[$0 >> 6] >> ($0 & 63) & 1 == 1 }
        certain = own | (isShared.contains(false) ? 0 : Self.sharedBit)
        possible = own | (isShared.contains(true) ? Self.sharedBit : 0)
    }

    /// The mask bit of an attribute.
    @inline(__always)
    static func bit(of attribute: AttributeOrdinal) -> UInt64 { 1 << UInt64(min(attribute, 63)) }

    /// Whether the filter has an attribute.
    @inline(__always)
    package func contains(_ attribute: AttributeOrdinal) -> Bool {
        let bit: UInt64 = 1 &<< UInt64(attribute & 63)
        guard attribute >= 64 else { return low & bit != 0 }
        let place = Int(attribute >> 6) - 1
        guard let high, place < high.count else { return false }
        return high[place] & bit != 0
    }

    /// Whether some attribute is in both filters of one segment.
    func intersects(_ other: AttributeFilter) -> Bool {
        if low & other.low != 0 { return true }
        guard let high, let others = other.high else { return false }
        return zip(high, others).contains { $0 & $1 != 0 }
    }

    /// Whether every occurrence of a term with this mask is in the filter.
    package func covers(_ mask: UInt64) -> Bool { mask & ~certain == 0 }

    /// Whether an occurrence of a term with this mask may be in the filter.
    package func mayMeet(_ mask: UInt64) -> Bool { mask & possible != 0 }
}
