@testable import FresnelCluster
import FresnelModel
import FresnelWire
import TestChance

/// One connection of a peer's lane with the broker, as ZeroMQ gives it: ordered, whole, until it
/// breaks; then a tail of what was under way is lost in both directions.
struct Connection {
    let peer: ProcessName
    let boot: Int
    let lane: Lane
    let brokerBoot: Int
    let address: PeerAddress
    /// When it broke.
    var closedAt: Instant?
    /// What arrives until then is still read, although the connection is gone.
    var readableUntil: Instant?
    /// The peer closed its socket and reads nothing more.
    var isForgotten = false
    /// Until when its peer reads nothing, whether something waits for it, and whether the broker
    /// was told.
    var fullUntil: Instant?
    var isStalled = false
    var isKnownFull = false
    /// The newest arrival planned, in each direction: later messages come later.
    var lastToBroker = Instant(nanoseconds: 0)
    var lastToPeer = Instant(nanoseconds: 0)

    var isOpen: Bool { closedAt == nil }

    func delivers(at instant: Instant) -> Bool {
        readableUntil.map { instant <= $0 } ?? true
    }
}

/// Every connection there ever was, and which one each lane uses.
struct Network {
    private struct LaneName: Hashable {
        let peer: ProcessName
        let lane: Lane
    }

    private(set) var connections: [Connection] = []
    private var current: [LaneName: Int] = [:]
    /// The longest way of a message, in microseconds.
    var longestDelay = 2_000

    subscript(connection: Int) -> Connection {
        get { connections[connection] }
        set { connections[connection] = newValue }
    }

    /// The open connection of a lane.
    func connection(of peer: ProcessName, _ lane: Lane) -> Int? {
        current[LaneName(peer: peer, lane: lane)].flatMap { connections[$0].isOpen ? $0 : nil }
    }

    /// The open connection behind an address.
    func connection(at address: PeerAddress) -> Int? {
        let number = address.routingID.reversed().reduce(0) { $0 << 8 | Int($1) }
        guard connections.indices.contains(number), connections[number].isOpen else { return nil }
        return number
    }

    mutating func open(_ peer: ProcessName, boot: Int, _ lane: Lane, brokerBoot: Int) -> Int {
        let number = connections.count
        let side: PeerAddress.Side =
            switch peer {
            case .worker: .worker
            case .client, .broker: .client
            }
        let routingID = (0..<4).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
        connections.append(
            Connection(
                peer: peer, boot: boot, lane: lane, brokerBoot: brokerBoot,
                address: PeerAddress(side: side, lane: lane, routingID: routingID)))
        current[LaneName(peer: peer, lane: lane)] = number
        return number
    }

    mutating func close(_ connection: Int, at instant: Instant, readableFor grace: Duration) {
        guard connections[connection].isOpen else { return }
        connections[connection].closedAt = instant
        connections[connection].readableUntil = instant + grace
    }

    /// Whether a message that arrives then overtakes one that was sent before on the other lane.
    func overtakes(_ connection: Int, toBroker: Bool, at arrival: Instant) -> Bool {
        let lane: Lane = connections[connection].lane == .control ? .data : .control
        guard let other = self.connection(of: connections[connection].peer, lane) else {
            return false
        }
        return arrival
            < (toBroker ? connections[other].lastToBroker : connections[other].lastToPeer)
    }

    /// When a message sent now arrives.
    mutating func arrival(
        on connection: Int, toBroker: Bool, at now: Instant, _ random: inout SplitMix64
    ) -> Instant {
        let earliest = now + random.microseconds(20...longestDelay)
        let last =
            toBroker ? connections[connection].lastToBroker : connections[connection].lastToPeer
        let arrival = max(earliest, last + .nanoseconds(1))
        if toBroker {
            connections[connection].lastToBroker = arrival
        } else {
            connections[connection].lastToPeer = arrival
        }
        return arrival
    }
}
