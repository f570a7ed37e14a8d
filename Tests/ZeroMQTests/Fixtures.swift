import Glibc
import Synchronization
import ZeroMQ

/// Longest wait of any test; reached only when the promise is broken.
let patience = Duration.seconds(5)

/// A wait for something that must not happen.
let moment = Duration.milliseconds(150)

/// One context for all tests that do not need one of their own; like every context never freed.
func testContext() throws -> Context {
    try Context.shared(seed: 20_261_121)
}

let anyPort = Endpoint(.tcp(host: "127.0.0.1", port: nil))

private let lastName = Atomic(0)

/// An endpoint that no other test has.
func newInprocEndpoint() -> Endpoint {
    Endpoint(.inproc(name: "test-\(lastName.add(1, ordering: .relaxed).newValue)"))
}

/// An endpoint that no other process or test has; free ports may be taken by a neighbour.
func newIpcEndpoint() -> Endpoint {
    let number = lastName.add(1, ordering: .relaxed).newValue
    return Endpoint(.ipc(path: "@fresnel-test-\(getpid())-\(number)"))
}

extension SocketSpecification {
    /// Without heartbeats and probes, so that a test sees only its own messages.
    static func quiet(_ kind: SocketKind) -> SocketSpecification {
        var specification = SocketSpecification(kind)
        specification.heartbeat = nil
        return specification
    }
}

extension Socket {
    /// The next message, waited for.
    borrowing func next() throws -> ReceivedMessage? {
        guard try waitForMessage(upTo: patience), case .message(let message)? = try receive()
        else { return nil }
        return message
    }

    /// Sends as soon as there is a connection.
    borrowing func deliver(_ frames: [FrameBytes]) throws -> SendOutcome {
        guard try waitForRoom(upTo: patience) else { return .wouldBlock }
        return try send(frames)
    }

    /// The next event of a monitor's socket.
    borrowing func nextEvent(upTo limit: Duration = patience) throws -> MonitorEvent? {
        guard try waitForMessage(upTo: limit), case .message(let message)? = try receive()
        else { return nil }
        return MonitorEvent(message)
    }
}

extension ReceivedMessage {
    var arrays: [[UInt8]] { frames.map { $0.copyBytes() } }
}

func text(_ string: String) -> FrameBytes { .array(Array(string.utf8)) }
