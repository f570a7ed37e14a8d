import FresnelKernels

// Hits that have nothing but index and identifier are alike in all but the identifier, and
// identifiers of neighbours mostly begin alike (protocol.md, clause B-7):
//
//   batch = "FHB" %x02 count(4) frame-length frame *( shared rest-length rest )
//
// The frame is what every body has before the length of its identifier. Integers are little endian.

/// A batch of hits without keys and attributes, each as what its identifier has not in common with
/// the one before.
///
/// All of it is checked when it is opened, so taking its hits cannot fail for its form.
package struct FrontCodedHits: Sendable {
    /// The payload.
    package let bytes: [UInt8]
    /// How many hits the batch holds.
    package let count: Int
    /// What each body has before the length of the identifier.
    private let frame: Range<Int>

    /// The first four bytes: "FHB" and the version.
    static let signature: [UInt8] = [0x46, 0x48, 0x42, 0x02]
    /// Bytes of an identifier that are taken from the one before, at most.
    static var mostShared: Int { 0xFF }

    /// Whether a payload is such a batch, maybe a damaged one.
    package static func isOne(_ payload: [UInt8]) -> Bool { payload.starts(with: signature) }

    /// Opens a payload.
    ///
    /// - Throws: `WireError` when it is not exactly one batch, and when its hits would be too many
    ///   or too large for a batch of version 1.
    package init(_ bytes: [UInt8]) throws(WireError) {
        let limits = WireLimits.standard
        guard bytes.count <= limits.foundPayloadBytes else {
            throw .tooLarge(.batch, bytes: bytes.count, limit: limits.foundPayloadBytes)
        }
        var reader = try WireReader(bytes, as: .hitBatch)
        for expected in Self.signature where try reader.byte() != expected {
            throw reader.broken("it does not begin with FHB and version 2")
        }
        let count = Int(try reader.number32())
        guard count <= limits.hits, count <= bytes.count / 2 else {
            throw reader.broken("it claims \(count) hits in \(bytes.count) bytes")
        }
        frame = try reader.slice(limit: limits.identifierBytes)
        guard Self.isFrame(bytes.span.extracting(frame)) else {
            throw reader.broken("its hits have more than index and identifier")
        }
        var walk = Walk(bytes, from: frame.upperBound)
        try walk.check(count, frame.count, limits, reader)
        self.bytes = bytes
        self.count = count
    }

    /// The identifiers of all hits.
    ///
    /// - Throws: `WireError` naming the place of one that is not UTF-8.
    package func identifiers() throws(WireError) -> [String] {
        var identifiers: [String] = []
        identifiers.reserveCapacity(count)
        var walk = Walk(bytes, from: frame.upperBound)
        for _ in 0..<count {
            walk.advance()
            // Which of its bytes is wrong does not matter: where the hit ends is told.
            guard let text = try? UTF8Span(validating: walk.identifier.span) else {
                throw .damaged(.hit, .invalidText(offset: walk.offset))
            }
            identifiers.append(String(copying: text))
        }
        return identifiers
    }

    /// The first hit in full, which tells index and kind of all; nil where there is none.
    package func first() throws(WireError) -> DecodedHit? {
        guard count > 0 else { return nil }
        var walk = Walk(bytes, from: frame.upperBound)
        walk.advance()
        return try DecodedHit(body(of: walk.identifier))
    }

    /// The same hits as a batch of version 1.
    package func whole() -> HitBatchReader {
        var writer = HitBatchWriter()
        var walk = Walk(bytes, from: frame.upperBound)
        for _ in 0..<count {
            walk.advance()
            writer.append(key: [], body: body(of: walk.identifier))
        }
        do throws(WireError) {
            return try HitBatchReader(writer.bytes())
        } catch {
            preconditionFailure("a batch of \(count) hits that was made here is damaged: \(error)")
        }
    }

    private init(unchecked bytes: [UInt8], count: Int, frame: Range<Int>) {
        self.bytes = bytes
        self.count = count
        self.frame = frame
    }

    /// The first hits and the others, each as a batch of its own; nil where none fits, or all do.
    ///
    /// - Parameters:
    ///   - items: the most hits of the first batch.
    ///   - limit: the most bytes of it.
    package func split(
        items: Int, below limit: Int
    ) -> (first: FrontCodedHits, rest: FrontCodedHits)? {
        var walk = Walk(bytes, from: frame.upperBound)
        var (taken, end) = (0, frame.upperBound)
        // Each identifier is put together, for that of the first hit behind the cut.
        while taken < count {
            walk.advance()
            guard taken < items, walk.offset <= limit else { break }
            (taken, end) = (taken + 1, walk.offset)
        }
        guard taken > 0, taken < count else { return nil }
        let whole = bytes.span
        let behind = whole.extracting(walk.offset..<bytes.count)
        var first = ByteWriter(capacity: end)
        writeBeginning(taken, to: &first)
        first.writeRaw(whole.extracting(frame.upperBound..<end))
        var rest = ByteWriter(
            capacity: frame.upperBound + 3 + walk.identifier.count + behind.count)
        writeBeginning(count - taken, to: &rest)
        rest.write(0 as UInt8)
        rest.writeSlice(walk.identifier)
        rest.writeRaw(behind)
        return (
            Self(unchecked: first.bytes, count: taken, frame: frame),
            Self(unchecked: rest.bytes, count: count - taken, frame: frame)
        )
    }

    /// Whether its hits have the same index and kind.
    func isLike(_ other: FrontCodedHits) -> Bool { bytes[frame] == other.bytes[other.frame] }

    /// The hits of several alike batches as one; nil where they would be too many for one.
    ///
    /// The first of each batch stays as it is, and shares nothing with the one before.
    static func joined(_ batches: [FrontCodedHits]) -> FrontCodedHits? {
        guard let first = batches.first else { return nil }
        var writer = ByteWriter(capacity: batches.reduce(0) { $0 + $1.bytes.count })
        first.writeBeginning(batches.reduce(0) { $0 + $1.count }, to: &writer)
        for batch in batches {
            let bytes = batch.bytes
            writer.writeRaw(bytes.span.extracting(batch.frame.upperBound..<bytes.count))
        }
        // Only their size as a batch of version 1 can be wrong.
        return try? FrontCodedHits(writer.bytes)
    }

    /// Writes what stands before the first of so many hits.
    private func writeBeginning(_ items: Int, to writer: inout ByteWriter) {
        writer.writeRaw(Self.signature)
        writer.write(UInt32(items))
        writer.writeRaw(bytes.span.extracting(writer.bytes.count..<frame.upperBound))
    }

    /// Whether hits that begin so have an index and a document, and no more of it than its
    /// beginning: no flags; a length of one byte and the index; version, kind and no presence.
    private static func isFrame(_ frame: Span<UInt8>) -> Bool {
        guard frame.count >= 5, frame[0] == 0, frame[1] < 0x80 else { return false }
        return frame.count == 5 + Int(frame[1]) && frame[frame.count - 1] == 0
    }

    private func body(of identifier: [UInt8]) -> [UInt8] {
        var writer = ByteWriter(capacity: frame.count + 3 + identifier.count)
        writer.writeRaw(bytes.span.extracting(frame))
        writer.writeSlice(identifier)
        writer.write(0 as UInt8)
        return writer.bytes
    }
}

