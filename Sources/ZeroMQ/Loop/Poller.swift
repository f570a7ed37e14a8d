/// Names a socket of a `Poller`; never used twice.
package struct SocketID: Hashable, Sendable {
    fileprivate let number: Int
}

/// Owns the sockets of one thread and waits for all of them at once.
///
/// Not `Sendable`: it stays, with its sockets, on the thread that made it.
package final class Poller {
    /// What ended a wait.
    package struct Readiness: Sendable {
        /// Whether another thread signalled.
        package var isWoken = false
        /// The sockets with something to receive, or with commands that may bring it, in the order
        /// in which they were added.
        package var sockets: [SocketID] = []
    }

    private let wakeUp: WakeUp
    private let descriptors: Descriptors
    private var members: [any PolledSocket] = []
    private var lastNumber = 0
    /// How long to look again and again, after the last news, before the thread sleeps:
    /// nanoseconds.
    private let alertness: Alertness?
    /// When the last message or signal was dealt with.
    private var lastNews: Int64 = 0
    /// Whether one came since the last wait.
    private var hadNews = false
    /// When the oldest message was sent that may not be written yet; nil when there is none.
    private var unwrittenSince: Int64?

    /// - Parameter alertness: what to do after the last news before the thread sleeps; nil sleeps.
    package init(wakeUp: WakeUp, alertness: Alertness? = nil) throws(ZeroMQError) {
        self.wakeUp = wakeUp
        self.alertness = alertness
        descriptors = try Descriptors()
        _ = try descriptors.add(wakeUp.descriptor, for: .wakeUp)
    }

    deinit { closeAll() }

    /// Opens a socket that listens; returns the endpoint with the port that the system chose.
    package func listen(
        _ specification: SocketSpecification, on endpoint: Endpoint, in context: Context
    ) throws(ZeroMQError) -> (SocketID, Endpoint) {
        guard specification.kind == .router, DirectSocket.serves(specification, endpoint) else {
            let socket = try Socket(specification, in: context)
            let bound = try socket.bind(endpoint)
            return (try add(socket), bound)
        }
        try specification.validate(ioThreads: context.settings.ioThreads)
        let (socket, bound) = try DirectSocket.listening(
            newID(), specification, on: endpoint, descriptors)
        members.append(socket)
        return (socket.id, bound)
    }

    /// Opens a socket that connects in the background, and again whenever the connection breaks.
    package func connect(
        _ specification: SocketSpecification, to endpoint: Endpoint, in context: Context
    ) throws(ZeroMQError) -> SocketID {
        guard specification.kind == .dealer, DirectSocket.serves(specification, endpoint) else {
            let socket = try Socket(specification, in: context)
            try socket.connect(endpoint)
            return try add(socket)
        }
        try specification.validate(ioThreads: context.settings.ioThreads)
        let socket = try DirectSocket.connecting(
            newID(), specification, to: endpoint, descriptors)
        members.append(socket)
        return socket.id
    }

    /// Takes a socket of libzmq over.
    package func add(_ socket: consuming Socket) throws(ZeroMQError) -> SocketID {
        let member = try LibrarySocket(newID(), socket, descriptors)
        members.append(member)
        return member.id
    }

    /// Closes a socket; messages to it that are not sent yet linger as its specification says.
    package func close(_ id: SocketID) {
        guard let index = members.firstIndex(where: { $0.id == id }) else { return }
        members.remove(at: index).close(lingering: true)
    }

    /// Closes all sockets.
    package func closeAll() {
        for member in members { member.close(lingering: true) }
        members.removeAll()
    }

    /// Lends a socket of libzmq, to bind, connect or wait.
    package func withSocket<Result, Failure: Error>(
        _ id: SocketID, _ body: (borrowing Socket) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let member = find(id) as? LibrarySocket else {
            preconditionFailure("socket \(id.number) is closed, of another poller, or direct")
        }
        return try member.withSocket(body)
    }

    /// Sends on a socket as `Socket.send` does; what is sent in a turn is written at its end, or
    /// some microseconds later, so that messages to one peer share a packet.
    ///
    /// A closed socket reaches nobody.
    package func send(
        _ frames: [FrameBytes], to routingID: [UInt8]? = nil, on id: SocketID
    ) throws(ZeroMQError) -> SendOutcome {
        guard let member = find(id) else { return .unreachable }
        if unwrittenSince == nil { unwrittenSince = MonotonicClock.nanoseconds() }
        return try member.send(frames, to: routingID)
    }

    /// Writes what was sent.
    package func flushAll() {
        unwrittenSince = nil
        for member in members { member.flush() }
    }

    /// Writes what was sent, if that was a while ago: others can work on it meanwhile.
    package func flushIfLate() {
        guard let since = unwrittenSince,
            MonotonicClock.nanoseconds() - since > Self.latestNanoseconds
        else { return }
        flushAll()
    }

    /// A few times what writing costs.
    private static let latestNanoseconds: Int64 = 30_000

    /// Receives from a socket as `Socket.receive` does.
    ///
    /// A closed socket has nothing.
    package func receive(on id: SocketID) throws(ZeroMQError) -> Reception? {
        let reception = try find(id)?.receive()
        if reception != nil { hadNews = true }
        return reception
    }

    /// Waits for a message on any socket or a signal.
    ///
    /// A signal of the operating system ends the wait early, so that the caller computes its
    /// remaining time anew; so do commands that bring no message.
    ///
    /// - Parameter limit: nil waits for as long as it takes; fractions of a millisecond count up.
    package func wait(upTo limit: Duration?) throws(ZeroMQError) -> Readiness {
        var readiness = Readiness()
        for event in try events(within: try prepare(limit)) {
            switch descriptors.owner(of: event.number) {
            case .wakeUp:
                readiness.isWoken = true
                hadNews = true
            case .library(let socket): socket.becameReady(event)
            case .direct(let socket): try socket.becameReady(event)
            case nil: break
            }
        }
        for member in members where member.hasSomething { readiness.sockets.append(member.id) }
        return readiness
    }

    /// What the descriptors report, as soon as they report something.
    private func events(
        within milliseconds: Int32
    ) throws(ZeroMQError) -> [DescriptorQueue.Event] {
        if milliseconds != 0, let alertness {
            // Waking a thread that sleeps costs more than a light question does.
            let end = lastNews + alertness.duration.nanoseconds
            var now = MonotonicClock.nanoseconds()
            while now < end {
                let events = try descriptors.queue.wait(milliseconds: 0)
                if !events.isEmpty { return events }
                guard let later = alertness.giveWay(now) else { break }
                now = later
            }
        }
        return try descriptors.queue.wait(milliseconds: milliseconds)
    }

    /// Lets the sockets do what they have to before a wait; returns how long that may be.
    private func prepare(_ limit: Duration?) throws(ZeroMQError) -> Int32 {
        let now = MonotonicClock.nanoseconds()
        if hadNews { lastNews = now }
        hadNews = false
        unwrittenSince = nil
        var isReady = wakeUp.isDue
        var due = Int64.max
        for member in members {
            try member.prepare(at: now)
            if member.hasSomething { isReady = true }
            due = min(due, member.nextDue)
        }
        if isReady { return 0 }
        let untilDue = due == .max ? .max : max(0, (due - now + 999_999) / 1_000_000)
        guard let limit = limit.map({ Int64(max(0, $0.milliseconds32)) }) else {
            return due == .max ? -1 : Int32(clamping: untilDue)
        }
        return Int32(clamping: min(limit, untilDue))
    }

    func find(_ id: SocketID) -> (any PolledSocket)? {
        members.first { $0.id == id }
    }

    private func newID() -> SocketID {
        lastNumber += 1
        return SocketID(number: lastNumber)
    }
}
