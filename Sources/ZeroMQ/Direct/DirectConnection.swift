/// One connection of a direct socket: a descriptor, and what is said over it.
final class DirectConnection {
    /// Whom a ROUTER sends to; never told to any peer.
    let routingID: [UInt8]
    let system: SystemSocket
    /// Its number among the descriptors of the thread.
    let number: UInt64
    /// When an attempt to connect is given up: monotonic nanoseconds.
    let connectDeadline: Int64
    /// What is said; nil until the system says that the other side has taken the connection.
    var peer: PeerProtocol?
    /// Whether there may be something to read, and it stands in its socket's list for that.
    var isListed = false
    /// Whether bytes wait that nobody has tried to write, and it stands in the list for that.
    var isUnwritten = false
    /// Whether the system's buffer is full, or the connection not made, and epoll tells when
    /// there is room.
    var isBlocked: Bool
    /// Whether it was silent for too long, and was looked at once more before it ends.
    var wasReprieved = false
    /// Whether nothing can be written any more; what the peer said before is still read.
    var isBroken = false

    init(
        _ system: SystemSocket, number: UInt64, routingID: [UInt8], connectDeadline: Int64 = .max
    ) {
        self.system = system
        self.number = number
        self.routingID = routingID
        self.connectDeadline = connectDeadline
        isBlocked = connectDeadline != .max
    }

    /// Whether messages can be sent.
    var isOpen: Bool { peer?.isOpen ?? false }

    /// Messages of which not all bytes are written.
    var waitingMessages: Int { peer?.outflow.messageCount ?? 0 }

    /// When its time is to be looked at.
    var nextDue: Int64 { peer?.nextDue ?? connectDeadline }

    /// Takes in that nothing can be written any more.
    func breakOff() {
        isBroken = true
        isBlocked = false
        peer?.giveUpWriting()
    }

    /// Writes what waits, as much as the system takes.
    ///
    /// - Returns: false when the connection is over.
    func write() -> Bool {
        while let (segment, offset, hasMore) = peer?.outflow.next {
            switch system.write(segment, from: offset, hasMore: hasMore) {
            case .ended: return false
            case .bytes(let count):
                peer?.wrote(count)
                guard count == segment.count - offset else {
                    isBlocked = true
                    return true
                }
            }
        }
        isBlocked = false
        return true
    }
}
