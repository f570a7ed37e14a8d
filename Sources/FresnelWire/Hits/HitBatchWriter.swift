package import FresnelKernels

// The payload of FOUND (protocol.md, clauses B-1, B-4):
//
//   batch = "FHB" %x01 count(4) *( key-length(4) body-length(4) ) keys bodies
//
// Keys and bodies stand apart so that the broker compares keys that lie close together and copies
// bodies it never reads. Integers are little endian.

/// Lays out hits as one hit batch.
package struct HitBatchWriter: Sendable {
    /// The first four bytes: "FHB" and the version.
    static let signature: [UInt8] = [0x46, 0x48, 0x42, 0x01]
    static let beginningBytes = 8
    /// What a hit adds to `byteCount` beside its key and body.
    package static let overheadPerHit = 8

    /// The lengths of key and body of each hit.
    private var lengths: [UInt32] = []
    /// The keys, one behind the other.
    private var keys = OrderedKey()
    private var bodies: [UInt8] = []
    /// How many hits have been appended.
    package private(set) var count = 0

    /// Starts without hits.
    package init() {}

    /// Starts without hits, with room for so many of a usual size.
    package init(capacity: Int) {
        lengths.reserveCapacity(2 * capacity)
        keys.reserveCapacity(40 * capacity)
        bodies.reserveCapacity(48 * capacity)
    }

    /// The size of the batch as it stands.
    package var byteCount: Int {
        Self.beginningBytes + 4 * lengths.count + keys.bytes.count + bodies.count
    }

    /// Appends a hit; `key` is its place in the order as bytes, empty where there is no order.
    package mutating func append(key: [UInt8], body: [UInt8]) {
        keys.append(raw: key.span)
        bodies.append(contentsOf: body)
        close(key.count, body.count)
    }

    /// Appends a run of another batch's hits.
    package mutating func append(_ hits: Range<Int>, of batch: HitBatchReader) {
        let bytes = batch.bytes
        keys.append(raw: bytes.span.extracting(batch.keyBytes(of: hits)))
        bodies.append(copying: bytes.span.extracting(batch.bodyBytes(of: hits)))
        for hit in hits {
            lengths.append(UInt32(batch.keyBytes(of: hit..<hit + 1).count))
            lengths.append(UInt32(batch.bodyRange(hit).count))
        }
        count += hits.count
        precondition(byteCount < Int(UInt32.max), "batch above 4 GiB")
    }

    /// Appends a hit whose key and body are written in place, behind those before, unless that
    /// would pass `limit` bytes; the first hit always fits.
    ///
    /// - Returns: whether it was appended.
    package mutating func append(
        below limit: Int,
        _ write: (_ keys: inout OrderedKey, _ bodies: inout [UInt8]) throws(WireError) -> Void
    ) throws(WireError) -> Bool {
        let (keyStart, bodyStart) = (keys.bytes.count, bodies.count)
        try write(&keys, &bodies)
        if count > 0, byteCount + Self.overheadPerHit > limit {
            keys.removeAll(from: keyStart)
            bodies.removeLast(bodies.count - bodyStart)
            return false
        }
        close(keys.bytes.count - keyStart, bodies.count - bodyStart)
        return true
    }

    private mutating func close(_ keyBytes: Int, _ bodyBytes: Int) {
        precondition(byteCount < Int(UInt32.max), "batch above 4 GiB")
        lengths.append(UInt32(keyBytes))
        lengths.append(UInt32(bodyBytes))
        count += 1
    }

    /// The key of the last hit; empty before the first.
    package var lastKey: [UInt8] {
        guard count > 0 else { return [] }
        return Array(keys.bytes.suffix(Int(lengths[lengths.count - 2])))
    }

    /// The encoded batch.
    package func bytes() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.append(addingCapacity: byteCount) { room in
            room.append(copying: Self.signature.span)
            Self.append(UInt32(count), to: &room)
            for length in lengths { Self.append(length, to: &room) }
            room.append(copying: keys.bytes.span)
            room.append(copying: bodies.span)
        }
        return bytes
    }

    /// Appends four bytes.
    @inline(__always)
    private static func append(_ number: UInt32, to bytes: inout OutputSpan<UInt8>) {
        for place in 0..<4 as Range<UInt32> {
            bytes.append(UInt8(truncatingIfNeeded: number &>> (8 &* place)))
        }
    }
}
