import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import ZeroMQ

/// The broker's four listening sockets: clients and workers, control and data.
struct BrokerDoors {
    private var sockets: [Door: SocketID] = [:]
    private var doors: [SocketID: Door] = [:]
    private(set) var endpoints: [Door: Endpoint] = [:]

    struct Door: Hashable {
        let side: PeerAddress.Side
        let lane: Lane
    }

    init(
        _ configuration: BrokerConfiguration, poller: Poller, context: Context,
        chance: any RandomSource
    ) throws(ZeroMQError) {
        try open(.client, at: configuration.clientEndpoint, poller, context, chance)
        try open(.worker, at: configuration.workerEndpoint, poller, context, chance)
    }

    func endpoint(_ side: PeerAddress.Side, _ lane: Lane) -> Endpoint? {
        endpoints[Door(side: side, lane: lane)]
    }

    /// The two endpoints that peers have to know.
    var summary: Broker.Doors? {
        guard let clients = endpoint(.client, .control), let workers = endpoint(.worker, .control)
        else { return nil }
        return Broker.Doors(clients: clients, workers: workers)
    }

    func door(of socket: SocketID) -> Door? { doors[socket] }

    /// All of them, with names for the operator.
    var named: [(name: String, socket: SocketID)] {
        sockets.map { ("\($0.key.side)s' \($0.key.lane) lane", $0.value) }
            .sorted { $0.name < $1.name }
    }

    func socket(for address: PeerAddress) -> SocketID? {
        sockets[Door(side: address.side, lane: address.lane)]
    }

    private mutating func open(
        _ side: PeerAddress.Side, at endpoint: Endpoint, _ poller: Poller, _ context: Context,
        _ chance: any RandomSource
    ) throws(ZeroMQError) {
        for lane in Lane.allCases {
            var specification = SocketSpecification.router(for: lane == .control ? .control : .bulk)
            specification.maximumFrameBytes = WireLimits.largestFrameBytes
            specification.strangers =
                switch (side, lane) {
                case (.client, _): .ofClients
                case (.worker, .control): .ofInventories
                case (.worker, .data): .ofWorkers
                }
            if side == .client, lane == .data {
                // What a client does not read stays small here; the rest waits in the outbox.
                specification.sendQueueMessages = Limits.clientQueueMessages
            }
            let (id, bound) = try Self.listen(
                specification, on: lane == .control ? endpoint : endpoint.neighbour("data"),
                poller, context, chance)
            let door = Door(side: side, lane: lane)
            sockets[door] = id
            doors[id] = door
            endpoints[door] = bound
        }
    }

    /// Listens; a port that is ours to choose is none that the system gives to connections.
    ///
    /// A peer that connects again and again while the broker is away would be given the very port
    /// in the end, reach itself, and keep the broker from listening there: on Linux connections get
    /// 32768 and above (`net.ipv4.ip_local_port_range`).
    private static func listen(
        _ specification: SocketSpecification, on endpoint: Endpoint, _ poller: Poller,
        _ context: Context, _ chance: any RandomSource
    ) throws(ZeroMQError) -> (SocketID, Endpoint) {
        guard case .tcp(let host, nil) = endpoint.transport else {
            return try poller.listen(specification, on: endpoint, in: context)
        }
        for _ in 0..<32 {
            let port = UInt16(10_000 + chance.next() % 22_768)
            do throws(ZeroMQError) {
                return try poller.listen(
                    specification, on: Endpoint(.tcp(host: host, port: port)), in: context)
            } catch .call(_, .addressInUse, _) {
                continue
            }
        }
        return try poller.listen(specification, on: endpoint, in: context)
    }
}