/// Goes through the identifiers of a batch.
private struct Walk {
    private let bytes: [UInt8]
    /// Where the next hit stands.
    private(set) var offset: Int
    /// That of the last hit gone through; empty before.
    private(set) var identifier: [UInt8] = []

    init(_ bytes: [UInt8], from offset: Int) {
        self.bytes = bytes
        self.offset = offset
    }

    /// What a hit takes from the one before, and where the rest stands.
    private func next() -> (shared: Int, rest: Range<Int>)? {
        guard offset + 1 < bytes.count else { return nil }
        let (shared, low) = (Int(bytes[offset]), Int(bytes[offset + 1]))
        guard low >= 0x80 else { return (shared, offset + 2..<offset + 2 + low) }
        // The length of a rest takes two bytes at most, and the second is not 0.
        guard offset + 2 < bytes.count, (1..<0x80).contains(bytes[offset + 2]) else { return nil }
        let count = low & 0x7F | Int(bytes[offset + 2]) << 7
        return (shared, offset + 3..<offset + 3 + count)
    }

    /// Checks every hit without putting one together, and that all would fit version 1.
    mutating func check(
        _ count: Int, _ frameBytes: Int, _ limits: WireLimits, _ reader: WireReader
    ) throws(WireError) {
        var former = 0
        var whole = HitBatchWriter.beginningBytes
        for number in 0..<count {
            guard let (shared, rest) = next(), shared <= former, rest.upperBound <= bytes.count,
                shared + rest.count <= limits.identifierBytes
            else { throw reader.broken("hit \(number) at offset \(offset) is not one") }
            former = shared + rest.count
            offset = rest.upperBound
            whole += HitBatchWriter.overheadPerHit + frameBytes + (former < 0x80 ? 2 : 3) + former
        }
        guard offset == bytes.count else {
            throw reader.broken("\(bytes.count - offset) bytes follow its \(count) hits")
        }
        guard whole <= limits.foundPayloadBytes else {
            throw .tooLarge(.batch, bytes: whole, limit: limits.foundPayloadBytes)
        }
    }

    /// Puts the next identifier together, of a batch that was checked.
    mutating func advance() {
        guard let (shared, rest) = next() else {
            preconditionFailure("no hit at offset \(offset) of a batch that was checked")
        }
        let bytes = bytes
        identifier.removeLast(identifier.count - shared)
        identifier.append(copying: bytes.span.extracting(rest))
        offset = rest.upperBound
    }
}
