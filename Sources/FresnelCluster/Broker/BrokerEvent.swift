import FresnelModel
package import FresnelWire

/// What can happen to a broker.
package enum BrokerEvent: Sendable {
    /// A well-formed message arrived.
    case received(Message, from: PeerAddress)
    /// A well-formed message arrived, and the shell says from which machine: sessions are counted
    /// by it.
    case greeted(Message, from: PeerAddress, of: PeerHost)
    /// Frames arrived that are no message; a probe is an empty message after a (re)connect.
    case unreadable(WireError, from: PeerAddress)
    /// A connection was made and its peer wants to be challenged (ZeroMQ's PROBE_ROUTER).
    case probed(from: PeerAddress)
    /// A send found no such peer any more.
    case unreachable(PeerAddress)
    /// The peer's queue was full although it had credit: a defect or a sick peer.
    case congested(PeerAddress)
    /// A client's data socket is full: what was sent waits, in order, in front of it.
    case stalled(PeerAddress)
    /// What waited in front of a client's data socket is in it.
    case drained(PeerAddress)
    /// The cluster state with this version is on disk (fsync).
    case persisted(version: UInt64)
    /// The cluster state could not be written; the text says why.
    case persistFailed(version: UInt64, reason: WireFailure)
    /// Time passed; `now` says how much.
    case tick
    /// The process ends in order; what it knows and has not written down is written now.
    case stopping
}

/// What a broker wants done.
package enum BrokerEffect: Sendable {
    /// Send, never blocking.
    case send(Message, to: PeerAddress)
    /// The connection has a session: the limits of strangers end.
    case confirm(PeerAddress)
    /// The connection has none any more: they begin again.
    case doubt(PeerAddress)
    /// Write this state durably, then report `persisted` with its version.
    case persist(ClusterState)
    /// Tell the operator.
    case log(LogLevel, String)
}
