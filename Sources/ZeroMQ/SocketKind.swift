import CZeroMQ

/// What a socket does with messages.
package enum SocketKind: Hashable, Sendable, CustomStringConvertible {
    /// Talks to many peers, each by its routing id.
    case router
    /// Talks to one peer, in both directions, at any time.
    case dealer
    /// Answers each request once; for the authentication handler.
    case reply
    /// One end of a pipe inside the process; for monitors.
    case pair

    var rawValue: Int32 {
        switch self {
        case .router: ZMQ_ROUTER
        case .dealer: ZMQ_DEALER
        case .reply: ZMQ_REP
        case .pair: ZMQ_PAIR
        }
    }

    package var description: String {
        switch self {
        case .router: "ROUTER"
        case .dealer: "DEALER"
        case .reply: "REP"
        case .pair: "PAIR"
        }
    }
}
