import FresnelWire
import ZeroMQ

/// The two sockets of a client: control from the start, data once the broker said where.
final class ClientSockets {
    private(set) var control: SocketID
    private var data: SocketID?
    private let poller: Poller
    private let context: Context
    private let allowsPlaintext: Bool
    private let endpoint: Endpoint

    /// Opens the control lane; whether somebody listens there shows later.
    init(
        control endpoint: Endpoint, allowsPlaintext: Bool, poller: Poller, context: Context
    ) throws(ZeroMQError) {
        control = try Self.openControl(endpoint, poller, context)
        self.poller = poller
        self.context = context
        self.allowsPlaintext = allowsPlaintext
        self.endpoint = endpoint
    }

    private static func openControl(
        _ endpoint: Endpoint, _ poller: Poller, _ context: Context
    ) throws(ZeroMQError) -> SocketID {
        var specification = SocketSpecification.dealer(for: .control, reconnecting: reconnect)
        specification.maximumFrameBytes = WireLimits.largestFrameBytes
        // Long enough for GOODBYE to leave.
        specification.linger = .milliseconds(200)
        return try poller.connect(specification, to: endpoint, in: context)
    }

    /// Begins anew with a connection that met no broker.
    func reopenControl() throws(ZeroMQError) {
        poller.close(control)
        control = try Self.openControl(endpoint, poller, context)
    }

    /// Ends the data lane, whose session is over: it would go on trying to reach the broker's port.
    func closeData() {
        if let data { poller.close(data) }
        data = nil
    }

    /// People wait behind a client, so it comes back sooner than the patient preset.
    private static let reconnect = SocketSpecification.Reconnect(
        first: .milliseconds(100), longest: .seconds(1))

    /// Checks where the broker wants the data lane.
    func checkData(_ text: String) throws(SearchError) {
        _ = try Endpoint.checked(text, allowsPlaintext: allowsPlaintext)
    }

    /// Connects the data lane, in place of the former one.
    func connectData(_ text: String) throws(ZeroMQError) {
        closeData()
        var specification = SocketSpecification.dealer(for: .bulk, reconnecting: Self.reconnect)
        specification.maximumFrameBytes = WireLimits.largestFrameBytes
        data = try poller.connect(specification, to: try Endpoint(text), in: context)
    }

    /// Offers a message to a lane; false when it was not taken.
    func send(_ message: Message, on lane: Lane) throws(ZeroMQError) -> Bool {
        guard let socket = lane == .control ? control : data else { return false }
        let frames = message.frames().map { FrameBytes.array($0) }
        return try poller.send(frames, on: socket) == .sent
    }
}

extension Endpoint {
    /// Reads an endpoint and refuses one beyond this machine, where everybody could listen.
    static func checked(
        _ text: String, allowsPlaintext: Bool
    ) throws(SearchError) -> Endpoint {
        let endpoint: Endpoint
        do throws(ZeroMQError) {
            endpoint = try Endpoint(text)
        } catch {
            throw SearchError(.invalidArgument, error.description, underlying: error)
        }
        guard allowsPlaintext || endpoint.isLoopback else {
            throw SearchError(
                .invalidArgument,
                "\(text) is on another machine and nothing would be encrypted on the way"
            ).hinting(
                "use an address of this machine, or accept plaintext: allowsPlaintext, or "
                    + "--insecure on the command line")
        }
        return endpoint
    }
}
