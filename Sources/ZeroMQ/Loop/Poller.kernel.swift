import CZeroMQ
import Glibc

// Why not `zmq_poll`: it asks the kernel about every socket before and after each wait, two system
// calls each time, which was most of what a light query cost. A socket's descriptor is readable
// while commands wait for it that nobody looked at, so it need not be asked before it is. The trap
// is that sending, too, takes such commands, and with them the news of a message: whoever waits
// for the descriptor alone then waits for ever. So a socket that was used since it last had
// nothing is asked before the next wait (`Member.isStale`); one that was not has not changed.

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
        /// The sockets with something to receive, or with commands that may bring it, in the order
        /// in which they were added.
        package var sockets: [SocketID] = []
    }

    /// Classes may hold what cannot be copied; arrays cannot.
    private final class Member {
        let id: SocketID
        let socket: Socket
        /// Whether a message may be there that the descriptor does not show.
        var isStale = true

        init(_ id: SocketID, _ socket: consuming Socket) {
            self.id = id
            self.socket = socket
        }
    }

    private let wakeUp: WakeUp
    private var members: [Member] = []
    /// First the wake-up, then the descriptor of each member, in the same order.
    private var items: [pollfd]
    private var lastNumber = 0

    package init(wakeUp: WakeUp) {
        self.wakeUp = wakeUp
        items = [pollfd(fd: wakeUp.descriptor, events: Int16(POLLIN), revents: 0)]
    }

    /// Takes a socket over.
    package func add(_ socket: consuming Socket) -> SocketID {
        lastNumber += 1
        let member = Member(SocketID(number: lastNumber), socket)
        members.append(member)
        items.append(pollfd(fd: member.socket.descriptor, events: Int16(POLLIN), revents: 0))
        return member.id
    }

    /// Closes a socket; messages to it that are not sent yet linger as its specification says.
    package func close(_ id: SocketID) {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return }
        items.remove(at: index + 1)
        members.remove(at: index)
    }

    /// Closes all sockets.
    package func closeAll() {
        items.removeLast(members.count)
        members.removeAll()
    }

    /// Lends a socket, to bind, connect or wait.
    package func withSocket<Result, Failure: Error>(
        _ id: SocketID, _ body: (borrowing Socket) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let member = find(id) else {
            preconditionFailure("socket \(id.number) is closed or belongs to another poller")
        }
        member.isStale = true
        return try body(member.socket)
    }

    /// Sends on a socket as `Socket.send` does.
    ///
    /// A closed socket reaches nobody.
    package func send(
        _ frames: [FrameBytes], to routingID: [UInt8]? = nil, on id: SocketID
    ) throws(ZeroMQError) -> SendOutcome {
        guard let member = find(id) else { return .unreachable }
        member.isStale = true
        return try member.socket.send(frames, to: routingID)
    }

    /// Receives from a socket as `Socket.receive` does.
    ///
    /// A closed socket has nothing.
    package func receive(on id: SocketID) throws(ZeroMQError) -> Reception? {
        guard let member = find(id) else { return nil }
        let reception = try member.socket.receive()
        // With nothing there, libzmq has taken all commands: the descriptor shows what comes.
        member.isStale = reception != nil
        return reception
    }

    /// Waits for a message on any socket or a signal.
    ///
    /// A signal of the operating system ends the wait early, so that the caller computes its
    /// remaining time anew; so do commands that bring no message.
    ///
    /// - Parameter limit: nil waits for as long as it takes; fractions of a millisecond count up.
    package func wait(upTo limit: Duration?) throws(ZeroMQError) -> Readiness {
        var isReady = wakeUp.isDue
        for member in members where member.isStale {
            member.isStale = try member.socket.hasMessage()
            if member.isStale { isReady = true }
        }
        let milliseconds = isReady ? 0 : limit.map { max(0, $0.milliseconds32) } ?? -1
        // Structures of this array, for the time of the call.
        let status = unsafe items.withUnsafeMutableBufferPointer { buffer in
            unsafe poll(buffer.baseAddress, nfds_t(buffer.count), milliseconds)
        }
        if status < 0 {
            let number = ErrorNumber(rawValue: errno)
            guard number == .interrupted else {
                throw .call("poll", number, subject: "\(members.count) sockets")
            }
            for index in items.indices { items[index].revents = 0 }
        }
        var readiness = Readiness()
        readiness.isWoken = items[0].revents != 0
        for (index, member) in members.enumerated() {
            // Commands wait, most of them with a message: whoever receives will see.
            if items[index + 1].revents != 0 { member.isStale = true }
            if member.isStale { readiness.sockets.append(member.id) }
        }
        return readiness
    }

    private func find(_ id: SocketID) -> Member? {
        members.first { $0.id == id }
    }
}
