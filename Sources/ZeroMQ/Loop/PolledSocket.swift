/// What a `Poller` asks of each of its sockets.
protocol PolledSocket: AnyObject {
    var id: SocketID { get }

    /// Whether there may be something to receive without waiting; asked after `prepare`.
    var hasSomething: Bool { get }

    /// When `prepare` has to be called at the latest: monotonic nanoseconds.
    var nextDue: Int64 { get }

    /// Before each wait: writes what was sent, and does what the time demands.
    func prepare(at now: Int64) throws(ZeroMQError)

    /// Writes what was sent.
    func flush()

    /// One of its descriptors was reported.
    func becameReady(_ event: DescriptorQueue.Event) throws(ZeroMQError)

    /// As `Socket.receive`.
    func receive() throws(ZeroMQError) -> Reception?

    /// As `Socket.send`.
    func send(_ frames: [FrameBytes], to routingID: [UInt8]?) throws(ZeroMQError) -> SendOutcome

    /// Ends it; what was sent lingers as its specification says, if at all.
    func close(lingering: Bool)

    /// The owner of the socket knows, or no longer knows, whose a connection is.
    func confirm(_ routingID: [UInt8])
    func doubt(_ routingID: [UInt8])

    /// Where the other end of a connection is; nil where nobody can tell.
    func origin(of routingID: [UInt8]) -> PeerOrigin?

    /// How many connections without confirmation were closed since it was last asked.
    func takeReport() -> StrangerReport?
}

// libzmq has no such limits, and tells nobody whose a connection is.
extension PolledSocket {
    func confirm(_ routingID: [UInt8]) {}
    func doubt(_ routingID: [UInt8]) {}
    func origin(of routingID: [UInt8]) -> PeerOrigin? { nil }
    func takeReport() -> StrangerReport? { nil }
}
