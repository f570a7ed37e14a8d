import FresnelSystem

// Arrays of a segment are used where they lie. That needs little-endian memory, as the format is,
// and an address that is a multiple of the element's size; both are checked once, when the array is
// made. Every access after that goes through a span and checks its index.

/// Numbers of one width inside a segment.
@safe
package struct PackedArray<Element: BitwiseCopyable & Sendable>: Sendable {
    private let bytes: SharedBytes
    /// The number of elements.
    package let count: Int

    /// Looks at bytes as numbers; nil when they do not divide evenly or are not aligned.
    init?(_ bytes: SharedBytes) {
        let width = MemoryLayout<Element>.stride
        guard bytes.count % width == 0 else { return nil }
        let address = unsafe UInt(bitPattern: bytes.unsafeBytes.baseAddress)
        guard address % UInt(MemoryLayout<Element>.alignment) == 0 else { return nil }
        self.bytes = bytes
        count = bytes.count / width
    }

    /// An array without elements.
    init() {
        bytes = SharedBytes()
        count = 0
    }

    /// An array of its own, for what is not written yet.
    init(copying elements: [Element]) {
        // Integers and doubles have no padding.
        bytes = unsafe SharedBytes(copying: elements.span.bytes)
        count = elements.count
    }

    /// The elements, for kernel files only; nil for none, valid while a copy of this value is.
    @unsafe
    var unsafeElements: UnsafePointer<Element>? {
        unsafe bytes.unsafeBytes.baseAddress?.assumingMemoryBound(to: Element.self)
    }

    /// The elements, valid while this array is.
    package var span: Span<Element> {
        @_lifetime(borrow self)
        borrowing get {
            // `init` checked length and alignment; a bitwise copyable element of this module is an
            // integer or a double, for which every bit pattern is a value.
            let span = unsafe Span<Element>(_unsafeBytes: bytes.unsafeBytes)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// One element; `index` is in 0..<`count`.
    package subscript(index: Int) -> Element {
        precondition(index >= 0 && index < count, "element \(index) of \(count)")
        // The index was checked in the line before; the memory lives as long as `bytes`.
        return unsafe bytes.unsafeBytes.load(
            fromByteOffset: index &* MemoryLayout<Element>.stride, as: Element.self)
    }
}

extension PackedArray where Element == UInt32 {
    /// The part `self[index] ..< self[index + 1]` of something `limit` long.
    ///
    /// Offsets that do not ascend or pass the limit give an empty range: a damaged file gives wrong
    /// answers, never a crash.
    @inline(__always)
    func range(_ index: Int, limit: Int) -> Range<Int> {
        let start = Int(self[index])
        let end = Int(self[index + 1])
        return start <= end && end <= limit ? start..<end : 0..<0
    }
}
