// What connections are owed with time: to be asked when they are silent, to be given up when they
// stay so, and a moment to take what was sent before they are closed.

extension DirectSocket {
    /// Looks at the time of one connection.
    func tick(_ connection: DirectConnection, at now: Int64) {
        guard connection.peer != nil else { return end(connection) }
        guard mayStay(connection, at: now) else { return }
        do throws(PeerViolation) {
            try connection.peer?.tick(at: now)
            note(connection)
        } catch {
            // What it said may lie in the system's buffer: this thread was busy with others.
            guard !connection.wasReprieved else { return end(connection, because: error) }
            connection.wasReprieved = true
            read(connection)
        }
    }

    /// Says when time has to be looked at next.
    func settle() {
        var due = connections.values.reduce(Int64.max) { min($0, $1.nextDue) }
        switch source {
        case .door(let door):
            // Each look is one at all connections: those that are due soon wait for each other.
            due = max(due, MonotonicClock.nanoseconds() + Self.tickNanoseconds)
            due = min(due, door.reopening)
        case .dialer(let dialer): if connections.isEmpty { due = min(due, dialer.nextAttempt) }
        }
        nextDue = due
    }

    private static let tickNanoseconds: Int64 = 50_000_000

    /// Waits until the last messages are with the system, at most as long as is specified.
    func linger() {
        var left = specification.linger.milliseconds32
        for connection in connections.values {
            while left > 0, connection.isBlocked, connection.waitingMessages > 0 {
                connection.system.waitForRoom(milliseconds: min(left, 10))
                left -= 10
                guard connection.write() else { break }
            }
        }
    }
}
