import CZeroMQ

/// A received frame, still where libzmq put it; nobody copied its bytes.
///
/// Immutable, so any thread may read it. libzmq's part of the memory is freed with the last
/// reference.
@safe
package final class Frame: Sendable {
    // Written in `init`, read until `deinit`: nobody changes the message in between. Sending
    // never touches it either (`zmq_msg_copy` would write into its source), see `FrameSlice`.
    // The message has an address of its own because libzmq keeps short bodies inside of it.
    private nonisolated(unsafe) let message: UnsafeMutablePointer<zmq_msg_t>
    private nonisolated(unsafe) let base: UnsafePointer<UInt8>
    package let count: Int

    /// Takes the body of `source`, which is left empty and still initialised.
    init(moving source: UnsafeMutablePointer<zmq_msg_t>) {
        let pinned = UnsafeMutablePointer<zmq_msg_t>.allocate(capacity: 1)
        // Neither call can fail: both messages are initialised and the target is empty.
        unsafe zmq_msg_init(pinned)
        unsafe zmq_msg_move(pinned, source)
        count = unsafe zmq_msg_size(pinned)
        guard let body = unsafe zmq_msg_data(pinned) else {
            preconditionFailure("libzmq gave a message of \(count) bytes without a body")
        }
        unsafe base = UnsafePointer(body.assumingMemoryBound(to: UInt8.self))
        unsafe message = pinned
    }

    deinit {
        unsafe zmq_msg_close(message)
        unsafe message.deallocate()
    }

    /// Lends the bytes.
    package func withSpan<Result, Failure: Error>(
        _ body: (Span<UInt8>) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        // `self` keeps the bytes alive during the call, and the span cannot leave it.
        try unsafe body(Span(_unsafeStart: base, count: count))
    }

    /// The address of a byte; valid while this frame is.
    func address(of offset: Int) -> UnsafePointer<UInt8> {
        precondition(offset <= count, "byte \(offset) of a frame of \(count)")
        return unsafe base + offset
    }

    /// A part, which keeps the whole frame alive.
    package func slice(_ range: Range<Int>) -> FrameSlice { FrameSlice(self, range) }
}
