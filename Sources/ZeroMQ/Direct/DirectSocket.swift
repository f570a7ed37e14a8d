// Why not libzmq for these: it has threads of its own that read and write, and every message
// crosses to them and back. A small question and its answer then wake six threads where two would
// do, and waking a thread is what such a pair costs. Here the thread that decides also reads and
// writes. What is spoken is ZMTP 3.1 without encryption, so peers with libzmq do not notice
// (decision 0027). With keys, and for hosts by name, libzmq serves as before.
//
// A ROUTER gives each connection a routing id of its own and takes none that a peer claims: nobody
// can take over, shut out or guess another's. Nothing is read while what was read is not taken, so
// a flood waits in the system's buffers and then at its sender.

/// A ROUTER that listens or a DEALER that connects, served by the thread that owns it.
final class DirectSocket: PolledSocket {
    /// Where connections come from.
    enum Source {
        case door(Door)
        case dialer(Dialer)
    }

    let id: SocketID
    let specification: SocketSpecification
    private let descriptors: Descriptors
    let source: Source
    var connections: [UInt64: DirectConnection] = [:]
    /// The open ones, by whom messages name; a DEALER has one, without a name.
    private(set) var routes: [[UInt8]: DirectConnection] = [:]
    private var readable = Line()
    private var unwritten: [DirectConnection] = []
    private var inbox = Inbox()
    private var routingIDs: RoutingIDs
    /// Connections that nobody has confirmed; nil where everybody is taken for confirmed.
    var strangers: Strangers?
    var nextDue: Int64 = .max

    private init(
        _ id: SocketID, _ specification: SocketSpecification, _ descriptors: Descriptors,
        _ source: Source
    ) {
        self.id = id
        self.specification = specification
        self.descriptors = descriptors
        self.source = source
        routingIDs = RoutingIDs(after: descriptors.chance())
        if case .door = source { strangers = specification.strangers.map { Strangers($0) } }
    }

    /// Whether an endpoint and a specification are for this kind of socket.
    static func serves(_ specification: SocketSpecification, _ endpoint: Endpoint) -> Bool {
        guard case .plain = specification.security else { return false }
        return SocketAddress(endpoint) != nil
    }

    /// A ROUTER that listens.
    static func listening(
        _ id: SocketID, _ specification: SocketSpecification, on endpoint: Endpoint,
        _ descriptors: Descriptors
    ) throws(ZeroMQError) -> (DirectSocket, Endpoint) {
        let door = try Door(endpoint, specification)
        let socket = DirectSocket(id, specification, descriptors, .door(door))
        door.number = try descriptors.add(door.system.descriptor, for: socket)
        return (socket, door.endpoint)
    }

    /// A DEALER that connects, again and again.
    static func connecting(
        _ id: SocketID, _ specification: SocketSpecification, to endpoint: Endpoint,
        _ descriptors: Descriptors
    ) throws(ZeroMQError) -> DirectSocket {
        let dialer = try Dialer(endpoint, specification.reconnect)
        let socket = DirectSocket(id, specification, descriptors, .dialer(dialer))
        socket.dial(dialer, at: MonotonicClock.nanoseconds())
        return socket
    }

    var hasSomething: Bool { !inbox.isEmpty || !readable.isEmpty }

    func receive() -> Reception? {
        // Whoever sends much that is no message has his turn too, and no more than that.
        var reads = 0
        while inbox.isEmpty, reads < Self.readsPerTurn, let connection = readable.popFirst() {
            reads += 1
            read(connection)
        }
        return inbox.popFirst()
    }

    private static let readsPerTurn = 16
    /// Connections that are taken in before the others have their turn.
    private static let admissionsPerTurn = 16
    /// Frames of one connection that are taken before the others of its socket have their turn; of
    /// one that nobody has confirmed.
    private static let framesPerTurn = 32
    private static let framesPerTurnOfStrangers = 4
    /// Bytes that are read of one that nobody has confirmed, so that what waits stays small.
    private static let bytesPerTurnOfStrangers = 4_096

