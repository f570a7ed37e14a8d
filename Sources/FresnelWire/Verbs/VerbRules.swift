/// What holds for every message of one verb.
///
/// An object: every message is compared with its rules several times, and a copy would count every
/// text in them.
package final class VerbRules: Sendable {
    /// On which lanes a verb travels.
    package enum Lanes: String, Hashable, Sendable {
        case control
        case data
        /// On the lane of the message it answers.
        case either
        /// Between two workers, beside the broker's lanes.
        case transfer
    }

    /// The control frame of a verb: which message, and how many bytes at most.
    package struct Control: Hashable, Sendable {
        /// The name of the message in the schema.
        package let message: String
        /// The limit of the frame in bytes.
        package let limitBytes: Int

        /// A few scalars and short texts.
        package static func small(_ message: String) -> Control {
            Control(message: message, limitBytes: 16 << 10)
        }

        /// A list that a query bounds.
        package static func medium(_ message: String) -> Control {
            Control(message: message, limitBytes: 64 << 10)
        }

        /// A query with identifiers, or a thing per shard or operation.
        package static func large(_ message: String) -> Control {
            Control(message: message, limitBytes: 256 << 10)
        }

        /// A whole QUERY or PUT and what the broker adds to it: the index's custom keys, 145 KiB at
        /// most, the shards and the statistics.
        package static func part(_ message: String) -> Control {
            Control(message: message, limitBytes: 512 << 10)
        }
    }

    /// Whether a payload frame follows.
    package enum Payload: String, Hashable, Sendable {
        case never
        /// Absent means empty.
        case optional
        case always
    }

    /// The name in the protocol's text.
    package let name: String
    /// Who may send it to whom.
    package let routes: Set<Route>
    /// Whether a client may send it to the broker.
    package let comesFromClients: Bool
    /// Whether a worker may send it to the broker.
    package let comesFromWorkers: Bool
    /// Where it travels.
    package let lanes: Lanes
    /// Its control frame; nil for none.
    package let control: Control?
    /// Its payload frame.
    package let payload: Payload

    init(
        _ name: String, _ routes: Set<Route>, _ lanes: Lanes, control: Control? = nil,
        payload: Payload = .never
    ) {
        self.name = name
        self.routes = routes
        comesFromClients = routes.contains(.clientToBroker)
        comesFromWorkers = routes.contains(.workerToBroker)
        self.lanes = lanes
        self.control = control
        self.payload = payload
    }
}

extension Set<Route> {
    /// Between the broker and its peers, in either direction.
    static let anywhere: Set<Route> = [
        .clientToBroker, .brokerToClient, .workerToBroker, .brokerToWorker,
    ]
    static let toBroker: Set<Route> = [.clientToBroker, .workerToBroker]
    static let fromBroker: Set<Route> = [.brokerToClient, .brokerToWorker]
}
