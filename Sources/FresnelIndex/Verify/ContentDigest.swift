package import FresnelKernels
package import FresnelModel

/// What a shard contains, as one number: two replicas contain the same documents exactly when
/// their digests at the same sequence number and instant are equal.
///
/// The sum, modulo 2 to the power of 128 in two halves, of a hash of every document with its
/// identifier: neither order nor segments matter, and a document counts as often as it is there.
package struct ContentDigest: Hashable, Sendable {
    /// Documents that were added.
    package private(set) var documents: UInt64 = 0
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    package init() {}

    /// The sum of the hashes.
    package var hash: Hash128 { Hash128(high: high, low: low) }

    /// Adds a document: its identifier and its encoded bytes.
    package mutating func add(identifier: Span<UInt8>, encoded: Span<UInt8>) {
        let sum = Self.hash(identifier: identifier, encoded: encoded)
        documents += 1
        high &+= sum.high
        low &+= sum.low
    }

    /// Takes a document out that was added.
    mutating func remove(identifier: Span<UInt8>, encoded: Span<UInt8>) {
        let sum = Self.hash(identifier: identifier, encoded: encoded)
        documents &-= 1
        high &-= sum.high
        low &-= sum.low
    }

    /// Adds everything that another digest counts.
    mutating func add(_ other: ContentDigest) {
        documents += other.documents
        high &+= other.high
        low &+= other.low
    }

    private static func hash(identifier: Span<UInt8>, encoded: Span<UInt8>) -> Hash128 {
        let name = Hash.digest(of: identifier)
        let content = Hash.digest(of: encoded)
        // Both hashed again together, so that contents cannot change places between identifiers.
        var writer = ByteWriter(capacity: 32)
        for half in [name.high, name.low, content.high, content.low] { writer.write(half) }
        return Hash.digest(of: writer.bytes.span)
    }
}

extension IndexSnapshot {
    /// The digest of what a query at a sequence number and an instant could find.
    package func contentDigest(at sequence: SequenceNumber, now: Timestamp) -> ContentDigest {
        var memory = ContentDigestMemory()
        return memory.digest(of: self, at: sequence, now: now)
    }
}
