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
    /// What every hash begins with; 0 for none.
    private let salt: UInt64

    /// - Parameter salt: not 0: the hashes begin with it, so that nobody who does not have the
    ///   documents can make the digest, whatever he saw of others.
    package init(salt: UInt64 = 0) { self.salt = salt }

    /// The sum of the hashes.
    package var hash: Hash128 { Hash128(high: high, low: low) }

    /// Adds a document: its identifier and its encoded bytes.
    package mutating func add(identifier: Span<UInt8>, encoded: Span<UInt8>) {
        let sum = hash(identifier: identifier, encoded: encoded)
        documents += 1
        high &+= sum.high
        low &+= sum.low
    }

    /// Takes a document out that was added.
    mutating func remove(identifier: Span<UInt8>, encoded: Span<UInt8>) {
        let sum = hash(identifier: identifier, encoded: encoded)
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

    private func hash(identifier: Span<UInt8>, encoded: Span<UInt8>) -> Hash128 {
        let name = hash(identifier)
        let content = hash(encoded)
        // Both hashed again together, so that contents cannot change places between identifiers.
        var writer = ByteWriter(capacity: 32)
        for half in [name.high, name.low, content.high, content.low] { writer.write(half) }
        return Hash.digest(of: writer.bytes.span)
    }

    private func hash(_ bytes: Span<UInt8>) -> Hash128 {
        guard salt != 0 else { return Hash.digest(of: bytes) }
        return Hash.digest(of: Hash128(high: salt, low: ~salt), then: bytes)
    }
}

extension IndexSnapshot {
    /// The digest of what a query at a sequence number and an instant could find.
    package func contentDigest(at sequence: SequenceNumber, now: Timestamp) -> ContentDigest {
        var memory = ContentDigestMemory()
        return memory.digest(of: self, at: sequence, now: now)
    }
}
