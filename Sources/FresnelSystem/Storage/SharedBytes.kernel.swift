import Glibc

/// Bytes that never change and that many may read at once, in memory or in a mapped file.
///
/// Passing, slicing and keeping one costs a reference, never a copy; the memory lives until the
/// last slice of it goes. Safe code reads `bytes`. A kernel file whose loop must not pay a bounds
/// check per byte takes `unsafeBytes` and keeps this value alive around the loop:
///
///     withExtendedLifetime(postings) { unsafe scan(postings.unsafeBytes) }
@safe
package struct SharedBytes: @unchecked Sendable {
    // Sendable because the memory behind `start` is never written after `init` and lives at least
    // as long as `owner`, which is itself immutable.
    private let owner: AnyObject?
    @usableFromInline let start: UnsafeRawPointer?
    /// The number of bytes.
    package let count: Int

    /// No bytes.
    package init() {
        owner = nil
        unsafe start = nil
        count = 0
    }

    /// Copies an array once.
    package init(_ bytes: [UInt8]) {
        unsafe self.init(copying: bytes.span.bytes)
    }

    /// Copies bytes once.
    package init(copying bytes: RawSpan) {
        var copy = GrowingBytes(capacity: bytes.byteCount)
        copy.append(copying: bytes)
        self = copy.shared()
    }

    /// Shares memory whose first `count` bytes are filled.
    init(_ memory: HeapBytes, count: Int) {
        owner = memory
        unsafe start = UnsafeRawPointer(memory.start)
        self.count = count
    }

    /// Shares a mapped file.
    package init(mapping file: MappedFile) {
        owner = file
        unsafe start = file.start
        count = file.count
    }

    /// Tells the system that a mapped file will be read soon; nothing for other memory.
    package func prefetch() { (owner as? MappedFile)?.prefetch() }

    /// Lets go of a mapped file's pages until they are read again: what was read once, to compare
    /// checksums, need not stay with the process.
    package func releasePages() { (owner as? MappedFile)?.release() }

    private init(owner: AnyObject?, start: UnsafeRawPointer?, count: Int) {
        self.owner = owner
        unsafe self.start = start
        self.count = count
    }

    /// A part that shares the same memory; `range` is inside 0..<`count`.
    package func slice(_ range: Range<Int>) -> SharedBytes {
        precondition(range.lowerBound >= 0 && range.upperBound <= count, "\(range) of \(count)")
        let shifted = unsafe start.map { unsafe $0 + range.lowerBound }
        return unsafe SharedBytes(owner: owner, start: shifted, count: range.count)
    }

    /// A copy of a part; `range` is inside 0..<`count`.
    func copy(of range: Range<Int>) -> [UInt8] {
        // The array copies from the slice's memory at once.
        unsafe [UInt8](slice(range).unsafeBytes)
    }

    /// The bytes, valid while this value is.
    @inlinable @inline(__always)
    package var bytes: Span<UInt8> {
        @_lifetime(borrow self)
        borrowing get {
            let span = unsafe Span<UInt8>(_unsafeBytes: unsafeBytes)
            return unsafe _overrideLifetime(span, borrowing: self)
        }
    }

    /// Calls `body` with the bytes.
    package func withBytes<Answer, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Answer
    ) throws(Failure) -> Answer {
        try body(bytes)
    }

    /// The memory itself, for kernel files only; valid while a copy of this value is alive.
    @inlinable @inline(__always)
    @unsafe
    package var unsafeBytes: UnsafeRawBufferPointer {
        unsafe UnsafeRawBufferPointer(start: start, count: count)
    }
}

/// Memory of our own with a fixed address, which an array does not promise.
@safe
final class HeapBytes {
    /// From `malloc`; filled before it is shared, only read afterwards, freed in `deinit`.
    let start: UnsafeMutableRawPointer

    /// Takes over memory from `malloc`.
    @unsafe
    init(_ memory: UnsafeMutableRawPointer) { unsafe start = memory }

    deinit { unsafe free(start) }

    /// Memory of so many bytes, one at least, with what is in `former`, which is no longer valid;
    /// the process ends where there is none left.
    @unsafe
    static func memory(
        of count: Int, insteadOf former: UnsafeMutableRawPointer? = nil
    ) -> UnsafeMutableRawPointer {
        guard let memory = unsafe realloc(former, count) else {
            preconditionFailure("no memory for \(count) bytes")
        }
        return unsafe memory
    }
}
