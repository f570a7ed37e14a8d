import FresnelKernels
package import FresnelWire

/// The digest of an ordered answer: two answers are the same when their digests are.
///
/// A chain: the digest of nothing is 16 zero bytes; each delivered hit, in final order, makes it
/// XXH3-128 of the digest so far (16 bytes, canonical form) followed by the hit's sort key. A sort
/// key ends in the identifier and holds the score's bits where the order is by relevance, so items,
/// scores and order are all covered.
package struct OrderDigest: Equatable, Sendable {
    private var value = Hash128(high: 0, low: 0)

    package init() {}

    /// Adds the next hit's sort key.
    package mutating func append(_ key: ArraySlice<UInt8>) {
        let bytes = key.span
        value = Hash.digest(of: value, then: bytes)
    }

    /// Adds the sort keys of a run of hits.
    package mutating func append(_ hits: Range<Int>, of batch: HitBatchReader) {
        let bytes = batch.bytes
        let all = bytes.span
        for hit in hits {
            value = Hash.digest(
                of: value, then: all.extracting(batch.keyBytes(of: hit..<hit + 1)))
        }
    }

    /// 32 hexadecimal digits.
    package var text: String { value.description }
}
