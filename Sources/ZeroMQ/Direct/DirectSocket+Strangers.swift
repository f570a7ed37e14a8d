// Whom a listener lets in before anybody knows who it is (see `Strangers`).

extension DirectSocket {
    /// The owner of the socket knows whose a connection is.
    func confirm(_ routingID: [UInt8]) {
        guard let connection = routes[routingID] else { return }
        connection.standing = .confirmed
        connection.peer?.limitMessages(to: .max)
        strangers?.leave(connection.number)
    }

    /// The owner of the socket no longer knows it: it has as long as one that just came.
    func doubt(_ routingID: [UInt8]) {
        guard let connection = routes[routingID] else { return }
        doubt(connection)
    }

    /// Where the other end of a connection is.
    func origin(of routingID: [UInt8]) -> PeerOrigin? { routes[routingID]?.origin }

    func takeReport() -> StrangerReport? { strangers?.takeReport() }

    func doubt(_ connection: DirectConnection) {
        guard let limits = specification.strangers, let origin = connection.origin else { return }
        strangers?.enter(connection.number, from: origin)
        connection.standing = .stranger(
            until: MonotonicClock.nanoseconds() + limits.patience.nanoseconds)
        connection.peer?.limitMessages(to: limits.messageBytes)
        nextDue = min(nextDue, connection.nextDue)
    }

    /// Whether there is a place for one that came, which may be that of another.
    func makePlace(for system: SystemSocket, from origin: PeerOrigin) -> Bool {
        switch strangers?.judge(origin, freeDescriptors: system.freeDescriptors) {
        case .admit, nil: return true
        case .replace(let number):
            dismiss(number)
            return true
        case .refuse: return false
        }
    }

    /// Closes a connection that nobody confirmed: its place is needed.
    func dismiss(_ number: UInt64) {
        strangers?.leave(number, because: .replaced)
        if let connection = connections[number] { end(connection) }
    }

    /// Looks at the time of a connection that nobody confirmed.
    ///
    /// - Returns: false when it is over.
    func mayStay(_ connection: DirectConnection, at now: Int64) -> Bool {
        switch connection.standing {
        case .confirmed: return true
        case .stranger(let until), .lastChance(let until):
            guard now >= until else { return true }
            if case .lastChance = connection.standing {
                strangers?.leave(connection.number, because: .late)
                end(connection)
                return false
            }
            // This thread was busy with others perhaps: what it said is read once more.
            connection.standing = .lastChance(until: now + Self.lastChanceNanoseconds)
            list(connection)
            return true
        }
    }

    private static let lastChanceNanoseconds: Int64 = 100_000_000
}

extension Strangers.End {
    init(_ violation: PeerViolation) {
        switch violation {
        case .messageBytes, .frameBytes: self = .large
        case .silent: self = .late
        case .noGreeting, .version, .mechanism, .socketType, .handshake, .flags, .command,
            .refused:
            self = .other
        }
    }
}
