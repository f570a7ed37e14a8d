import FresnelKernels

/// The digest of an ordered answer: two answers are the same when their digests are.
///
/// A chain: the digest of nothing is 16 zero bytes; each delivered hit, in final order, makes it
/// XXH3-128 of the digest so far (16 bytes, canonical form) followed by the hit's sort key. A sort
/// key ends in the identifier and holds the score's bits where the order is by relevance, so items,
/// scores and order are all covered.
package struct OrderDigest: Equatable, Sendable {
    private var value = Hash128(high: 0, low: 0)
    private var scratch: [UInt8] = []

    package init() {}

    /// Adds the next hit's sort key.
    package mutating func append(_ key: ArraySlice<UInt8>) {
        scratch.removeAll(keepingCapacity: true)
        for half in [value.high, value.low] {
            for shift in stride(from: 56, through: 0, by: -8) {
                scratch.append(UInt8(truncatingIfNeeded: half >> UInt64(shift)))
            }
        }
        scratch.append(contentsOf: key)
        value = Hash.digest(of: scratch)
    }

    /// 32 hexadecimal digits.
    package var text: String { value.description }

    package static func == (lhs: OrderDigest, rhs: OrderDigest) -> Bool { lhs.value == rhs.value }
}
