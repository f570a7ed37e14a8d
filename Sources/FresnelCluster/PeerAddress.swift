package import FresnelWire

/// Where a message came from or goes to, as the broker's shell knows it.
///
/// A peer has one address per lane; HELLO and JOIN tie the two together into a session.
package struct PeerAddress: Hashable, Sendable {
    /// Which of the broker's two doors the peer uses.
    package enum Side: Hashable, Sendable {
        case client
        case worker
    }

    package let side: Side
    package let lane: Lane
    /// The routing id that the transport gave the connection; never shown to other peers.
    package let routingID: [UInt8]

    package init(side: Side, lane: Lane, routingID: [UInt8]) {
        self.side = side
        self.lane = lane
        self.routingID = routingID
    }
}
