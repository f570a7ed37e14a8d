/// One whole message as it arrived.
package struct ReceivedMessage: Sendable {
    /// Whom to answer; empty unless the socket is a ROUTER.
    ///
    /// Never shown to other peers.
    package let routingID: [UInt8]
    /// The frames after the routing id, at least one.
    package let frames: [FrameBytes]
    /// The name that the authentication handler gave the peer; nil without authentication.
    package let userID: String?

    package init(routingID: [UInt8], frames: [FrameBytes], userID: String? = nil) {
        self.routingID = routingID
        self.frames = frames
        self.userID = userID
    }

    /// Whether this is the empty message of a peer that has just connected.
    package var isProbe: Bool { frames.count == 1 && frames[0].isEmpty }
}

/// What `receive` found.
package enum Reception: Sendable {
    case message(ReceivedMessage)
    /// A message with more frames than the specification allows; all of it was dropped.
    case oversized(OversizedMessage)
}

/// What is left of a message with too many frames.
package struct OversizedMessage: Hashable, Sendable {
    package let routingID: [UInt8]
    package let userID: String?
    /// How many frames it had after the routing id.
    package let frameCount: Int
}

/// What became of a message that was to be sent.
package enum SendOutcome: Hashable, Sendable {
    /// libzmq has it. That is no promise of delivery.
    case sent
    /// Nothing was sent: the queue to the peer is full, or nobody is connected.
    case wouldBlock
    /// Nothing was sent: the peer is gone.
    case unreachable
}
