import FresnelCluster
import FresnelModel
package import FresnelSystem
import FresnelWire
package import Logging
import ServiceLifecycle
package import ZeroMQ

/// A broker process: one loop thread around `BrokerCore`, one thread that writes its state.
package final class Broker: Service {
    /// Where the broker can be reached, once it listens.
    package struct Doors: Hashable, Sendable {
        package let clients: Endpoint
        package let workers: Endpoint
    }

    /// Where the broker listens; ports are those the system chose.
    package let doors: Doors
    private let loop: EventLoop<BrokerHandler>
    private let writer: EventLoop<StateWriter>
    /// Writes down what clients ask; nil where nobody wants that.
    private let queries: EventLoop<QueryLog>?
    /// Held as long as the broker lives: its socket paths are its own.
    private let locks: [any StorageLock]

    private init(
        doors: Doors, loop: EventLoop<BrokerHandler>, writer: EventLoop<StateWriter>,
        queries: EventLoop<QueryLog>?, locks: [any StorageLock]
    ) {
        self.queries = queries
        self.locks = locks
        self.doors = doors
        self.loop = loop
        self.writer = writer
    }

    /// Reads the cluster state, listens, and serves from then on; `run` waits for the end.
    package static func start(
        _ configuration: BrokerConfiguration, environment: Environment = .system, logger: Logger
    ) async throws(BrokerError) -> Broker {
        try refuseOpenPlaintext(configuration)
        let file = try openStateFile(configuration, environment)
        let locks = try lockSockets(configuration, environment)
        let state = try file.load(newClusterID: environment.chance.next())
        try checkQueryLog(configuration, environment)
        ProcessMemory.keepLittleFree()
        do throws(ZeroMQError) {
            return try await start(
                configuration, environment: environment, logger: logger, file: file, state: state,
                locks: locks)
        } catch {
            throw .sockets(error)
        }
    }

    /// Runs until the task is cancelled or the process is asked to stop.
    package func run() async throws {
        do {
            try await withTaskCancellationOrGracefulShutdownHandler {
                try await loop.waitUntilEnded()
            } onCancelOrGracefulShutdown: {
                self.loop.requestStop()
            }
        } catch {
            // What ended the loop is the reason; a second one would hide it.
            try? await stopWriters()
            throw error
        }
        try await stopWriters()
    }

    /// Stops and waits for the end.
    package func stop() async throws {
        do {
            try await loop.stop()
        } catch {
            // As in `run`.
            try? await stopWriters()
            throw error
        }
        try await stopWriters()
    }

    private func stopWriters() async throws {
        try await writer.stop()
        try await queries?.stop()
    }

    private static func refuseOpenPlaintext(
        _ configuration: BrokerConfiguration
    ) throws(BrokerError) {
        guard !configuration.allowsPlaintext else { return }
        for endpoint in [configuration.clientEndpoint, configuration.workerEndpoint]
        where !endpoint.isLoopback {
            throw .plaintext(endpoint)
        }
    }

    /// Locks the files of socket paths: binding to one that another broker listens on would take it
    /// away without a word.
    private static func lockSockets(
        _ configuration: BrokerConfiguration, _ environment: Environment
    ) throws(BrokerError) -> [any StorageLock] {
        var locks: [any StorageLock] = []
        for endpoint in [configuration.clientEndpoint, configuration.workerEndpoint] {
            guard case .ipc(let path) = endpoint.transport, !path.hasPrefix("@") else { continue }
            // Before a lock is made beside what is not ours.
            do throws(ZeroMQError) {
                for endpoint in [endpoint, endpoint.neighbour("data")] {
                    try endpoint.requireFree()
                }
            } catch {
                throw .sockets(error)
            }
            do throws(SystemError) {
                locks.append(try environment.storage.lock(path + ".lock"))
            } catch {
                throw .socketInUse(endpoint, error)
            }
        }
        return locks
    }

    /// A log that cannot be written is better known before the broker listens.
    private static func checkQueryLog(
        _ configuration: BrokerConfiguration, _ environment: Environment
    ) throws(BrokerError) {
        guard let path = configuration.queryLog else { return }
        // The log goes on behind what is in it, and replaces the file before it.
        for file in [path, path + ".1"] {
            let isLog: Bool
            do throws(SystemError) {
                isLog = try QueryLog.mayBe(file, environment.storage)
            } catch {
                throw .queryLog(file, error)
            }
            guard isLog else { throw .noQueryLog(file) }
        }
        do throws(SystemError) {
            try environment.storage.open(path, create: .ifMissing).close()
        } catch {
            throw .queryLog(path, error)
        }
    }

    private static func startQueryLog(
        _ path: String, _ environment: Environment, _ logger: Logger
    ) async throws(ZeroMQError) -> EventLoop<QueryLog> {
        try await EventLoop<QueryLog>.start(.init(name: "broker-queries")) { _ in
            QueryLog(path: path, storage: environment.storage, logger: logger)
        }
    }

    private static func openStateFile(
        _ configuration: BrokerConfiguration, _ environment: Environment
    ) throws(BrokerError) -> StateFile {
        let directory = configuration.directory
        let isWorkers: Bool
        do throws(SystemError) {
            let name = FilePath.join(directory, "worker-name")
            isWorkers = try environment.storage.size(of: name) != nil
        } catch {
            throw .storage(error)
        }
        guard !isWorkers else { throw .directoryOfWorker(directory) }
        do throws(SystemError) {
            return try StateFile(directory: directory, storage: environment.storage)
        } catch {
            throw .storage(error)
        }
    }

    private static func start(
        _ configuration: BrokerConfiguration, environment: Environment, logger: Logger,
        file: StateFile, state: ClusterState, locks: [any StorageLock]
    ) async throws(ZeroMQError) -> Broker {
        var settings = Context.Settings()
        // On a small machine a second one takes the processor from those whom it serves.
        settings.ioThreads = Machine.processorCount < 8 ? 1 : 2
        let context = try Context.shared(
            settings, seed: UInt32(truncatingIfNeeded: environment.chance.next()))
        let toBroker = Outlet<BrokerEvent>()
        let writer = try await EventLoop<StateWriter>.start(.init(name: "broker-state")) { _ in
            StateWriter(file: file) { event in
                // After its end nobody waits for what was written; what was not has to be told.
                guard !toBroker.post(event), case .persistFailed(_, let reason) = event else {
                    return
                }
                logger.error(
                    "what the broker knew at its end was not written: \(reason.message)")
            }
        }
        var queries: EventLoop<QueryLog>?
        if let path = configuration.queryLog {
            queries = try await startQueryLog(path, environment, logger)
        }
        let record = queries.map { queries in
            { @Sendable (line: [UInt8]) in queries.post(line) }
        }
        let bound = Outcome<Doors>()
        var pace = EventLoop<BrokerHandler>.Settings(name: "broker")
        pace.alertness = Alertness { YieldBackoff.shared.yield(at: $0) }
        let loop = try await EventLoop<BrokerHandler>.start(pace) {
            (poller) throws(ZeroMQError) in
            let doors = try BrokerDoors(
                configuration, poller: poller, context: context, chance: environment.chance)
            bound.set(doors.summary)
            let core = BrokerCore(
                settings: coreSettings(configuration, doors, environment.chance), state: state)
            return try BrokerHandler(
                core: core, doors: doors, poller: poller,
                services: .init(
                    time: environment.time, logger: logger, persist: { writer.post($0) },
                    record: record))
        }
        toBroker.open { loop.post($0) }
        guard let doors = bound.value else {
            preconditionFailure("the broker's loop started without binding its sockets")
        }
        return Broker(doors: doors, loop: loop, writer: writer, queries: queries, locks: locks)
    }

    private static func coreSettings(
        _ configuration: BrokerConfiguration, _ doors: BrokerDoors, _ chance: any RandomSource
    ) -> BrokerSettings {
        BrokerSettings(
            incarnation: chance.next(), secret: chance.next(),
            identitySeed: IndexIdentity(high: chance.next(), low: chance.next()),
            shardCount: configuration.shardCount, replication: configuration.replication,
            expectedWorkers: configuration.expectedWorkers,
            defaultExpirationSeconds: configuration.defaultExpirationSeconds,
            replicaBytesPerSecond: configuration.replicaBytesPerSecond,
            keptAnswerBytes: configuration.keptAnswerBytes,
            adoptsUnknown: configuration.adoptsUnknown,
            timers: configuration.timers,
            clientDataEndpoint: doors.endpoint(.client, .data)?.description ?? "",
            workerDataEndpoint: doors.endpoint(.worker, .data)?.description ?? "",
            software: configuration.software)
    }
}
