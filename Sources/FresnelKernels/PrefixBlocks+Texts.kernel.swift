// Putting strings together: the shared beginning of their block and their rest, maybe in codes.

extension PrefixBlocks {
    /// Calls `body` with a string, which is put together on the stack; an empty one where there is
    /// none.
    package func withText(_ index: Int, _ body: (Span<UInt8>) -> Void) {
        guard let parts = parts(index) else { return body(Span()) }
        unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: Self.roomBytes) { buffer in
            guard let target = buffer.baseAddress else { return body(Span()) }
            let count = unsafe put(parts, to: UnsafeMutableRawPointer(target))
            unsafe body(
                Span(_unsafeElements: UnsafeBufferPointer(start: target, count: count)))
        }
    }

    /// What a string takes at most while it is put together by `copyText`; 0 where there is none.
    @inlinable @inline(__always)
    package func room(of index: Int) -> Int {
        guard let parts = parts(index) else { return 0 }
        return parts.startCount &+ (pieces.count > 0 ? 8 : 1) &* parts.restCount &+ 8
    }

    /// Puts a string together at the beginning of `target`, which has room for it (`room(of:)`);
    /// gives its length.
    ///
    /// The pieces of the code are no longer than eight bytes.
    package func copyText(_ index: Int, to target: inout MutableSpan<UInt8>) -> Int {
        guard let parts = parts(index) else { return 0 }
        precondition(target.count >= room(of: index), "a string in \(target.count) bytes")
        return unsafe target.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            return unsafe put(parts, to: start)
        }
    }

    /// What a string takes while it is put together.
    static var roomBytes: Int { partLimit + SymbolCode.roomBytes }

    /// Puts a string together and gives its length; `target` has room for `roomBytes`.
    @inline(__always)
    @unsafe
    func put(_ parts: Parts, to target: UnsafeMutableRawPointer) -> Int {
        unsafe blob.withUnsafeBytes { bytes in
            guard let source = bytes.baseAddress else { return 0 }
            // `parts` lie inside of the blob, and neither is longer than 255 bytes; of a short
            // beginning eight bytes are copied, which the room has.
            if parts.startCount <= 8, parts.start + 8 <= bytes.count {
                let head = unsafe source.loadUnaligned(
                    fromByteOffset: parts.start, as: UInt64.self)
                unsafe target.storeBytes(of: head, as: UInt64.self)
            } else {
                unsafe target.copyMemory(
                    from: source + parts.start, byteCount: parts.startCount)
            }
            let rest = unsafe source + parts.rest
            let behind = unsafe target + parts.startCount
            guard isCoded else {
                unsafe behind.copyMemory(from: rest, byteCount: parts.restCount)
                return parts.count
            }
            let codes = unsafe rest.assumingMemoryBound(to: UInt8.self)
            return unsafe parts.startCount
                &+ code.unpack(codes, count: parts.restCount, to: behind)
        }
    }

    /// Puts strings of one block together, one behind the other; empty ones where there are none.
    ///
    /// - Parameters:
    ///   - range: inside of one block.
    ///   - target: room for `roomBytes` for each, and eight bytes more.
    ///   - ends: room for as many; gets where each string ends.
    @unsafe
    func put(
        _ range: Range<Int>, to target: UnsafeMutableRawPointer, ends: UnsafeMutablePointer<Int>
    ) {
        var end = 0
        var next: Parts?
        for index in range {
            // The rest of a string begins where that of the one before ends.
            let parts =
                if let former = next { follower(of: former, index) } else { parts(index) }
            next = parts
            if let parts { end &+= unsafe put(parts, to: target + end) }
            unsafe ends[index &- range.lowerBound] = end
        }
    }

    /// Where a string lies that stands in the same block right behind another.
    @inline(__always)
    private func follower(of former: Parts, _ index: Int) -> Parts? {
        let block = index &>> 4
        guard index < count else { return nil }
        // The former string's parts lie in the block, so that its head and end exist.
        let (start, end) = (Int(starts[block]), Int(starts[block &+ 1]))
        let bytes = unsafe blob.bytes
        let isNarrow = former.start == start &+ Self.narrowHeadBytes
        let place = index & 15
        let restCount: Int
        if isNarrow {
            let pair = unsafe bytes.unsafeLoad(
                fromUncheckedByteOffset: start &+ 1 &+ place &>> 1, as: UInt8.self)
            restCount = Int(pair &>> UInt8(4 &* (place & 1))) & 15
        } else {
            restCount = Int(
                unsafe bytes.unsafeLoad(
                    fromUncheckedByteOffset: start &+ 1 &+ place, as: UInt8.self))
        }
        let rest = former.rest &+ former.restCount
        guard rest &+ restCount <= end else { return nil }
        return Parts(
            start: former.start, startCount: former.startCount, rest: rest, restCount: restCount)
    }

    /// What a string has behind the beginning of its block.
    @inline(__always) @_lifetime(copy self)
    func rest(_ parts: Parts) -> Span<UInt8> {
        blob.extracting(parts.rest..<parts.rest &+ parts.restCount)
    }
}
