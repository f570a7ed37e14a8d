// Hits without keys and attributes, as all hits of a long answer mostly are, are laid out in one
// pass over their identifiers, which stand one behind the other in a segment: the size of the batch
// first, then the bytes. Identifiers are copied by sixteen bytes at once, which may write over what
// comes behind them; that is written afterwards.

package import FresnelKernels

/// Lays out hits of documents without attributes as one hit batch.
package struct BareHits: Sendable {
    /// What stands in a body before the length of the identifier, and zeros up to a whole step.
    let prefix: [UInt8]
    /// How many bytes of `prefix` are written.
    let prefixBytes: Int

    /// Longest identifier that is laid out here: its length takes at most two bytes.
    private static let identifierLimit = 1 << 14
    /// Bytes copied at once.
    static let step = 16

    /// Where an identifier lies, in two parts, of which the first may be empty.
    ///
    /// Of this module, as only such is sure to be inlined here.
    private struct Place {
        let start: Int
        let startCount: Int
        let rest: Int
        let restCount: Int

        @inline(__always)
        var count: Int { startCount &+ restCount }

        /// What `PrefixBlocks.places` found.
        @inline(__always)
        init(word: UInt64) {
            rest = Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
            start = rest &- Int(truncatingIfNeeded: word &>> 32 & 0xFFFF)
            startCount = Int(truncatingIfNeeded: word &>> 48 & 0xFF)
            restCount = Int(truncatingIfNeeded: word &>> 56)
        }

        /// One part.
        @inline(__always)
        init(_ place: Range<Int>) {
            (start, startCount) = (place.lowerBound, 0)
            (rest, restCount) = (place.lowerBound, place.upperBound &- place.lowerBound)
        }
    }

    /// Prepares for the documents of an index.
    ///
    /// - Parameters:
    ///   - index: its name in UTF-8, shorter than 128 bytes.
    ///   - head: what encoded documents have before the identifier.
    package init(index: [UInt8], head: [UInt8]) {
        precondition(index.count < 0x80, "a name of \(index.count) bytes")
        let bytes = [0, UInt8(index.count)] + index + head
        prefixBytes = bytes.count
        let padding = (Self.step - bytes.count % Self.step) % Self.step
        prefix = bytes + [UInt8](repeating: 0, count: padding)
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
        let (items, size) = fitting(documents.count, blob, below: limit) { number in
            Self.place(documents[number], offsets, blob.count)
        }
        return batch(items, size, blob) { number in
            Self.place(documents[number], offsets, blob.count) ?? Place(0..<0)
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
        guard !table.isCoded else { return codedBatch(places, of: table, below: limit) }
        let found = table.places(of: places)
        let words = found.words.span
        // Mostly all of them fit, which is known without another look at each.
        var items = words.count
        var size = HitBatchWriter.beginningBytes + found.byteCount + found.longCount
        size += items * (HitBatchWriter.overheadPerHit + bodyBytes(0))
        if size > limit {
            (items, size) = fitting(items, table.blob, below: limit) { Place(word: words[$0]) }
        }
        return batch(items, size, table.blob) { Place(word: words[$0]) }
    }

    /// How many of some hits fit into `limit` bytes, the first in any case, and their size.
    @inline(__always)
    private func fitting(
        _ count: Int, _ blob: Span<UInt8>, below limit: Int, _ parts: (Int) -> Place?
    ) -> (items: Int, size: Int) {
        var size = HitBatchWriter.beginningBytes
        var items = 0
        // Reading a byte of each identifier here, where nothing waits for it, brings many of them
        // into the cache at once.
        var touched = 0
        while items < count {
            guard let place = parts(items) else { break }
            let cost = HitBatchWriter.overheadPerHit + bodyBytes(place.count)
            if items > 0, size + cost > limit { break }
            if place.restCount > 0 { touched &+= Int(blob[place.rest]) }
            size += cost
            items += 1
        }
        // Never so many; but only a sum that is used is made.
        return touched < .max ? (items, size) : (0, 0)
    }

    @inline(__always)
    private func batch(
        _ items: Int, _ size: Int, _ blob: Span<UInt8>, _ parts: (Int) -> Place
    ) -> (payload: [UInt8], items: Int)? {
        guard items > 0 else { return nil }
        // What is copied at once may reach behind the end.
        let capacity = size + prefix.count + 2 * Self.step
        let payload = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            let target = UnsafeMutableRawPointer(start)
            unsafe write(items, blob, to: target, parts)
            count = size
        }
        return (payload, items)
    }

    /// Where an identifier lies; nil when it does not, or is too long.
    @inline(__always)
    private static func place(
        _ document: UInt32, _ offsets: Span<UInt32>, _ blobCount: Int
    ) -> Place? {
        let number = Int(document)
        guard number &+ 1 < offsets.count else { return nil }
        let start = Int(offsets[number])
        let end = Int(offsets[number &+ 1])
        guard start <= end, end <= blobCount, end &- start < identifierLimit else { return nil }
        return Place(start..<end)
    }

    @inline(__always)
    private func bodyBytes(_ identifierBytes: Int) -> Int {
        prefixBytes &+ (identifierBytes < 0x80 ? 1 : 2) &+ identifierBytes &+ 1
    }

    /// Writes the batch of hits whose places were looked at before; `target` has room for it and
    /// what is copied beyond it.
    @inline(__always)
    private func write(
        _ items: Int, _ blob: Span<UInt8>, to target: UnsafeMutableRawPointer,
        _ parts: (Int) -> Place
    ) {
        for (place, byte) in HitBatchWriter.signature.enumerated() {
            unsafe target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
        unsafe target.storeBytes(
            of: UInt32(items).littleEndian, toByteOffset: 4, as: UInt32.self)
        var lengths = HitBatchWriter.beginningBytes
        var bodies = lengths + HitBatchWriter.overheadPerHit * items
        unsafe blob.withUnsafeBytes { source in
            unsafe prefix.withUnsafeBytes { prefix in
                guard let head = prefix.baseAddress else { return }
                for number in 0..<items {
                    let place = parts(number)
                    // No key, and the length of the body behind that.
                    let length = UInt64(truncatingIfNeeded: bodyBytes(place.count)) &<< 32
                    unsafe target.storeBytes(
                        of: length.littleEndian, toByteOffset: lengths, as: UInt64.self)
                    lengths &+= 8
                    unsafe Self.copy(head, prefix.count, target + bodies)
                    bodies &+= prefixBytes
                    unsafe Self.put(source, place, target, &bodies)
                }
            }
        }
    }

    /// Writes length, identifier and the count of no attributes, and moves `offset` behind them.
    @inline(__always)
    private static func put(
        _ source: UnsafeRawBufferPointer, _ place: Place,
        _ target: UnsafeMutableRawPointer, _ offset: inout Int
    ) {
        let count = place.count
        if count < 0x80 {
            unsafe target.storeBytes(
                of: UInt8(truncatingIfNeeded: count), toByteOffset: offset, as: UInt8.self)
            offset &+= 1
        } else {
            unsafe target.storeBytes(
                of: UInt8(truncatingIfNeeded: count) | 0x80, toByteOffset: offset, as: UInt8.self)
            unsafe target.storeBytes(
                of: UInt8(truncatingIfNeeded: count &>> 7), toByteOffset: offset &+ 1,
                as: UInt8.self)
            offset &+= 2
        }
        unsafe copy(source, place, target + offset)
        offset &+= count
        unsafe target.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
        offset &+= 1
    }

    /// Copies both parts of an identifier.
    @inline(__always)
    private static func copy(
        _ source: UnsafeRawBufferPointer, _ place: Place, _ target: UnsafeMutableRawPointer
    ) {
        guard let bytes = source.baseAddress else { return }
        let (start, rest) = unsafe (bytes + place.start, bytes + place.rest)
        let behind = unsafe target + place.startCount
        guard place.rest &+ place.restCount &+ step <= source.count else {
            unsafe target.copyMemory(from: start, byteCount: place.startCount)
            return unsafe behind.copyMemory(from: rest, byteCount: place.restCount)
        }
        // Sixteen bytes beyond either part may be read, as the first ends before the second, and
        // there is room to write them. Copying none costs less than asking whether there are some.
        unsafe copy(start, place.startCount, target)
        unsafe copy(rest, place.restCount, behind)
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
