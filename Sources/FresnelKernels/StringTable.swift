/// Sorted byte strings in one buffer, searched without making a string of any.
///
/// String i is the bytes `offsets[i] ..< offsets[i + 1]` of `blob`, so there is one offset more
/// than strings. Offsets that do not ascend or leave the blob read as empty strings: a damaged
/// table gives wrong answers, never a crash.
package struct StringTable: ~Escapable {
    /// Where each string begins, and where the last ends.
    package let offsets: Span<UInt32>
    /// The strings, ascending by `ByteOrder`, one behind the other.
    package let blob: Span<UInt8>

    /// Looks at a table.
    @_lifetime(copy offsets, copy blob)
    package init(offsets: Span<UInt32>, blob: Span<UInt8>) {
        self.offsets = offsets
        self.blob = blob
    }

    /// The number of strings.
    package var count: Int { max(0, offsets.count - 1) }

    /// One string; `index` is in 0..<`count`.
    package subscript(index: Int) -> Span<UInt8> {
        @_lifetime(copy self)
        get {
            let start = Int(offsets[index])
            let end = Int(offsets[index + 1])
            guard start <= end, end <= blob.count else { return blob.extracting(0..<0) }
            return blob.extracting(start..<end)
        }
    }

    /// The index of the first string that is not below `key`, or `count`.
    package func lowerBound(_ key: Span<UInt8>) -> Int {
        partition { ByteOrder.compare($0, key) < 0 }
    }

    /// The indices of the strings that equal `key`; mostly none or one.
    package func range(of key: Span<UInt8>) -> Range<Int> {
        let start = lowerBound(key)
        var end = start
        while end < count, ByteOrder.compare(self[end], key) == 0 { end += 1 }
        return start..<end
    }

    /// The index of `key`, or nil.
    package func index(of key: Span<UInt8>) -> Int? {
        let index = lowerBound(key)
        guard index < count, ByteOrder.compare(self[index], key) == 0 else { return nil }
        return index
    }

    /// The indices of the strings that begin with `prefix`.
    package func range(withPrefix prefix: Span<UInt8>) -> Range<Int> {
        let start = lowerBound(prefix)
        // Mostly they are few.
        let end = Galloping.end(from: start, count: count) {
            ByteOrder.hasPrefix(self[$0], prefix)
        }
        return start..<end
    }

    /// The number of strings at the front for which `isBelow` holds.
    private func partition(_ isBelow: (Span<UInt8>) -> Bool) -> Int {
        Bisection.end(from: 0, to: count) { isBelow(self[$0]) }
    }
}
