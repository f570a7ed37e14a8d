import CZeroMQ
import Glibc

// One context a process, never destroyed before exit: libzmq 4.3.4 closes the random source of
// libsodium with the first context that ends, also under the feet of a second one that goes on.
// So there is no deinit; `shutdown()` ends the work, the exit of the process frees the rest.

/// The I/O threads and the name space of `inproc` that sockets share.
@safe
package final class Context: Sendable {
    /// What a context is made of.
    package struct Settings: Hashable, Sendable {
        /// Threads that move bytes; 2 where CURVE serves many peers, as encryption runs in them.
        package var ioThreads = 1
        /// The most sockets that this process may open; accepted connections do not count.
        package var maximumSockets = 1023

        package init() {}
    }

    package let settings: Settings
    /// A context may be used by all threads at once; libzmq promises it, and it is never freed.
    private nonisolated(unsafe) let pointer: UnsafeMutableRawPointer

    private static let common = Guarded<Context?>(nil)

    /// Makes a context and seeds the C library's random numbers.
    ///
    /// libzmq draws routing ids and reconnect delays from `rand()` and never seeds it: unseeded,
    /// all processes share one guessable sequence.
    ///
    /// - Parameters:
    ///   - settings: threads and limits; they cannot change later.
    ///   - seed: from a secure source.
    package init(_ settings: Settings = Settings(), seed: UInt32) throws(ZeroMQError) {
        guard settings.ioThreads >= 1, settings.maximumSockets >= 1 else {
            throw .invalidSpecification("a context needs at least one I/O thread and one socket")
        }
        srand(seed)
        guard let made = unsafe zmq_ctx_new() else { throw .last("zmq_ctx_new") }
        try unsafe Self.set(ZMQ_IO_THREADS, Int32(clamping: settings.ioThreads), on: made)
        try unsafe Self.set(ZMQ_MAX_SOCKETS, Int32(clamping: settings.maximumSockets), on: made)
        try unsafe Self.set(ZMQ_BLOCKY, 0, on: made)
        self.settings = settings
        unsafe pointer = made
    }

    /// The context of this process, made by the first call; later calls ignore their arguments.
    package static func shared(
        _ settings: Settings = Settings(), seed: UInt32
    ) throws(ZeroMQError) -> Context {
        try common.withLock { (context) throws(ZeroMQError) -> Context in
            if let context { return context }
            let made = try Context(settings, seed: seed)
            context = made
            return made
        }
    }

    /// Makes every blocked and every later call on this context's sockets fail with ETERM.
    ///
    /// The way to wake all socket threads for good. Their owners then close the sockets.
    package func shutdown() {
        // Fails only for a pointer that is no context.
        _ = unsafe zmq_ctx_shutdown(pointer)
    }

    /// A new socket, owned by the caller.
    func makeSocket(_ kind: SocketKind) throws(ZeroMQError) -> UnsafeMutableRawPointer {
        guard let socket = unsafe zmq_socket(pointer, kind.rawValue) else {
            throw .last("zmq_socket", kind.description)
        }
        return unsafe socket
    }

    private static func set(
        _ option: Int32, _ value: Int32, on context: UnsafeMutableRawPointer
    ) throws(ZeroMQError) {
        guard unsafe zmq_ctx_set(context, option, value) == 0 else {
            throw .last("zmq_ctx_set", "option \(option)")
        }
    }
}
