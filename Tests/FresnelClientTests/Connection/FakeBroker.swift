import FresnelModel
import FresnelWire
import ZeroMQ

/// What a test lets a broker answer; the session verbs are answered for it.
protocol BrokerScript: Sendable {
    /// The answers to one message of a client.
    func answers(to message: Message) -> [Message]
}

/// A broker that knows the session and nothing else, on a socket of this machine without a port.
final class FakeBroker: Sendable {
    let endpoint: String
    private let loop: EventLoop<FakeBrokerHandler>

    private init(endpoint: String, loop: EventLoop<FakeBrokerHandler>) {
        self.endpoint = endpoint
        self.loop = loop
    }

    static func start(_ script: any BrokerScript) async throws -> FakeBroker {
        let endpoint = "ipc://@fresnel-client-test-\(UInt64.random(in: 0...UInt64.max))"
        let context = try Context.shared(seed: 1)
        let loop = try await EventLoop<FakeBrokerHandler>.start(.init(name: "fake-broker")) {
            (poller) throws(ZeroMQError) in
            try FakeBrokerHandler(endpoint, script: script, poller: poller, context: context)
        }
        return FakeBroker(endpoint: endpoint, loop: loop)
    }

    func stop() async throws { try await loop.stop() }
}

final class FakeBrokerHandler: LoopHandler {
    private let script: any BrokerScript
    private let poller: Poller
    private let dataEndpoint: String
    private var sockets: [Lane: SocketID] = [:]
    /// Of the one client: the routing id of each lane.
    private var peers: [Lane: [UInt8]] = [:]

    init(
        _ endpoint: String, script: any BrokerScript, poller: Poller, context: Context
    ) throws(ZeroMQError) {
        self.script = script
        self.poller = poller
        dataEndpoint = endpoint + "-data"
        for lane in Lane.allCases {
            var specification = SocketSpecification.router(for: lane == .control ? .control : .bulk)
            specification.maximumFrameBytes = WireLimits.largestFrameBytes
            let place = try Endpoint(lane == .control ? endpoint : dataEndpoint)
            (sockets[lane], _) = try poller.listen(specification, on: place, in: context)
        }
    }

    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {
        guard case .message(let received) = reception, !received.isProbe else { return }
        let lane: Lane = socket == sockets[.control] ? .control : .data
        let message: Message
        do throws(WireError) {
            message = try Message(frames: received.frames.map { $0.copyBytes() })
        } catch {
            preconditionFailure("the client sent nonsense: \(error)")
        }
        for answer in answers(to: message, from: received.routingID, on: lane) {
            guard let peer = peers[answer.lane], let socket = sockets[answer.lane] else { continue }
            let frames = answer.frames().map { FrameBytes.array($0) }
            _ = try poller.send(frames, to: peer, on: socket)
        }
    }

    func receive(_ mail: Never) throws(ZeroMQError) {}

    func finishTurn() throws(ZeroMQError) -> Duration? { nil }

    func stop() throws(ZeroMQError) {}

    private func answers(to message: Message, from peer: [UInt8], on lane: Lane) -> [Message] {
        switch message.command {
        case .hello:
            peers[.control] = peer
            var welcome = WireWelcome()
            welcome.incarnation = 7
            welcome.sessionToken = 9
            welcome.dataEndpoint = dataEndpoint
            welcome.deadAfterMs = 5000
            welcome.writeCreditBytes = UInt64(Limits.writeCreditBytes)
            return [Message(Envelope(), .welcome(welcome))]
        case .join:
            peers[.data] = peer
            return [Message(Envelope(), .joined)]
        case .ping, .goodbye: return []
        default:
            return script.answers(to: message)
        }
    }
}

extension Message {
    /// The lane on which it travels.
    fileprivate var lane: Lane { command.verb.rules.lanes == .data ? .data : .control }
}