    func send(_ frames: [FrameBytes], to routingID: [UInt8]?) -> SendOutcome {
        precondition(!frames.isEmpty, "a message without frames")
        precondition(
            (routingID != nil) == (specification.kind == .router),
            "a \(specification.kind) sends \(routingID == nil ? "without" : "with") a routing id")
        guard let connection = routes[routingID ?? []] else {
            return routingID == nil ? .wouldBlock : .unreachable
        }
        if connection.waitingMessages >= specification.sendQueueMessages {
            // What waits may be what this turn has not written yet.
            if !connection.isBlocked { write(connection) }
            guard connections[connection.number] != nil else { return .unreachable }
            guard connection.waitingMessages < specification.sendQueueMessages else {
                return .wouldBlock
            }
        }
        connection.peer?.send(frames)
        note(connection)
        return .sent
    }

    func prepare(at now: Int64) throws(ZeroMQError) {
        flush()
        guard now >= nextDue else { return }
        for connection in connections.values where now >= connection.nextDue {
            tick(connection, at: now)
        }
        switch source {
        case .door(let door):
            if door.reopen(at: now) { try watch(door, true) }
        case .dialer(let dialer):
            if connections.isEmpty, now >= dialer.nextAttempt { dial(dialer, at: now) }
        }
        settle()
        flush()
    }

    func flush() {
        while let connection = unwritten.popLast() {
            connection.isUnwritten = false
            guard connections[connection.number] != nil, !connection.isBlocked else { continue }
            write(connection)
        }
    }

    func becameReady(_ event: DescriptorQueue.Event) throws(ZeroMQError) {
        guard let connection = connections[event.number] else {
            if case .door(let door) = source, door.number == event.number { try admit(at: door) }
            return
        }
        guard connection.peer != nil else { return introduce(connection) }
        if event.isWritable, connection.isBlocked { write(connection) }
        if event.isReadable, connections[connection.number] != nil { list(connection) }
    }

    func close(lingering: Bool) {
        flush()
        if lingering { linger() }
        for connection in connections.values { descriptors.remove(connection) }
        connections.removeAll()
        routes.removeAll()
        if case .door(let door) = source {
            descriptors.remove(door.system.descriptor, number: door.number)
        }
    }

    private func admit(at door: Door) throws(ZeroMQError) {
        for _ in 0..<Self.admissionsPerTurn {
            switch door.system.accept() {
            case .nobody: return
            case .exhausted:
                guard let oldest = strangers?.oldest else { return try rest(door) }
                dismiss(oldest)
            case .socket(let system):
                let origin = SocketAddress.origin(of: system.descriptor)
                guard makePlace(for: system, from: origin) else { continue }
                let id = routingIDs.next { routes[$0] != nil }
                guard let connection = adopt(system, routingID: id, origin: origin) else {
                    return try rest(door)
                }
                doubt(connection)
                introduce(connection)
            }
        }
    }

    /// Takes nobody in for a while: the system has no room for more.
    private func rest(_ door: Door) throws(ZeroMQError) {
        door.pause(at: MonotonicClock.nanoseconds())
        nextDue = min(nextDue, door.reopening)
        try watch(door, false)
    }

    /// Listens for connections, or leaves them at the door: an epoll that shows what cannot be
    /// taken in would spin.
    private func watch(_ door: Door, _ isOpen: Bool) throws(ZeroMQError) {
        try descriptors.queue.change(
            door.system.descriptor, number: door.number, isWriting: false, isReading: isOpen)
    }

    /// Tries to connect; an attempt that fails, for lack of descriptors too, is followed by others.
    private func dial(_ dialer: Dialer, at now: Int64) {
        dialer.planNext(at: now, chance: descriptors.chance())
        nextDue = min(nextDue, dialer.nextAttempt)
        // The next attempt is planned, whatever was in the way of this one.
        guard let system = try? SystemSocket.connect(to: dialer.address),
            let connection = adopt(
                system, routingID: [],
                connectDeadline: now + specification.connectTimeout.nanoseconds)
        else { return }
        nextDue = min(nextDue, connection.nextDue)
        watch(connection, isWriting: true)
    }

    private func adopt(
        _ system: SystemSocket, routingID: [UInt8], origin: PeerOrigin? = nil,
        connectDeadline: Int64 = .max
    ) -> DirectConnection? {
        // The kernel has no memory for it: then it is closed, as when nobody had taken it in.
        guard let number = try? descriptors.add(system.descriptor, for: self) else { return nil }
        let connection = DirectConnection(
            system, number: number, routingID: routingID, origin: origin,
            connectDeadline: connectDeadline)
        connections[number] = connection
        return connection
    }

