/// Where the system puts the bytes of one read; all connections of a thread take turns with it.
@safe
final class ReceiveBuffer {
    static let count = 65_536

    /// Owned, `count` bytes, filled before they are lent.
    let start: UnsafeMutableRawPointer

    init() {
        unsafe start = .allocate(byteCount: Self.count, alignment: 16)
    }

    deinit { unsafe start.deallocate() }

    /// Lends the first bytes, which a read has filled.
    func withBytes<Result, Failure: Error>(
        _ filled: Int, _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(filled <= Self.count, "\(filled) bytes in a buffer of \(Self.count)")
        let bytes = unsafe start.assumingMemoryBound(to: UInt8.self)
        return try unsafe body(Span(_unsafeStart: bytes, count: filled))
    }
}
