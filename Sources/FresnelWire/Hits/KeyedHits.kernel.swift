package import FresnelKernels

// The first hits of an ordered answer, where nothing but their identifiers is sent, are laid out in
// one piece of memory: a key is a number and the identifier, which is unpacked right there, and the
// body has the identifier from its key. What takes turns with other runs, has more to send or keys
// of another kind goes through `HitBatchWriter`, which makes the same bytes.

/// Lays out hits of documents without attributes, and their keys, as one hit batch.
package struct KeyedHits: Sendable {
    /// One hit.
    @frozen
    package struct Hit {
        /// What the key begins with: bits that ascend in the order of the answer; `.max` where the
        /// value is missing.
        package let first: UInt64
        /// The score.
        package let score: Double
        /// Where in the table the identifier is.
        package let place: Int

        /// Makes a hit.
        @inlinable @inline(__always)
        package init(first: UInt64, score: Double, place: Int) {
            self.first = first
            self.score = score
            self.place = place
        }
    }

    private let index: [UInt8]
    private let head: UInt32
    private let hasScores: Bool

    /// Bytes of a key beside identifier and name of the index.
    private static let keyBytes = 15
    /// Bytes of a body beside those, where the length of the identifier takes one of them.
    private var bodyBytes: Int { hasScores ? 15 : 7 }
    /// The longest identifier that is laid out here: its length takes one byte.
    private static let identifierLimit = 0x7F

    /// Prepares for the documents of an index.
    ///
    /// - Parameters:
    ///   - index: its name in UTF-8, shorter than 128 bytes and without a zero.
    ///   - head: the three bytes that encoded documents have before the length of the identifier,
    ///     the lowest first.
    ///   - hasScores: whether bodies have scores.
    package init(index: [UInt8], head: UInt32, hasScores: Bool) {
        self.index = index
        self.head = head
        self.hasScores = hasScores
    }

    /// A batch of all of some hits.
    ///
    /// - Parameters:
    ///   - count: how many, at least one.
    ///   - table: their identifiers.
    ///   - hit: gives one of them.
    /// - Returns: nil where they might not fit into `limit` bytes, and where an identifier is not
    ///   there, long or has a zero.
    package func batch(
        _ count: Int, of table: borrowing PrefixBlocks, below limit: Int, _ hit: (Int) -> Hit
    ) -> [UInt8]? {
        guard index.count < 0x80, !ByteSearch.hasZero(index.span) else { return nil }
        // Each is asked for once; ten of them fit on the stack.
        return unsafe withUnsafeTemporaryAllocation(of: Hit.self, capacity: count) { hits in
            for number in 0..<count { unsafe hits.initializeElement(at: number, to: hit(number)) }
            return unsafe batch(UnsafeBufferPointer(hits), of: table, below: limit)
        }
    }

    @inline(__always)
    private func batch(
        _ hits: UnsafeBufferPointer<Hit>, of table: borrowing PrefixBlocks, below limit: Int
    ) -> [UInt8]? {
        let fixed =
            HitBatchWriter.overheadPerHit + Self.keyBytes + bodyBytes + 2 * index.count
        var room = HitBatchWriter.beginningBytes + fixed * hits.count
        for number in 0..<hits.count { unsafe room += 2 * table.room(of: hits[number].place) }
        guard room <= limit else { return nil }
        var payload: [UInt8] = []
        payload.append(addingCapacity: room) { bytes in
            unsafe bytes.withUnsafeMutableBufferPointer { buffer, written in
                unsafe written = write(hits, table, to: buffer) ?? 0
            }
        }
        return payload.isEmpty ? nil : payload
    }

    /// Writes the batch and gives its length; nil where that is not possible.
    ///
    /// `target` has room for the longest that it can be.
    @inline(__always)
    private func write(
        _ hits: UnsafeBufferPointer<Hit>, _ table: borrowing PrefixBlocks,
        to target: UnsafeMutableBufferPointer<UInt8>
    ) -> Int? {
        let count = hits.count
        guard let start = UnsafeMutableRawPointer(target.baseAddress) else { return nil }
        for (place, byte) in HitBatchWriter.signature.enumerated() {
            unsafe start.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
        unsafe start.storeBytes(
            of: UInt32(count).littleEndian, toByteOffset: 4, as: UInt32.self)
        let lengths = HitBatchWriter.beginningBytes
        var end = lengths + HitBatchWriter.overheadPerHit * count
        for number in 0..<count {
            guard let bytes = unsafe writeKey(hits[number], table, to: target, at: end)
            else { return nil }
            let both = UInt64(bytes) | UInt64(bytes - Self.keyBytes + bodyBytes) << 32
            unsafe start.storeBytes(
                of: both.littleEndian, toByteOffset: lengths + 8 * number, as: UInt64.self)
            end += bytes
        }
        var key = lengths + HitBatchWriter.overheadPerHit * count
        for number in 0..<count {
            let bytes = unsafe Int(
                UInt32(
                    littleEndian: start.load(
                        fromByteOffset: lengths + 8 * number, as: UInt32.self)))
            let identifier = bytes - Self.keyBytes - index.count
            unsafe writeBody(
                hits[number].score, start + key + 10, identifier, to: start + end)
            key += bytes
            end += bytes - Self.keyBytes + bodyBytes
        }
        return end
    }

    /// Writes a key and gives its length; nil for an identifier that would not stand in it as it
    /// is.
    @inline(__always)
    private func writeKey(
        _ hit: Hit, _ table: borrowing PrefixBlocks,
        to target: UnsafeMutableBufferPointer<UInt8>, at offset: Int
    ) -> Int? {
        guard hit.first != .max, let start = target.baseAddress else { return nil }
        let key = unsafe UnsafeMutableRawPointer(start + offset)
        unsafe key.storeBytes(of: OrderedKey.present, as: UInt8.self)
        unsafe key.storeBytes(of: hit.first.bigEndian, toByteOffset: 1, as: UInt64.self)
        unsafe key.storeBytes(of: OrderedKey.present, toByteOffset: 9, as: UInt8.self)
        var room = unsafe MutableSpan(
            _unsafeStart: start + offset + 10, count: target.count - offset - 10)
        let count = table.copyText(hit.place, to: &room)
        guard count > 0, count <= Self.identifierLimit else { return nil }
        let behind = unsafe key + 10 + count
        guard unsafe !ByteSearch.hasZero(Span(_unsafeStart: start + offset + 10, count: count))
        else { return nil }
        unsafe behind.storeBytes(of: 0, as: UInt16.self)
        unsafe behind.storeBytes(of: OrderedKey.present, toByteOffset: 2, as: UInt8.self)
        unsafe copyName(to: behind + 3)
        unsafe behind.storeBytes(of: 0, toByteOffset: 3 + index.count, as: UInt16.self)
        return Self.keyBytes + count + index.count
    }

    /// Writes a body of so many bytes of identifier.
    @inline(__always)
    private func writeBody(
        _ score: Double, _ identifier: UnsafeRawPointer, _ count: Int,
        to target: UnsafeMutableRawPointer
    ) {
        var body = unsafe target
        if hasScores {
            unsafe body.storeBytes(of: HitBody.Flags.score.rawValue, as: UInt8.self)
            unsafe body.storeBytes(
                of: score.bitPattern.littleEndian, toByteOffset: 1, as: UInt64.self)
            unsafe body += 9
        } else {
            unsafe body.storeBytes(of: 0, as: UInt8.self)
            unsafe body += 1
        }
        unsafe body.storeBytes(of: UInt8(truncatingIfNeeded: index.count), as: UInt8.self)
        unsafe copyName(to: body + 1)
        unsafe body += 1 + index.count
        // Three bytes, and the length of the identifier, which is below 128.
        let beginning = head & 0xFF_FFFF | UInt32(truncatingIfNeeded: count) << 24
        unsafe body.storeBytes(of: beginning.littleEndian, as: UInt32.self)
        unsafe (body + 4).copyMemory(from: identifier, byteCount: count)
        unsafe body.storeBytes(of: 0, toByteOffset: 4 + count, as: UInt8.self)
    }

    @inline(__always)
    private func copyName(to target: UnsafeMutableRawPointer) {
        unsafe index.withUnsafeBytes { name in
            guard let first = name.baseAddress else { return }
            unsafe target.copyMemory(from: first, byteCount: name.count)
        }
    }
}
