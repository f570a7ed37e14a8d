import FresnelKernels

// Identifiers whose rests are in codes are unpacked right where they are sent. How long they become
// is known only then, so room is made for the longest they can be: eight bytes for each code.

extension BareHits {
    /// A batch of hits whose identifiers are in blocks with codes; it may end a little earlier than
    /// its limit, as if each identifier had its greatest length.
    func codedBatch(
        _ places: Span<UInt32>, of table: borrowing PrefixBlocks, below limit: Int
    ) -> (payload: [UInt8], items: Int)? {
        let words = table.places(of: places).words
        var room = HitBatchWriter.beginningBytes
        var items = 0
        // Bodies of identifiers with two bytes of length.
        let fixed = HitBatchWriter.overheadPerHit + prefixBytes + 3
        for word in words {
            let cost = fixed + Int(word &>> 48 & 0xFF) + 8 * Int(word &>> 56)
            if items > 0, room + cost > limit { break }
            room += cost
            items += 1
        }
        guard items > 0 else { return nil }
        let (blob, pieces, lengths) = (table.blob, table.pieces, table.lengths)
        // Sixteen bytes are copied at once, and eight for each code.
        let capacity = room + prefix.count + 4 * Self.step
        let payload = unsafe [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
            unsafe blob.withUnsafeBytes { source in
                unsafe pieces.withUnsafeBufferPointer { pieces in
                    unsafe lengths.withUnsafeBufferPointer { lengths in
                        guard let target = buffer.baseAddress, let source = source.baseAddress,
                            let first = pieces.baseAddress, let second = lengths.baseAddress
                        else { return }
                        let codes = unsafe Codes(
                            source: source, blobCount: blob.count, pieces: first,
                            lengths: second, count: pieces.count)
                        count = unsafe write(
                            words, items, codes, to: UnsafeMutableRawPointer(target))
                    }
                }
            }
        }
        return payload.isEmpty ? nil : (payload, items)
    }

    /// What identifiers are unpacked with.
    @unsafe
    private struct Codes {
        let source: UnsafeRawPointer
        let blobCount: Int
        let pieces: UnsafePointer<UInt64>
        let lengths: UnsafePointer<UInt8>
        let count: Int
    }

    /// Writes a batch; gives its length.
    ///
    /// `target` has room for the longest it can be.
    @inline(__always)
    private func write(
        _ words: [UInt64], _ items: Int, _ codes: Codes, to target: UnsafeMutableRawPointer
    ) -> Int {
        for (place, byte) in HitBatchWriter.signature.enumerated() {
            unsafe target.storeBytes(of: byte, toByteOffset: place, as: UInt8.self)
        }
        unsafe target.storeBytes(
            of: UInt32(items).littleEndian, toByteOffset: 4, as: UInt32.self)
        var lengths = HitBatchWriter.beginningBytes
        var bodies = lengths + HitBatchWriter.overheadPerHit * items
        unsafe prefix.withUnsafeBytes { prefix in
            guard let head = prefix.baseAddress else { return }
            for number in 0..<items {
                let start = bodies
                unsafe Self.copy(head, prefix.count, target + bodies)
                bodies &+= prefixBytes
                let count = unsafe Self.unpack(words[number], codes, to: target + bodies + 1)
                bodies &+= unsafe Self.putLength(count, target + bodies)
                unsafe target.storeBytes(of: 0, toByteOffset: bodies, as: UInt8.self)
                bodies &+= 1
                // No key, and the length of the body behind that.
                let length = UInt64(truncatingIfNeeded: bodies &- start) &<< 32
                unsafe target.storeBytes(
                    of: length.littleEndian, toByteOffset: lengths, as: UInt64.self)
                lengths &+= 8
            }
        }
        return bodies
    }

    /// Writes a length before an identifier that stands one byte behind; gives the bytes of both.
    @inline(__always)
    private static func putLength(_ count: Int, _ target: UnsafeMutableRawPointer) -> Int {
        guard count >= 0x80 else {
            unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: count), as: UInt8.self)
            return count &+ 1
        }
        // Longer than one byte can say: the identifier makes room for another.
        unsafe (target + 2).copyMemory(from: target + 1, byteCount: count)
        unsafe target.storeBytes(of: UInt8(truncatingIfNeeded: count) | 0x80, as: UInt8.self)
        unsafe target.storeBytes(
            of: UInt8(truncatingIfNeeded: count &>> 7), toByteOffset: 1, as: UInt8.self)
        return count &+ 2
    }

    /// Unpacks an identifier; gives its length, at most that of its beginning and eight bytes for
    /// each of its codes.
    @inline(__always)
    private static func unpack(
        _ word: UInt64, _ codes: Codes, to target: UnsafeMutableRawPointer
    ) -> Int {
        // `PrefixBlocks.places` has found all of it inside of the blob.
        let rest = Int(truncatingIfNeeded: word & 0xFFFF_FFFF)
        let shared = Int(truncatingIfNeeded: word &>> 48 & 0xFF)
        let end = rest &+ Int(truncatingIfNeeded: word &>> 56)
        let start = rest &- Int(truncatingIfNeeded: word &>> 32 & 0xFFFF)
        if unsafe start &+ shared &+ step <= codes.blobCount {
            unsafe copy(codes.source + start, shared, target)
        } else {
            unsafe target.copyMemory(from: codes.source + start, byteCount: shared)
        }
        var written = shared
        var offset = rest
        while offset < end {
            let code = unsafe Int(codes.source.load(fromByteOffset: offset, as: UInt8.self))
            offset &+= 1
            if unsafe code < codes.count {
                unsafe target.storeBytes(
                    of: codes.pieces[code], toByteOffset: written, as: UInt64.self)
                written &+= unsafe Int(codes.lengths[code])
            } else if offset < end {
                let byte = unsafe codes.source.load(fromByteOffset: offset, as: UInt8.self)
                unsafe target.storeBytes(of: byte, toByteOffset: written, as: UInt8.self)
                offset &+= 1
                written &+= 1
            }
        }
        return written
    }
}
