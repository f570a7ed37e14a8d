import CZeroMQ
import Glibc
import Synchronization

/// Wakes a thread that waits for sockets, from any thread.
///
/// On the thread itself a signal is a note that its next wait reads: no system call.
@safe
package final class WakeUp: Sendable {
    /// A counter of the kernel that polls as readable while it is not zero.
    let descriptor: Int32
    /// The thread that waits; 0 until it has said so.
    private let owner = Atomic<UInt>(0)
    /// Whether the owner signalled to itself; touched on its thread alone.
    private let isDueToItself = Atomic<Bool>(false)

    package init() throws(ZeroMQError) {
        descriptor = fresnel_eventfd()
        guard descriptor >= 0 else {
            throw .call("eventfd", ErrorNumber(rawValue: zmq_errno()), subject: "a wake-up")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Says that the calling thread is the one that waits.
    func belongsToCurrentThread() { owner.store(Thread.current, ordering: .releasing) }

    /// Whether the thread that waits signalled to itself since the last `clear`.
    var isDue: Bool { isDueToItself.load(ordering: .relaxed) }

    /// Forgets what the thread that waits signalled to itself; call it before looking at what that
    /// announced.
    func clearOwn() { isDueToItself.store(false, ordering: .relaxed) }

    /// Makes the next or current wait return; many signals before it count as one.
    package func signal() {
        guard owner.load(ordering: .acquiring) != Thread.current else {
            return isDueToItself.store(true, ordering: .relaxed)
        }
        var one: UInt64 = 1
        // Eight bytes of a local; fails only when the counter is full, and then it is signalled.
        _ = unsafe write(descriptor, &one, 8)
    }

    /// Forgets all signals so far; call it before looking at what they announced.
    package func clear() {
        clearOwn()
        var count: UInt64 = 0
        // Eight bytes into a local; fails only when there was no signal.
        _ = unsafe read(descriptor, &count, 8)
    }

    /// Waits for a signal, for as long as it takes.
    func wait() {
        guard !isDue else { return }
        var item = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        // One structure; on a signal of the system the caller looks around and waits again.
        _ = unsafe poll(&item, 1, -1)
    }
}
