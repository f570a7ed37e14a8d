import FresnelCluster
import FresnelSystem
import FresnelWire
import Logging
import ZeroMQ

/// The two threads of a worker's copies: one owns the transfer lane and decides, one has the files.
struct CopyThreads: Sendable {
    let loop: EventLoop<TransferHandler>
    private let files: EventLoop<TransferFiles>
    /// Where other workers fetch replicas; nil for nowhere.
    let endpoint: Endpoint?

    /// What the threads share with others.
    struct Services: Sendable {
        let table: ReplicaTable
        let pins: JournalPins
        let environment: Environment
        let logger: Logger
        let ingest: @Sendable (IngestHandler.Transfer) -> Bool
        let report: @Sendable (WireReplicaState) -> Void
    }

    /// Refuses an endpoint that nobody could be told, or that strangers could use.
    static func require(
        _ endpoint: Endpoint, allowsPlaintext: Bool
    ) throws(WorkerError) {
        guard endpoint.isLoopback || allowsPlaintext else { throw .openListener(endpoint) }
        guard case .tcp(let host, _) = endpoint.transport else { return }
        guard !["*", "0.0.0.0", "[::]"].contains(host) else { throw .nameless(endpoint) }
    }

    static func start(
        _ configuration: WorkerConfiguration, _ directory: WorkerDirectory, context: Context,
        services: Services
    ) async throws(ZeroMQError) -> CopyThreads {
        let wanted = configuration.transferEndpoint ?? standard(like: configuration.broker)
        let environment = services.environment
        let logger = services.logger
        let toLoop = Outlet<TransferEvent>()
        let report: @Sendable (TransferEvent) -> Void = { event in
            guard !toLoop.post(event) else { return }
            logger.error("the loop of copies is overrun: an event is lost")
        }
        let files = try await EventLoop<TransferFiles>.start(.laborious("copy-files")) { _ in
            TransferFiles(
                directory: directory, table: services.table, pins: services.pins,
                environment: environment, logger: logger, report: report,
                ingest: services.ingest)
        }
        let bound = Outcome<Endpoint>()
        let loop = try await EventLoop<TransferHandler>.start(.roomy("copies")) {
            (poller) throws(ZeroMQError) in
            var listener: (socket: SocketID, endpoint: Endpoint)?
            if let wanted { listener = try TransferHandler.listen(on: wanted, poller, context) }
            bound.set(listener?.endpoint)
            return TransferHandler(
                listener: listener, poller: poller, context: context,
                services: .init(
                    time: environment.time, logger: logger,
                    allowsPlaintext: configuration.allowsPlaintext,
                    files: { files.post($0) },
                    drop: { services.ingest(.drop($0, $1, $2)) }, report: services.report))
        }
        toLoop.open { loop.post($0) }
        return CopyThreads(loop: loop, files: files, endpoint: bound.value)
    }

    func stop() async throws {
        try await loop.stop()
        try await files.stop()
    }

    /// A port of the system's choice on this machine, where the broker is on it too; else nothing,
    /// since nobody could be told an address.
    private static func standard(like broker: Endpoint) -> Endpoint? {
        broker.isLoopback ? Endpoint(.tcp(host: "127.0.0.1", port: nil)) : nil
    }
}
