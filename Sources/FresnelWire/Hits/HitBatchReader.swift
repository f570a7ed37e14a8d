import FresnelKernels

/// Opens a hit batch; keys and bodies are slices of the payload, nothing is copied.
///
/// All lengths are checked when it is opened, so taking a slice cannot fail afterwards. It never
/// changes, and is passed on by reference: a merge hands it around for every few hits.
package final class HitBatchReader: Sendable {
    /// The payload.
    package let bytes: [UInt8]
    /// How many hits the batch holds.
    package let count: Int
    /// Where each key begins in `bytes`, and where the last one ends.
    private let keyOffsets: [UInt32]
    /// Where each body begins in `bytes`, and where the last one ends.
    private let bodyOffsets: [UInt32]

    /// What a hit takes beside its bytes in the payload.
    static var offsetBytes: Int { 2 * MemoryLayout<UInt32>.stride }

    /// Opens a payload.
    ///
    /// - Throws: `WireError` when it is not exactly one hit batch.
    package init(_ bytes: [UInt8], limits: WireLimits = .standard) throws(WireError) {
        guard bytes.count <= limits.foundPayloadBytes else {
            throw .tooLarge(.batch, bytes: bytes.count, limit: limits.foundPayloadBytes)
        }
        var reader = try WireReader(bytes, as: .hitBatch)
        for expected in HitBatchWriter.signature where try reader.byte() != expected {
            throw reader.broken("it does not begin with FHB and version 1")
        }
        let count = Int(try reader.number32())
        guard count <= limits.hits, count <= bytes.count / HitBatchWriter.overheadPerHit else {
            throw reader.broken("it claims \(count) hits in \(bytes.count) bytes")
        }
        var lengths: [(key: Int, body: Int)] = []
        lengths.reserveCapacity(count)
        for _ in 0..<count {
            let key = Int(try reader.number32())
            guard key <= limits.sortKeyBytes else {
                throw .tooLarge(.sortKey, bytes: key, limit: limits.sortKeyBytes)
            }
            lengths.append((key, Int(try reader.number32())))
        }
        (keyOffsets, bodyOffsets) = try Self.offsets(lengths, reader)
        self.bytes = bytes
        self.count = count
    }

    /// The sort key of a hit, to be compared byte by byte.
    package func key(_ position: Int) -> ArraySlice<UInt8> {
        bytes[keyBytes(of: position)]
    }

    /// Below, equal to or above zero as the sort key of a hit is below, equal to or above another.
    package func compareKey(_ position: Int, with key: [UInt8]) -> Int {
        ByteOrder.compare(bytes, keyBytes(of: position), key, 0..<key.count)
    }

    /// The same of two hits, of one batch or of two.
    package func compareKey(
        _ position: Int, with other: HitBatchReader, _ place: Int
    ) -> Int {
        ByteOrder.compare(
            bytes, keyBytes(of: position), other.bytes, other.keyBytes(of: place))
    }

    /// Whether no hit's key precedes that of the hit before it, nor the first one's `former`.
    package func isAscending(after former: [UInt8]) -> Bool {
        guard count > 0, compareKey(0, with: former) >= 0 else { return count == 0 }
        for position in 1..<max(count, 1)
        where compareKey(position, with: self, position - 1) < 0 { return false }
        return true
    }

    /// Where the key of a hit stands in `bytes`.
    private func keyBytes(of position: Int) -> Range<Int> {
        Int(keyOffsets[position])..<Int(keyOffsets[position + 1])
    }

    /// Where the keys of a run of hits stand in `bytes`, one after the other.
    package func keyBytes(of hits: Range<Int>) -> Range<Int> {
        Int(keyOffsets[hits.lowerBound])..<Int(keyOffsets[hits.upperBound])
    }

    /// Where their bodies stand.
    package func bodyBytes(of hits: Range<Int>) -> Range<Int> {
        Int(bodyOffsets[hits.lowerBound])..<Int(bodyOffsets[hits.upperBound])
    }

    /// The body of a hit, as `HitBody` encodes it.
    package func body(_ position: Int) -> ArraySlice<UInt8> { bytes[bodyRange(position)] }

    /// The size of a hit's key and body together.
    package func byteCount(of position: Int) -> Int {
        Int(keyOffsets[position + 1] - keyOffsets[position])
            + Int(bodyOffsets[position + 1] - bodyOffsets[position])
    }

    /// The place of a body in `bytes`.
    package func bodyRange(_ position: Int) -> Range<Int> {
        Int(bodyOffsets[position])..<Int(bodyOffsets[position + 1])
    }

    /// Turns lengths into offsets that fill the payload exactly.
    private static func offsets(
        _ lengths: [(key: Int, body: Int)], _ reader: WireReader
    ) throws(WireError) -> (keys: [UInt32], bodies: [UInt32]) {
        let keyBytes = lengths.reduce(0) { $0 + $1.key }
        let bodyBytes = lengths.reduce(0) { $0 + $1.body }
        guard reader.offset + keyBytes + bodyBytes == reader.bytes.count else {
            throw reader.broken(
                "its lengths say \(keyBytes) + \(bodyBytes) bytes, it has \(reader.base.remaining)")
        }
        // Every sum is at most the payload's size, which fits 32 bits.
        var keys = [UInt32(reader.offset)]
        var bodies = [UInt32(reader.offset + keyBytes)]
        keys.reserveCapacity(lengths.count + 1)
        bodies.reserveCapacity(lengths.count + 1)
        for (position, length) in lengths.enumerated() {
            keys.append(keys[position] + UInt32(length.key))
            bodies.append(bodies[position] + UInt32(length.body))
        }
        return (keys, bodies)
    }
}
