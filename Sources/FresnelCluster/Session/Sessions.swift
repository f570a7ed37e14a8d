package import FresnelModel
package import FresnelWire

/// Names one session of a peer with this broker process; never reused.
package struct SessionID: Hashable, Comparable, Sendable {
    package let number: UInt64
    package init(_ number: UInt64) { self.number = number }
    package static func < (lhs: SessionID, rhs: SessionID) -> Bool { lhs.number < rhs.number }
}

/// One peer that said HELLO.
package struct Session: Sendable {
    package let id: SessionID
    /// What JOIN must present on the data lane.
    package let token: UInt64
    package let name: String
    package let bootID: UInt64
    package let software: String
    package let control: PeerAddress
    /// Where its control lane comes from; nil where nobody knows.
    package let host: PeerHost?
    /// Nil until JOIN.
    package internal(set) var data: PeerAddress?
    /// Faults on the wire; three end the session.
    package internal(set) var faults = 0

    /// Whether both lanes stand, so that requests are served.
    package var isWhole: Bool { data != nil }

    /// The name as a log shows it: a client may call itself anything, line ends included.
    package var shownName: String {
        control.side == .worker ? name : "client \(name.debugDescription)"
    }

    package func address(on lane: Lane) -> PeerAddress? {
        switch lane {
        case .control: control
        case .data: data
        }
    }
}

/// Who is connected: ties the two lanes of every peer into one session.
///
/// Only HELLO makes a session; everything else from an unknown address is answered with a
/// rate-limited CHALLENGE, which is what heals a broker restart at once.
package struct Sessions: Sendable {
    private var byID: [SessionID: Session] = [:]
    private var byAddress: [PeerAddress: SessionID] = [:]
    private var byToken: [UInt64: SessionID] = [:]
    private var challengedAt: [PeerAddress: Instant] = [:]
    private var lastNumber: UInt64 = 0
    /// Addresses that got a session, or lost theirs, and nobody was told yet.
    private var moves: [Move] = []

    /// An address that got a session or lost it.
    struct Move: Hashable {
        let address: PeerAddress
        let hasSession: Bool
    }

    package init() {}

    /// What became of addresses since this was last asked, in order.
    mutating func takeMoves() -> [Move] {
        guard !moves.isEmpty else { return [] }
        defer { moves = [] }
        return moves
    }

    package var all: some Collection<Session> { byID.values }
    package var count: Int { byID.count }

    package func count(of side: PeerAddress.Side) -> Int {
        byID.values.count { $0.control.side == side }
    }

    func count(of side: PeerAddress.Side, from host: PeerHost) -> Int {
        byID.values.count { $0.control.side == side && $0.host == host }
    }

    package subscript(id: SessionID) -> Session? { byID[id] }

    /// Where a session is reached on a lane; nil where it has none.
    func address(of id: SessionID, on lane: Lane) -> PeerAddress? {
        byID[id]?.address(on: lane)
    }

    package func session(at address: PeerAddress) -> Session? {
        byAddress[address].flatMap { byID[$0] }
    }

    /// Opens a session; older ones at the same address or of the same process are closed and
    /// returned: a process whose control lane has a new connection has lost the old one.
    package mutating func open(
        _ hello: WireHello, from address: PeerAddress, of host: PeerHost? = nil, token: UInt64
    ) -> (opened: Session, closed: [Session]) {
        let former = byID.values.filter { session in
            session.control == address
                || (session.control.side == address.side && session.bootID == hello.bootID
                    && session.name.hasSameBytes(as: hello.name))
        }
        let closed = former.map(\.id).sorted().compactMap { close($0) }
        lastNumber += 1
        let session = Session(
            id: SessionID(lastNumber), token: token, name: hello.name, bootID: hello.bootID,
            software: hello.software, control: address, host: host)
        byID[session.id] = session
        byAddress[address] = session.id
        byToken[token] = session.id
        note(address, true)
        return (session, closed)
    }

    /// The data lane of a token's session; nil while it has none, and for an unknown token.
    package func dataLane(of token: UInt64) -> PeerAddress? {
        byToken[token].flatMap { byID[$0]?.data }
    }

    /// Ties a data lane to its session; nil when the token is unknown or for another side.
    package mutating func join(token: UInt64, from address: PeerAddress) -> Session? {
        guard let id = byToken[token], var session = byID[id],
            session.control.side == address.side
        else { return nil }
        if let former = session.data, former != address {
            byAddress[former] = nil
            note(former, false)
        }
        // What still goes to the lane's former session must not reach the new one.
        if let other = byAddress[address], other != id { byID[other]?.data = nil }
        session.data = address
        byID[id] = session
        byAddress[address] = id
        note(address, true)
        return session
    }

    /// Ends a session.
    @discardableResult
    package mutating func close(_ id: SessionID) -> Session? {
        guard let session = byID.removeValue(forKey: id) else { return nil }
        for address in [session.control, session.data].compactMap(\.self)
        where byAddress[address] == id {
            byAddress[address] = nil
            note(address, false)
        }
        byToken[session.token] = nil
        return session
    }

    private mutating func note(_ address: PeerAddress, _ hasSession: Bool) {
        if hasSession { challengedAt[address] = nil }
        moves.append(Move(address: address, hasSession: hasSession))
    }

    /// Counts a fault on the wire; true when it was one too many.
    package mutating func blame(_ id: SessionID) -> Bool {
        guard byID[id] != nil else { return false }
        byID[id]?.faults += 1
        return (byID[id]?.faults ?? 0) >= Limits.faultsPerSession
    }

    /// Whether an unknown address may be challenged now: at most once a second each, and a bounded
    /// number of addresses are remembered.
    package mutating func mayChallenge(_ address: PeerAddress, at now: Instant) -> Bool {
        if let last = challengedAt[address], now - last < .seconds(1) { return false }
        if challengedAt.count >= Limits.challengedAddresses {
            challengedAt = challengedAt.filter { now - $0.value < .seconds(1) }
            guard challengedAt.count < Limits.challengedAddresses else { return false }
        }
        challengedAt[address] = now
        return true
    }
}
