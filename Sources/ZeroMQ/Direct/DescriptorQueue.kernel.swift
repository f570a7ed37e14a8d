import CZeroMQ
import Glibc

/// The descriptors that one thread waits for, each under a number of the caller's (`epoll`).
@safe
final class DescriptorQueue {
    /// What may be done with a descriptor now.
    struct Event {
        let number: UInt64
        /// Bytes, a connection or an end can be read.
        let isReadable: Bool
        /// Bytes can be written, or an attempt to connect has ended.
        let isWritable: Bool
    }

    private let descriptor: Int32
    /// Filled by the kernel inside of `wait` only.
    private let events: UnsafeMutablePointer<epoll_event>
    /// The most events of one wait; more come with the next.
    private static let capacity = 64

    init() throws(ZeroMQError) {
        descriptor = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard descriptor >= 0 else { throw .last("epoll_create1") }
        unsafe events = .allocate(capacity: Self.capacity)
    }

    deinit {
        close(descriptor)
        unsafe events.deallocate()
    }

    /// Begins to wait for reading.
    func add(_ other: Int32, number: UInt64) throws(ZeroMQError) {
        try control(EPOLL_CTL_ADD, other, number, isWriting: false, isReading: true)
    }

    /// Waits for reading, for writing, for both, or for nothing but an end.
    func change(
        _ other: Int32, number: UInt64, isWriting: Bool, isReading: Bool = true
    ) throws(ZeroMQError) {
        try control(EPOLL_CTL_MOD, other, number, isWriting: isWriting, isReading: isReading)
    }

    /// Waits for it no longer; call it before the descriptor is closed.
    func remove(_ other: Int32) {
        var event = unsafe epoll_event()
        // Fails only for a descriptor that is not there, and then it is removed.
        _ = unsafe epoll_ctl(descriptor, EPOLL_CTL_DEL, other, &event)
    }

    /// Waits, until a signal of the system ends it too.
    ///
    /// - Parameter milliseconds: -1 for as long as it takes.
    func wait(milliseconds: Int32) throws(ZeroMQError) -> [Event] {
        let count = unsafe epoll_wait(descriptor, events, Int32(Self.capacity), milliseconds)
        guard count >= 0 else {
            let number = ErrorNumber(rawValue: errno)
            guard number == .interrupted else {
                throw .call("epoll_wait", number, subject: "the sockets of a thread")
            }
            return []
        }
        return (0..<Int(count)).map { place in
            // The kernel filled the first `count` structures.
            let event = unsafe events[place]
            let flags = unsafe event.events
            return unsafe Event(
                number: event.data.u64, isReadable: flags & ~EPOLLOUT.rawValue != 0,
                isWritable: flags & ~EPOLLIN.rawValue != 0)
        }
    }

    private func control(
        _ operation: Int32, _ other: Int32, _ number: UInt64, isWriting: Bool, isReading: Bool
    ) throws(ZeroMQError) {
        var event = unsafe epoll_event()
        unsafe event.events =
            (isReading ? EPOLLIN.rawValue : 0) | (isWriting ? EPOLLOUT.rawValue : 0)
        unsafe event.data.u64 = number
        guard unsafe epoll_ctl(descriptor, operation, other, &event) == 0 else {
            throw .call("epoll_ctl", ErrorNumber(rawValue: errno), subject: "descriptor \(other)")
        }
    }
}
