import FresnelCluster
import FresnelModel
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
        _ configuration: BrokerConfiguration, poller: Poller, context: Context
    ) throws(ZeroMQError) {
        try open(.client, at: configuration.clientEndpoint, poller, context)
        try open(.worker, at: configuration.workerEndpoint, poller, context)
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

    func socket(for address: PeerAddress) -> SocketID? {
        sockets[Door(side: address.side, lane: address.lane)]
    }

    private mutating func open(
        _ side: PeerAddress.Side, at endpoint: Endpoint, _ poller: Poller, _ context: Context
    ) throws(ZeroMQError) {
        for lane in Lane.allCases {
            var specification = SocketSpecification.router(for: lane == .control ? .control : .bulk)
            specification.maximumFrameBytes = WireLimits.largestFrameBytes
            if side == .client, lane == .data {
                // What a client does not read stays small here; the rest waits in the outbox.
                specification.sendQueueMessages = Limits.clientQueueMessages
            }
            let socket = try Socket(specification, in: context)
            let bound = try socket.bind(lane == .control ? endpoint : endpoint.neighbour("data"))
            let id = poller.add(socket)
            let door = Door(side: side, lane: lane)
            sockets[door] = id
            doors[id] = door
            endpoints[door] = bound
        }
    }
}