    /// A connection that the system has made: we say who we are.
    private func introduce(_ connection: DirectConnection) {
        guard connection.system.isConnected else { return end(connection) }
        connection.system.tune(specification)
        connection.peer = PeerProtocol(specification, at: MonotonicClock.nanoseconds())
        if !connection.isConfirmed, let limit = specification.strangers?.messageBytes {
            connection.peer?.limitMessages(to: limit)
        }
        nextDue = min(nextDue, connection.nextDue)
        write(connection)
    }

    func read(_ connection: DirectConnection) {
        connection.isListed = false
        guard connections[connection.number] != nil else { return }
        guard !connection.hasRest else { return go(on: connection) }
        let limit = connection.isConfirmed ? ReceiveBuffer.count : Self.bytesPerTurnOfStrangers
        switch connection.system.read(into: descriptors.buffer, atMost: limit) {
        case .nothing: if connection.isBroken { end(connection) }
        case .ended: end(connection)
        case .bytes(let count):
            do throws(PeerViolation) {
                try descriptors.buffer.withBytes(count) { (bytes) throws(PeerViolation) in
                    connection.keep(bytes, from: try take(bytes, from: connection))
                }
            } catch {
                return end(connection, because: error)
            }
            // So much at once means that more is there: the others of this socket go first.
            if count >= ReceiveBuffer.count / 2 || connection.hasRest || connection.isBroken {
                list(connection)
            }
        }
    }

    /// Takes what was read in an earlier turn.
    private func go(on connection: DirectConnection) {
        do throws(PeerViolation) {
            try connection.takeRest { (bytes) throws(PeerViolation) in
                try take(bytes, from: connection)
            }
        } catch {
            return end(connection, because: error)
        }
        // What is in the system's buffer beside it, epoll tells.
        if connection.hasRest || connection.isBroken { list(connection) }
    }

    /// - Returns: how many bytes were taken; the others are for another turn.
    private func take(
        _ bytes: Span<UInt8>, from connection: DirectConnection
    ) throws(PeerViolation) -> Int {
        let now = MonotonicClock.nanoseconds()
        let wasOpen = connection.isOpen
        connection.wasReprieved = false
        let share =
            connection.isConfirmed ? Self.framesPerTurn : Self.framesPerTurnOfStrangers
        let taken = try connection.peer?.take(bytes, frames: share, at: now) {
            inbox.append($0, from: connection.routingID)
        }
        if !wasOpen, connection.isOpen, !connection.isBroken {
            routes[connection.routingID] = connection
            if case .dialer(let dialer) = source { dialer.succeed() }
            nextDue = min(nextDue, connection.nextDue)
        }
        note(connection)
        return taken ?? bytes.count
    }

    /// Lists a connection that has something to read.
    func list(_ connection: DirectConnection) {
        guard !connection.isListed else { return }
        connection.isListed = true
        readable.append(connection)
    }

    /// Lists a connection that has something to write.
    func note(_ connection: DirectConnection) {
        guard !connection.isUnwritten, !connection.isBroken,
            connection.peer?.outflow.isEmpty == false
        else { return }
        connection.isUnwritten = true
        unwritten.append(connection)
    }

    private func write(_ connection: DirectConnection) {
        guard !connection.isBroken else { return }
        let wasBlocked = connection.isBlocked
        guard connection.write() else {
            // Its last words are read before it ends.
            connection.breakOff()
            if routes[connection.routingID] === connection { routes[connection.routingID] = nil }
            watch(connection, isWriting: false)
            return list(connection)
        }
        if wasBlocked != connection.isBlocked {
            watch(connection, isWriting: connection.isBlocked)
        }
    }

    private func watch(_ connection: DirectConnection, isWriting: Bool) {
        do throws(ZeroMQError) {
            try descriptors.queue.change(
                connection.system.descriptor, number: connection.number, isWriting: isWriting)
        } catch {
            end(connection)
        }
    }

    func end(_ connection: DirectConnection, because violation: PeerViolation? = nil) {
        strangers?.leave(connection.number, because: violation.map(Strangers.End.init) ?? .other)
        descriptors.remove(connection)
        connections[connection.number] = nil
        if routes[connection.routingID] === connection { routes[connection.routingID] = nil }
        guard case .dialer(let dialer) = source else { return }
        nextDue = min(nextDue, dialer.nextAttempt)
    }
}
