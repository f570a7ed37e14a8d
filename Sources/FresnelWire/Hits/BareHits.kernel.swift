// Hits without keys and attributes, as all hits of a long answer mostly are, are laid out in one
// pass over their identifiers (protocol.md, clause B-7): of each what it has not in common with the
// one before, so both are put together side by side. Identifiers are copied by sixteen bytes at
// once, which may write over what comes behind them; that is written afterwards.

package import FresnelKernels

/// Lays out hits of documents without attributes as one front-coded batch (`FrontCodedHits`).
package struct BareHits: Sendable {
    /// What stands before the first hit, with 0 as the number of hits.
    private let beginning: [UInt8]
    /// Bytes of a hit in a batch of version 1 beside the identifier and its length.
    private let wholeOverhead: Int
    /// The longest identifier that is laid out here, and the largest batch of version 1: known here
    /// since they are compared for each hit.
    private let identifierLimit = WireLimits.standard.identifierBytes
    private let wholeLimit = WireLimits.standard.foundPayloadBytes

    /// Bytes copied at once.
    static var step: Int { 16 }
    /// Where an identifier is put together: the longest that a table of blocks may have, and what
    /// is copied or compared beyond it.
    private static var roomBytes: Int { 9 * PrefixBlocks.partLimit + 4 * step }
    /// Bytes of a hit beside what of its identifier is written, at most.
    private static var overheadPerHit: Int { 3 }

    /// Prepares for the documents of an index.
    ///
    /// - Parameters:
    ///   - index: its name in UTF-8, at most 120 bytes.
    ///   - head: what encoded documents have before the identifier.
    package init(index: [UInt8], head: [UInt8]) {
        let body = [0, UInt8(index.count)] + index + head
        precondition(body.count < 0x80, "a name of \(index.count) bytes")
        beginning = FrontCodedHits.signature + [0, 0, 0, 0, UInt8(body.count)] + body
        wholeOverhead = HitBatchWriter.overheadPerHit + body.count + 1
    }

    /// The first of some hits as a batch, up to `limit` bytes; the first always fits.
    ///
    /// - Parameters:
    ///   - documents: whose hits.
    ///   - offsets: where the identifier of each document begins, and where the last ends.
    ///   - blob: the identifiers.
    /// - Returns: nil when the first identifier is not there or too long to be laid out here.
    package func batch(
        _ documents: Span<UInt32>, offsets: Span<UInt32>, blob: Span<UInt8>, below limit: Int
    ) -> (payload: [UInt8], items: Int)? {
        func place(_ number: Int) -> Range<Int>? {
            let document = Int(documents[number])
            guard document &+ 1 < offsets.count else { return nil }
            let (start, end) = (Int(offsets[document]), Int(offsets[document &+ 1]))
            guard start <= end, end <= blob.count, end &- start <= identifierLimit else {
                return nil
            }
            return start..<end
        }
        var room = 0
        for number in documents.indices {
            room += Self.overheadPerHit + (place(number)?.count ?? 0)
        }
        return unsafe blob.withUnsafeBytes { source in
            guard let first = source.baseAddress else { return nil }
            return unsafe batch(documents.count, room: room, below: limit) { number, target in
                guard let place = place(number) else { return nil }
                unsafe target.copyMemory(from: first + place.lowerBound, byteCount: place.count)
                return place.count
            }
        }
    }

    /// The same of identifiers in blocks.
    ///
    /// - Parameters:
    ///   - places: where in the table the identifiers of the hits are.
    ///   - table: the identifiers.
    package func batch(
        _ places: Span<UInt32>, of table: borrowing PrefixBlocks, below limit: Int
    ) -> (payload: [UInt8], items: Int)? {
        // All of them are found first, which brings them into the cache at once.
        let found = table.places(of: places)
        let words = found.words.span
        let room = (table.isCoded ? 8 : 1) * found.byteCount + Self.overheadPerHit * words.count
        let (blob, pieces, lengths) = (table.blob, table.pieces, table.lengths)
        return unsafe blob.withUnsafeBytes { source in
            guard let first = source.baseAddress else { return nil }
            guard table.isCoded else {
                return unsafe batch(words.count, room: room, below: limit) { number, target in
                    unsafe Place(words[number]).copy(first, source.count, to: target)
                }
            }
            return unsafe pieces.withUnsafeBufferPointer { pieces in
                unsafe lengths.withUnsafeBufferPointer { lengths in
                    guard let words8 = pieces.baseAddress, let counts = lengths.baseAddress
                    else { return nil }
                    let codes = unsafe Codes(
                        source: first, blobCount: source.count, pieces: words8,
                        lengths: counts, count: min(pieces.count, lengths.count))
                    return unsafe batch(words.count, room: room, below: limit) { number, target in
                        unsafe codes.unpack(Place(words[number]), to: target)
                    }
                }
            }
        }
    }

    /// Lays out hits one behind the other.
    ///
    /// - Parameters:
    ///   - room: bytes that all of them take at most.
    ///   - put: puts the identifier of a hit to where there are `roomBytes`, and gives its length;
    ///     nil ends the batch before it.
    @inline(__always)
    private func batch(
        _ count: Int, room: Int, below limit: Int,
        _ put: (_ number: Int, _ target: UnsafeMutableRawPointer) -> Int?
    ) -> (payload: [UInt8], items: Int)? {
        let beginning = beginning.count
        // One always fits, and what is copied at once may reach behind the end. Behind that is the
        // room where identifiers are put together.
        let most = max(limit, beginning + Self.overheadPerHit + identifierLimit)
        let capacity = (room < most - beginning ? beginning + room : most) + 3 * Self.step
        var items = 0
        let payload = unsafe [UInt8](
            unsafeUninitializedCapacity: capacity + 2 * Self.roomBytes
        ) { buffer, written in
            guard let start = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
            var next = unsafe Next(
                target: start, end: beginning, whole: HitBatchWriter.beginningBytes,
                room: start + capacity, formerRoom: start + (capacity + Self.roomBytes))
            while items < count, unsafe append(put(items, next.room), below: limit, &next) {
                items &+= 1
            }
            unsafe begin(items, next.target)
            written = unsafe items > 0 ? next.end : 0
        }
        return items > 0 ? (payload, items) : nil
    }

    /// Where the next hit is written, and what of the one before.
    @unsafe
    private struct Next {
        let target: UnsafeMutableRawPointer
        var end: Int
        /// Bytes of the same hits in a batch of version 1.
        var whole: Int
        /// Has the identifier of the next hit.
        var room: UnsafeMutableRawPointer
        var formerRoom: UnsafeMutableRawPointer
        var formerCount = 0
    }

    /// Writes a hit whose identifier of so many bytes stands in `next.room`; false where there is
    /// none, or where the batch would become too large.
    @inline(__always)
    private func append(_ count: Int?, below limit: Int, _ next: inout Next) -> Bool {
        guard let count, count <= identifierLimit else { return false }
        let most = unsafe min(count, next.formerCount, FrontCodedHits.mostShared)
        let shared = unsafe most > 0 ? Self.shared(next.room, next.formerRoom, most) : 0
        let rest = count &- shared
        let end = unsafe next.end &+ (rest < 0x80 ? 2 : 3) &+ rest
        let whole = unsafe next.whole &+ wholeOverhead &+ (count < 0x80 ? 1 : 2) &+ count
        let isFirst = unsafe next.whole == HitBatchWriter.beginningBytes
        guard isFirst || end <= limit && whole <= wholeLimit else { return false }
        let place = unsafe next.target + next.end
        unsafe place.storeBytes(of: UInt8(truncatingIfNeeded: shared), as: UInt8.self)
        if rest < 0x80 {
            unsafe place.storeBytes(
                of: UInt8(truncatingIfNeeded: rest), toByteOffset: 1, as: UInt8.self)
        } else {
            unsafe place.storeBytes(
                of: UInt8(truncatingIfNeeded: rest) | 0x80, toByteOffset: 1, as: UInt8.self)
            unsafe place.storeBytes(
                of: UInt8(truncatingIfNeeded: rest &>> 7), toByteOffset: 2, as: UInt8.self)
        }
        // Mostly two steps, and nobody can foresee whether it is one.
        let target = unsafe next.target + (end &- rest)
        unsafe Self.copy(next.room + shared, 2 * Self.step, target)
        if rest > 2 * Self.step { unsafe Self.copy(next.room + shared, rest, target) }
        unsafe (next.end, next.whole, next.formerCount) = (end, whole, count)
        unsafe (next.room, next.formerRoom) = (next.formerRoom, next.room)
        return true
    }

    /// Writes what stands before the first hit.
    private func begin(_ items: Int, _ target: UnsafeMutableRawPointer) {
        unsafe beginning.withUnsafeBytes { bytes in
            guard let first = bytes.baseAddress else { return }
            unsafe target.copyMemory(from: first, byteCount: bytes.count)
        }
        unsafe target.storeBytes(
            of: UInt32(items).littleEndian, toByteOffset: FrontCodedHits.signature.count,
            as: UInt32.self)
    }

    /// How many of the first `most` bytes are the same; 39 bytes behind them may be read.
    @inline(__always)
    private static func shared(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, _ most: Int
    ) -> Int {
        // Mostly they differ within four words, and nobody can foresee in which: all of them are
        // looked at, without a branch.
        var found = unsafe 24 &+ same(left, right, at: 24)
        let third = unsafe same(left, right, at: 16)
        found = third < 8 ? 16 &+ third : found
        let second = unsafe same(left, right, at: 8)
        found = second < 8 ? 8 &+ second : found
        let first = unsafe same(left, right, at: 0)
        found = first < 8 ? first : found
        while found < most, found & 7 == 0, found >= 32 {
            let more = unsafe same(left, right, at: found)
            found &+= more
            if more < 8 { break }
        }
        return min(most, found)
    }

    /// How many of eight bytes from a place on are the same, from the first on.
    @inline(__always)
    private static func same(
        _ left: UnsafeRawPointer, _ right: UnsafeRawPointer, at place: Int
    ) -> Int {
        let mine = unsafe left.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        let other = unsafe right.loadUnaligned(fromByteOffset: place, as: UInt64.self)
        return UInt64(littleEndian: mine ^ other).trailingZeroBitCount &>> 3
    }

    /// Copies bytes in whole steps: up to fifteen too many, and one step for none.
    @inline(__always)
    static func copy(
        _ source: UnsafeRawPointer, _ count: Int, _ target: UnsafeMutableRawPointer
    ) {
        var done = 0
        repeat {
            let bytes = unsafe source.loadUnaligned(
                fromByteOffset: done, as: SIMD16<UInt8>.self)
            unsafe target.storeBytes(of: bytes, toByteOffset: done, as: SIMD16<UInt8>.self)
            done &+= step
        } while done < count
    }
}
