import CZeroMQ

/// Names a socket of a `Poller`; never used twice.
package struct SocketID: Hashable, Sendable {
    fileprivate let number: Int
}

/// Owns the sockets of one thread and waits for all of them at once.
///
/// Not `Sendable`: it stays, with its sockets, on the thread that made it.
@safe
package final class Poller {
    /// What ended a wait.
    package struct Readiness: Sendable {
        /// Whether another thread signalled.
        package var isWoken = false
        /// The sockets with something to receive, in the order in which they were added.
        package var sockets: [SocketID] = []
    }

    /// Classes may hold what cannot be copied; arrays cannot.
    private final class Entry {
        let id: SocketID
        let socket: Socket

        init(_ id: SocketID, _ socket: consuming Socket) {
            self.id = id
            self.socket = socket
        }
    }

    private let wakeUp: WakeUp
    private var entries: [Entry] = []
    /// First the wake-up, then one for each entry, in the same order.
    ///
    /// The pointers inside are
    /// valid because `entries` owns the sockets and both change together.
    private var items: [zmq_pollitem_t]
    private var lastNumber = 0

    package init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        unsafe items = [
            zmq_pollitem_t(
                socket: nil, fd: wakeUp.descriptor, events: Int16(ZMQ_POLLIN), revents: 0)
        ]
    }

    /// Takes a socket over.
    package func add(_ socket: consuming Socket) -> SocketID {
        lastNumber += 1
        let entry = Entry(SocketID(number: lastNumber), socket)
        entries.append(entry)
        unsafe items.append(entry.socket.pollItem())
        return entry.id
    }

    /// Closes a socket; messages to it that are not sent yet linger as its specification says.
    package func close(_ id: SocketID) {
        guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
        unsafe items.remove(at: index + 1)
        entries.remove(at: index)
    }

    /// Closes all sockets.
    package func closeAll() {
        unsafe items.removeLast(entries.count)
        entries.removeAll()
    }

    /// Lends a socket, to bind, connect or wait.
    package func withSocket<Result, Failure: Error>(
        _ id: SocketID, _ body: (borrowing Socket) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(entry(id).socket)
    }

    /// Sends on a socket as `Socket.send` does.
    ///
    /// A closed socket reaches nobody.
    package func send(
        _ frames: [FrameBytes], to routingID: [UInt8]? = nil, on id: SocketID
    ) throws(ZeroMQError) -> SendOutcome {
        guard let entry = entries.first(where: { $0.id == id }) else { return .unreachable }
        return try entry.socket.send(frames, to: routingID)
    }

    /// Receives from a socket as `Socket.receive` does.
    ///
    /// A closed socket has nothing.
    package func receive(on id: SocketID) throws(ZeroMQError) -> Reception? {
        guard let entry = entries.first(where: { $0.id == id }) else { return nil }
        return try entry.socket.receive()
    }

    /// Waits for a message on any socket or a signal.
    ///
    /// A signal of the operating system ends the wait with nothing ready, so that the caller
    /// computes its remaining time anew.
    ///
    /// - Parameter limit: nil waits for as long as it takes; fractions of a millisecond count up.
    package func wait(upTo limit: Duration?) throws(ZeroMQError) -> Readiness {
        let milliseconds = limit.map { Int(max(0, $0.milliseconds32)) } ?? -1
        let status = unsafe items.withUnsafeMutableBufferPointer { buffer in
            unsafe zmq_poll(buffer.baseAddress, Int32(buffer.count), milliseconds)
        }
        var readiness = Readiness()
        if status < 0 {
            let error = ZeroMQError.last("zmq_poll", "\(entries.count) sockets")
            guard case .call(_, .interrupted, _) = error else { throw error }
            return readiness
        }
        guard status > 0 else { return readiness }
        readiness.isWoken = unsafe items[0].revents != 0
        for (index, entry) in entries.enumerated() where unsafe items[index + 1].revents != 0 {
            readiness.sockets.append(entry.id)
        }
        return readiness
    }

    private func entry(_ id: SocketID) -> Entry {
        guard let entry = entries.first(where: { $0.id == id }) else {
            preconditionFailure("socket \(id.number) is closed or belongs to another poller")
        }
        return entry
    }
}
