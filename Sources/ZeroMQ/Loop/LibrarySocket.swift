// Why not `zmq_poll`: it asks the kernel about every socket before and after each wait, two system
// calls each time, which was most of what a light query cost. A socket's descriptor is readable
// while commands wait for it that nobody looked at, so it need not be asked before it is. The trap
// is that sending, too, takes such commands, and with them the news of a message: whoever waits
// for the descriptor alone then waits for ever. So a socket that was used since it last had
// nothing is asked before the next wait (`isStale`); one that was not has not changed.

/// A socket of libzmq, as a poller has it.
final class LibrarySocket: PolledSocket {
    let id: SocketID
    private let socket: Socket
    private let descriptors: Descriptors
    private var number: UInt64 = 0
    /// Whether a message may be there that the descriptor does not show.
    private var isStale = true

    init(
        _ id: SocketID, _ socket: consuming Socket, _ descriptors: Descriptors
    ) throws(ZeroMQError) {
        self.id = id
        self.socket = socket
        self.descriptors = descriptors
        number = try descriptors.add(self.socket.descriptor, for: .library(self))
    }

    var hasSomething: Bool { isStale }

    var nextDue: Int64 { .max }

    func prepare(at now: Int64) throws(ZeroMQError) {
        if isStale { isStale = try socket.hasMessage() }
    }

    func flush() {}

    /// Commands wait, most of them with a message: whoever receives will see.
    func becameReady(_ event: DescriptorQueue.Event) { isStale = true }

    func receive() throws(ZeroMQError) -> Reception? {
        let reception = try socket.receive()
        // With nothing there, libzmq has taken all commands: the descriptor shows what comes.
        isStale = reception != nil
        return reception
    }

    func send(_ frames: [FrameBytes], to routingID: [UInt8]?) throws(ZeroMQError) -> SendOutcome {
        isStale = true
        return try socket.send(frames, to: routingID)
    }

    /// libzmq lets messages linger by itself.
    func close(lingering: Bool) { descriptors.remove(socket.descriptor, number: number) }

    /// Lends the socket, to bind, connect or wait.
    func withSocket<Result, Failure: Error>(
        _ body: (borrowing Socket) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        isStale = true
        return try body(socket)
    }
}
