/// One connection of a direct socket: a descriptor, and what is said over it.
final class DirectConnection {
    /// Whom a ROUTER sends to; never told to any peer.
    let routingID: [UInt8]
    let system: SystemSocket
    /// Its number among the descriptors of the thread.
    let number: UInt64
    /// When an attempt to connect is given up: monotonic nanoseconds.
    let connectDeadline: Int64
    /// Where its other end is; nil for one that we made.
    let origin: PeerOrigin?
    /// Whether the owner of the socket knows whose it is.
    var standing = Standing.confirmed
    /// What was read and is for another turn, and how much of it was taken.
    private(set) var rest: [UInt8] = []
    private var restPlace = 0
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

    /// Whether the owner of the socket knows whose a connection is.
    enum Standing {
        case confirmed
        /// Not yet; it ends at this nanosecond of the monotonic clock.
        case stranger(until: Int64)
        /// Its time is over, and what it said before lies in the system's buffer perhaps.
        case lastChance(until: Int64)

        var deadline: Int64 {
            switch self {
            case .confirmed: .max
            case .stranger(let until), .lastChance(let until): until
            }
        }
    }

    init(
        _ system: SystemSocket, number: UInt64, routingID: [UInt8], origin: PeerOrigin? = nil,
        connectDeadline: Int64 = .max
    ) {
        self.system = system
        self.number = number
        self.routingID = routingID
        self.origin = origin
        self.connectDeadline = connectDeadline
        isBlocked = connectDeadline != .max
    }

    /// Whether messages can be sent.
    var isOpen: Bool { peer?.isOpen ?? false }

    /// Messages of which not all bytes are written.
    var waitingMessages: Int { peer?.outflow.messageCount ?? 0 }

    /// When its time is to be looked at.
    var nextDue: Int64 { min(standing.deadline, peer?.nextDue ?? connectDeadline) }

    var isConfirmed: Bool {
        if case .confirmed = standing { true } else { false }
    }

    /// Whether bytes were read that are for another turn.
    var hasRest: Bool { !rest.isEmpty }

    /// Keeps what was read and not taken.
    func keep(_ bytes: Span<UInt8>, from place: Int) {
        guard place < bytes.count else { return }
        bytes.extracting(place..<bytes.count).copy(to: &rest)
    }

    /// Lends what is kept, and forgets what was taken of it.
    ///
    /// - Parameter body: takes bytes and returns how many it took.
    func takeRest(
        _ body: (Span<UInt8>) throws(PeerViolation) -> Int
    ) throws(PeerViolation) {
        let bytes = rest
        restPlace += try body(bytes.span.extracting(restPlace..<bytes.count))
        guard restPlace == bytes.count else { return }
        rest = []
        restPlace = 0
    }

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
