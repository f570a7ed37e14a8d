import FresnelKernels
import FresnelSystem

/// Byte strings of a segment, one behind the other in one blob.
package struct StringList: Sendable {
    /// Where each begins, and where the last ends; empty where `framed` is used.
    let offsets: PackedArray<UInt32>
    /// The same in frames.
    let framed: FramedOffsets?
    let blob: SharedBytes

    /// No strings.
    init() { (offsets, framed, blob) = (PackedArray(), nil, SharedBytes()) }

    init(offsets: PackedArray<UInt32>, blob: SharedBytes) {
        self.offsets = offsets
        framed = nil
        self.blob = blob
    }

    init(framed: FramedOffsets, blob: SharedBytes) {
        offsets = PackedArray()
        self.framed = framed
        self.blob = blob
    }

    /// The number of strings.
    package var count: Int { max(0, (framed?.count ?? offsets.count) - 1) }

    /// The bytes of all strings together.
    package var byteCount: Int { blob.count }

    /// One string; `index` is in 0..<`count`.
    package subscript(index: Int) -> Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let bytes = blob.bytes
            guard let framed else {
                return bytes.extracting(offsets.range(index, limit: bytes.count))
            }
            return bytes.extracting(framed.range(index, limit: bytes.count))
        }
    }

    /// Where a string lies in `blob`; empty where offsets are damaged.
    @inline(__always)
    func range(_ index: Int) -> Range<Int> {
        framed?.range(index, limit: blob.count) ?? offsets.range(index, limit: blob.count)
    }

    /// Where a string begins, or at `count` where the last ends.
    func start(_ index: Int) -> Int { Int(framed?[index] ?? offsets[index]) }

    /// The strings as a table, where offsets are not in frames.
    private var table: StringTable {
        @_lifetime(borrow self)
        borrowing get { StringTable(offsets: offsets.span, blob: blob.bytes) }
    }
}

// Strings that ascend are searched by halves.

extension StringList {
    /// The indices of the strings that equal `key`; mostly none or one.
    func range(of key: Span<UInt8>) -> Range<Int> {
        guard let framed else { return table.range(of: key) }
        let start = lowerBound(key, framed)
        var end = start
        while end < count, ByteOrder.compare(self[end], key) == 0 { end += 1 }
        return start..<end
    }

    /// The indices of the strings that begin with `prefix`.
    func range(withPrefix prefix: Span<UInt8>) -> Range<Int> {
        guard let framed else { return table.range(withPrefix: prefix) }
        let start = lowerBound(prefix, framed)
        // Mostly they are few.
        let end = Galloping.end(from: start, count: count) {
            ByteOrder.hasPrefix(self[$0], prefix)
        }
        return start..<end
    }

    /// The index of the first string that is not below a key, or `count`.
    private func lowerBound(_ key: Span<UInt8>, _ framed: FramedOffsets) -> Int {
        let bytes = blob.bytes
        return Bisection.end(from: 0, to: max(0, framed.count - 1)) { place in
            let text = bytes.extracting(framed.range(place, limit: bytes.count))
            return ByteOrder.compare(text, key) < 0
        }
    }
}
