// Strings of a block put together one behind the other, so that a needle is looked for in all of
// them at once. Room is made once for many blocks.

/// Room for the strings of a block of `PrefixBlocks`.
@safe
package struct TextBuffer: ~Copyable {
    private let start: UnsafeMutableRawPointer
    private let ends: UnsafeMutablePointer<Int>
    /// How many strings there are.
    package private(set) var count = 0

    /// Makes room for a block, and for what storing eight bytes at once writes behind it.
    package init() {
        let byteCount = PrefixBlocks.blockLength * PrefixBlocks.roomBytes + 16
        unsafe start = .allocate(byteCount: byteCount, alignment: 8)
        unsafe ends = .allocate(capacity: PrefixBlocks.blockLength)
    }

    deinit {
        unsafe start.deallocate()
        unsafe ends.deallocate()
    }

    /// The strings, one behind the other.
    package var texts: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let bytes = unsafe UnsafeRawBufferPointer(start: start, count: end(count - 1))
            let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// Where a string ends, and the next begins; 0 before the first.
    package func end(_ place: Int) -> Int {
        guard place >= 0 else { return 0 }
        precondition(place < count, "string \(place) of \(count)")
        // Below the count, which is never above the capacity.
        return unsafe ends[place]
    }

    /// Replaces the strings by some of one block, and empty ones where there are none.
    package mutating func fill(_ range: Range<Int>, of table: borrowing PrefixBlocks) {
        precondition(
            range.isEmpty || range.lowerBound >> 4 == (range.upperBound - 1) >> 4,
            "strings \(range) are not of one block")
        // At most sixteen strings of at most `roomBytes`.
        unsafe table.put(range, to: start, ends: ends)
        count = range.count
    }
}
