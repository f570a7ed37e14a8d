// The options of a socket are a value, chosen before the socket exists and checked as a whole.
// There are no setters on a live socket: most options set late affect only later connections, so
// a setter would half work. Not offered at all: ROUTING_ID (a worker that comes back with its old
// id while its former connection is half open is never heard again; identity is the CURVE key and
// the HELLO), CONFLATE (breaks multipart), buffer sizes (the kernel tunes them better).

/// Every option of a socket, to be set before it binds or connects.
package struct SocketSpecification: Hashable, Sendable {
    /// Pings on the transport's own level, to notice half-open connections.
    ///
    /// They do not notice a hung program, and they cut peers whose receive queue is full.
    package struct Heartbeat: Hashable, Sendable {
        package var interval: Duration
        package var timeout: Duration
        /// How long the *peer* shall wait for us; whole tenths of a second on the wire.
        package var timeToLive: Duration

        package init(interval: Duration, timeout: Duration, timeToLive: Duration) {
            self.interval = interval
            self.timeout = timeout
            self.timeToLive = timeToLive
        }
    }

    /// Delays between attempts to connect: from `first`, doubling up to `longest`.
    package struct Reconnect: Hashable, Sendable {
        package var first: Duration
        package var longest: Duration

        package init(first: Duration, longest: Duration) {
            self.first = first
            self.longest = longest
        }

        /// For workers: back soon, as work waits for them.
        package static let eager = Reconnect(first: .milliseconds(100), longest: .seconds(5))
        /// For clients: many of them, so rather late than all at once.
        package static let patient = Reconnect(first: .milliseconds(200), longest: .seconds(10))
        /// For bulk between workers.
        package static let slow = Reconnect(first: .milliseconds(500), longest: .seconds(10))
    }

    /// Probes of the operating system over idle connections.
    package struct KeepAlive: Hashable, Sendable {
        package var idleSeconds: Int32
        package var intervalSeconds: Int32
        package var count: Int32

        package init(idleSeconds: Int32, intervalSeconds: Int32, count: Int32) {
            self.idleSeconds = idleSeconds
            self.intervalSeconds = intervalSeconds
            self.count = count
        }
    }

    package var kind: SocketKind

    /// Refuses messages to peers that are gone or full instead of dropping them silently.
    package var isMandatory = true
    /// The most messages waiting for one peer before `send` answers `.wouldBlock`.
    package var sendQueueMessages = 1_000
    /// The most messages from one peer waiting to be received.
    package var receiveQueueMessages = 1_000
    /// The longest frame accepted; longer ones cut the connection.
    ///
    /// libzmq knows no limit per message.
    package var maximumFrameBytes = 1 << 20
    /// The most frames of a message, not counting the routing id; longer ones are dropped whole.
    package var maximumFrames = 3
    /// How long unsent messages survive the socket.
    package var linger = Duration.zero
    /// Queues only to complete connections: no old news for a peer that comes back.
    package var needsConnection = true
    /// Sends an empty message on every connection, so that a ROUTER learns the routing id.
    package var probesRouter = false
    package var heartbeat: Heartbeat? = Heartbeat(
        interval: .seconds(2), timeout: .seconds(10), timeToLive: .seconds(10))
    /// How long a peer may take to introduce itself.
    package var handshakeTimeout = Duration.seconds(3)
    package var connectTimeout = Duration.seconds(3)
    package var reconnect = Reconnect.eager
    package var keepAlive: KeepAlive? = KeepAlive(idleSeconds: 30, intervalSeconds: 5, count: 3)
    /// How long sent bytes may stay unacknowledged before the connection counts as dead.
    package var retransmissionTimeout: Duration? = .seconds(10)
    /// The I/O threads that may serve this socket, one bit each; 0 for any.
    package var ioThreadMask: UInt64 = 0
    /// Connections that may wait to be accepted.
    package var backlog = 100
    package var allowsIPv6 = false
    package var security = Security.plain
    /// What a connection may do before `Poller.confirm`; nil takes everybody for confirmed.
    package var strangers: StrangerLimits?

    package init(_ kind: SocketKind) {
        self.kind = kind
    }

    /// What CURVE adds to each frame; libzmq counts it against the limit.
    static let curveFramingBytes = 33
}
