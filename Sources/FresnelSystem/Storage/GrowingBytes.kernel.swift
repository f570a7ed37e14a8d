import Glibc

/// Bytes that are appended to and then shared, without being copied once more.
///
/// An array that becomes `SharedBytes` is copied, into memory that the system has to give first.
@safe
package struct GrowingBytes: ~Copyable {
    /// From `malloc`, `capacity` bytes long, of which the first `count` are initialized.
    private var start: UnsafeMutableRawPointer
    private var capacity: Int
    /// The number of bytes.
    package private(set) var count = 0

    /// - Parameter capacity: bytes that will fit in before more memory is asked for.
    package init(capacity: Int) {
        self.capacity = max(64, capacity)
        unsafe start = HeapBytes.memory(of: self.capacity)
    }

    deinit { unsafe free(start) }

    /// The bytes so far.
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let buffer = unsafe UnsafeRawBufferPointer(start: start, count: count)
            return unsafe _overrideLifetime(Span<UInt8>(_unsafeBytes: buffer), borrowing: self)
        }
    }

    /// Appends bytes.
    package mutating func append(copying added: RawSpan) {
        let length = added.byteCount
        guard length > 0 else { return }
        reserve(count + length)
        unsafe added.withUnsafeBytes { source in
            guard let address = source.baseAddress else { return }
            // `reserve` made room for as many bytes behind the first `count`.
            unsafe (start + count).copyMemory(from: address, byteCount: length)
        }
        count += length
    }

    /// Appends bytes of zero.
    package mutating func appendZeros(_ length: Int) {
        reserve(count + length)
        // As above.
        unsafe memset(start + count, 0, length)
        count += length
    }

    /// The bytes, without the room behind them.
    package consuming func shared() -> SharedBytes {
        let memory = unsafe HeapBytes.memory(of: max(1, count), insteadOf: start)
        let bytes = SharedBytes(unsafe HeapBytes(memory), count: count)
        discard self
        return bytes
    }

    private mutating func reserve(_ needed: Int) {
        guard needed > capacity else { return }
        capacity = max(needed, capacity + capacity / 2)
        unsafe start = HeapBytes.memory(of: capacity, insteadOf: start)
    }
}
