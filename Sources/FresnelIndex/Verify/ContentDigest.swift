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
    package mutating func add(identifier: Span<UInt8>, encoded: [UInt8]) {
        let name = Hash.digest(of: identifier)
        let content = Hash.digest(of: encoded.span)
        // Both hashed again together, so that contents cannot change places between identifiers.
        var writer = ByteWriter()
        for half in [name.high, name.low, content.high, content.low] { writer.write(half) }
        let sum = Hash.digest(of: writer.bytes.span)
        documents += 1
        high &+= sum.high
        low &+= sum.low
    }
}

extension IndexSnapshot {
    /// The digest of what a query at a sequence number and an instant could find.
    package func contentDigest(at sequence: SequenceNumber, now: Timestamp) -> ContentDigest {
        var digest = ContentDigest()
        for published in segments {
            let segment = published.segment
            let identifiers = segment.identifiers
            let visible = published.visible(at: sequence, now: now)
            for document in 0..<DocumentNumber(segment.documentCount)
            where visible.contains(document) {
                digest.add(
                    identifier: identifiers.identifier(of: document),
                    encoded: segment.encodedDocument(document))
            }
        }
        return digest
    }
}

extension Segment {
    /// A stored document as it was encoded for the wire.
    func encodedDocument(_ document: DocumentNumber) -> [UInt8] {
        stored.encoded(document)
    }
}
