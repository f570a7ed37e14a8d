import CZeroMQ
import Glibc

/// Wakes a thread that waits for sockets, from any other thread.
@safe
package final class WakeUp: Sendable {
    /// A counter of the kernel that polls as readable while it is not zero.
    let descriptor: Int32

    package init() throws(ZeroMQError) {
        descriptor = fresnel_eventfd()
        guard descriptor >= 0 else {
            throw .call("eventfd", ErrorNumber(rawValue: zmq_errno()), subject: "a wake-up")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Makes the next or current wait return; many signals before it count as one.
    package func signal() {
        var one: UInt64 = 1
        // Eight bytes of a local; fails only when the counter is full, and then it is signalled.
        _ = unsafe write(descriptor, &one, 8)
    }

    /// Forgets all signals so far; call it before looking at what they announced.
    package func clear() {
        var count: UInt64 = 0
        // Eight bytes into a local; fails only when there was no signal.
        _ = unsafe read(descriptor, &count, 8)
    }

    /// Waits for a signal, for as long as it takes.
    func wait() {
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // One structure; on a signal of the system the caller looks around and waits again.
        _ = unsafe poll(&item, 1, -1)
    }
}
