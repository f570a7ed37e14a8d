import FresnelCluster
import FresnelModel
package import FresnelSystem
package import Logging
import ServiceLifecycle
import ZeroMQ

/// A worker process: a loop thread around `WorkerCore`, one writing thread, and search threads.
package final class Worker: Service {
    /// The name it registered under.
    package let name: WorkerID
    private let loop: EventLoop<WorkerHandler>
    private let ingest: EventLoop<IngestHandler>
    private let search: [EventLoop<SearchHandler>]
    private let retirement: Outcome<String>

    private init(
        name: WorkerID, loop: EventLoop<WorkerHandler>, ingest: EventLoop<IngestHandler>,
        search: [EventLoop<SearchHandler>], retirement: Outcome<String>
    ) {
        self.name = name
        self.loop = loop
        self.ingest = ingest
        self.search = search
        self.retirement = retirement
    }

    /// Opens the directory and connects to the broker; `run` waits for the end.
    package static func start(
        _ configuration: WorkerConfiguration, environment: Environment = .system, logger: Logger
    ) async throws(WorkerError) -> Worker {
        guard configuration.broker.isLoopback || configuration.allowsPlaintext else {
            throw .plaintext(configuration.broker)
        }
        let directory: WorkerDirectory
        do throws(SystemError) {
            directory = try WorkerDirectory(
                configuration.directory, storage: environment.storage)
        } catch {
            throw .storage(error)
        }
        let name = try directory.name(wanted: configuration.name, chance: environment.chance)
        do throws(ZeroMQError) {
            return try await start(
                configuration, directory, name, environment: environment, logger: logger)
        } catch {
            throw .sockets(error)
        }
    }

    /// Runs until the task is cancelled, the process is asked to stop, or another process of the
    /// same name takes over; then seals what is in memory.
    package func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await loop.waitUntilEnded()
        } onCancelOrGracefulShutdown: {
            self.loop.requestStop()
        }
        try await ingest.stop()
        for thread in search { try await thread.stop() }
        if let reason = retirement.value { throw WorkerError.retired(reason) }
    }

    /// Stops and waits for the end.
    package func stop() async throws {
        try await loop.stop()
        try await ingest.stop()
        for thread in search { try await thread.stop() }
    }

    private static func start(
        _ configuration: WorkerConfiguration, _ directory: WorkerDirectory, _ name: WorkerID,
        environment: Environment, logger: Logger
    ) async throws(ZeroMQError) -> Worker {
        let context = try Context.shared(seed: UInt32(truncatingIfNeeded: environment.chance.next()))
        let toLoop = Outlet<WorkerEvent>()
        let table = ReplicaTable()
        let ingest = try await EventLoop<IngestHandler>.start(.init(name: "ingest")) { _ in
            IngestHandler(
                directory: directory, table: table, environment: environment,
                sealThresholdBytes: configuration.sealThresholdBytes, logger: logger
            ) { toLoop.post($0) }
        }
        var search: [EventLoop<SearchHandler>] = []
        for number in 0..<max(1, configuration.searchThreads) {
            search.append(
                try await EventLoop<SearchHandler>.start(.init(name: "search-\(number)")) { _ in
                    SearchHandler(table: table, environment: environment) { toLoop.post($0) }
                })
        }
        let retirement = Outcome<String>()
        let ending = Outlet<String>()
        let threads = search
        let loop = try await EventLoop<WorkerHandler>.start(.init(name: "worker")) {
            (poller) throws(ZeroMQError) in
            let core = WorkerCore(
                name: name, bootID: environment.chance.next(), software: configuration.software,
                at: Instant(nanoseconds: environment.time.monotonicNanoseconds()))
            return try WorkerHandler(
                core: core, broker: configuration.broker, poller: poller, context: context,
                services: .init(
                    time: environment.time, logger: logger, ingest: ingest,
                    search: SearchPool(threads, time: environment.time),
                    retire: { ending.post($0) }))
        }
        toLoop.open { loop.post($0) }
        ending.open { reason in
            retirement.set(reason)
            loop.requestStop()
            return true
        }
        return Worker(
            name: name, loop: loop, ingest: ingest, search: search, retirement: retirement)
    }
}
