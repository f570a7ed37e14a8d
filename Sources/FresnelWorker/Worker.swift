import FresnelCluster
import FresnelIndex
package import FresnelModel
package import FresnelSystem
package import Logging
import FresnelWire
import ServiceLifecycle
import ZeroMQ

/// A worker process: a loop thread around `WorkerCore`, one writing thread, and search threads.
package final class Worker: Service {
    /// The name it registered under.
    package let name: WorkerID
    private let loop: EventLoop<WorkerHandler>
    private let threads: Threads
    private let isStopping: Outcome<Bool>

    /// The threads beside the loop.
    private struct Threads: Sendable {
        let ingest: EventLoop<IngestHandler>
        let merging: EventLoop<MergeHandler>
        let sealing: EventLoop<SealHandler>
        let syncing: SyncThreads
        let search: [EventLoop<SearchHandler>]
        let contents: EventLoop<ContentsHandler>
        let copies: CopyThreads
        let snapshots: SnapshotThread

        /// Ends them; writing last, since it seals what the others left, sealing too.
        func stop() async throws {
            try await copies.stop()
            try await snapshots.stop()
            for thread in search { try await thread.stop() }
            try await contents.stop()
            try await merging.stop()
            try await sealing.stop()
            try await ingest.stop()
            try await syncing.stop()
        }
    }

    private init(
        name: WorkerID, loop: EventLoop<WorkerHandler>, threads: Threads,
        isStopping: Outcome<Bool>
    ) {
        self.name = name
        self.loop = loop
        self.threads = threads
        self.isStopping = isStopping
    }

    /// Opens the directory and connects to the broker; `run` waits for the end.
    ///
    /// - Parameter announce: called once, when the shards that the broker assigns are open, or when
    ///   it has none for this worker.
    package static func start(
        _ configuration: WorkerConfiguration, environment: Environment = .system, logger: Logger,
        announce: @escaping @Sendable (WorkerID) -> Void = { _ in }
    ) async throws(WorkerError) -> Worker {
        guard configuration.broker.isLoopback || configuration.allowsPlaintext else {
            throw .plaintext(configuration.broker)
        }
        if let endpoint = configuration.transferEndpoint {
            try CopyThreads.require(endpoint, allowsPlaintext: configuration.allowsPlaintext)
        }
        try WorkerDirectory.refuseBrokers(configuration.directory, environment.storage)
        var directory: WorkerDirectory
        do throws(SystemError) {
            directory = try WorkerDirectory(
                configuration.directory, storage: environment.storage)
        } catch {
            throw .storage(error)
        }
        let name = try directory.name(wanted: configuration.name, chance: environment.chance)
        directory.owner = name
        ProcessMemory.keepLittleFree()
        do throws(ZeroMQError) {
            return try await start(
                configuration, directory, name, environment: environment, logger: logger
            ) { announce(name) }
        } catch {
            throw .sockets(error)
        }
    }

    /// Runs until the task is cancelled or the process is asked to stop; then seals what is in
    /// memory.
    package func run() async throws {
        do {
            try await withTaskCancellationOrGracefulShutdownHandler {
                try await loop.waitUntilEnded()
            } onCancelOrGracefulShutdown: {
                self.isStopping.set(true)
                self.loop.requestStop()
            }
        } catch {
            isStopping.set(true)
            // What ended the loop is the reason; a second one would hide it.
            try? await threads.stop()
            throw error
        }
        isStopping.set(true)
        try await threads.stop()
    }

    /// Stops and waits for the end.
    package func stop() async throws {
        isStopping.set(true)
        try await loop.stop()
        try await threads.stop()
    }

    private static func searchThreads(
        _ count: Int, _ makeHandler: @escaping @Sendable () -> SearchHandler
    ) async throws(ZeroMQError) -> [EventLoop<SearchHandler>] {
        var threads: [EventLoop<SearchHandler>] = []
        for number in 0..<max(1, count) {
            threads.append(
                try await EventLoop<SearchHandler>.start(.laborious("search-\(number)")) { _ in
                    makeHandler()
                })
        }
        return threads
    }

    private static func contentsThread(
        _ table: ReplicaTable, _ report: @escaping @Sendable (WireReplicaDigest) -> Void
    ) async throws(ZeroMQError) -> EventLoop<ContentsHandler> {
        try await EventLoop<ContentsHandler>.start(.laborious("contents", .patient)) { _ in
            ContentsHandler(table: table, report: report)
        }
    }

    /// What answers searches on any thread; all of them share what was counted and filtered.
    private static func searching(
        in table: ReplicaTable, _ environment: Environment
    ) -> LocalSearch.MakeHandler {
        let counts = CountedSearches()
        let filters = FilterCache()
        return {
            SearchHandler(
                table: table, environment: environment, counts: counts, filters: filters,
                report: $0)
        }
    }

    /// Hands events to the worker's loop; once it stops, nobody waits for any.
    private static func delivery(
        to loop: Outlet<WorkerEvent>, until isStopping: Outcome<Bool>, _ logger: Logger
    ) -> @Sendable (WorkerEvent) -> Void {
        { event in
            guard !loop.post(event), isStopping.value != true else { return }
            // Not the event itself: it may hold documents.
            logger.error("the worker's loop is overrun: news of its threads is lost")
        }
    }

    /// Merges keep step with writing: segments that pile up cost every query.
    private static func mergingThread(
        _ environment: Environment, _ logger: Logger, _ dropBound: DropBound,
        _ toIngest: Outlet<IngestHandler.Mail>, _ deliver: @escaping @Sendable (WorkerEvent) -> Void
    ) async throws(ZeroMQError) -> EventLoop<MergeHandler> {
        try await EventLoop<MergeHandler>.start(.laborious("merge", .yielding)) { _ in
            MergeHandler(
                time: environment.time, logger: logger, dropBound: dropBound,
                report: { deliver(.merged(bytes: $0)) },
                reportDamage: { index, _ in toIngest.post(.damaged(index)) },
                settle: { toIngest.post(.settle($0)) },
                giveBackOutside: { toIngest.post(.giveBack) })
        }
    }

    private static func sealingThread(
        _ toIngest: Outlet<IngestHandler.Mail>
    ) async throws(ZeroMQError) -> EventLoop<SealHandler> {
        try await EventLoop<SealHandler>.start(.laborious("seal", .yielding)) { _ in
            // The writing thread looks once a second by itself.
            SealHandler { toIngest.post(.sealed) }
        }
    }

    private static func start(
        _ configuration: WorkerConfiguration, _ directory: WorkerDirectory, _ name: WorkerID,
        environment: Environment, logger: Logger, announce: @escaping @Sendable () -> Void
    ) async throws(ZeroMQError) -> Worker {
        let identity = directory.identity(chance: environment.chance)
        let context = try Context.shared(
            seed: UInt32(truncatingIfNeeded: environment.chance.next()))
        let membership = directory.membership
        let toLoop = Outlet<WorkerEvent>()
        let isStopping = Outcome<Bool>()
        let deliver = delivery(to: toLoop, until: isStopping, logger)
        let retention = Retention(seconds: configuration.retention.inSeconds)
        let table = ReplicaTable()
        let (pins, dropBound, brokerTime) = (JournalPins(), DropBound(), BrokerTime())
        let (toCopies, toIngest) = (Outlet<TransferEvent>(), Outlet<IngestHandler.Mail>())
        let merging = try await mergingThread(environment, logger, dropBound, toIngest, deliver)
        let sealing = try await sealingThread(toIngest)
        let syncing = try await SyncThreads.start()
        let ingest = try await EventLoop.start(.laborious("ingest", .yielding)) { _ in
            IngestHandler(
                directory: directory, table: table, environment: environment,
                settings: .init(configuration, retention: retention), logger: logger,
                outlets: .init(
                    report: deliver, merge: { _ = merging.post($0) },
                    isStopping: { isStopping.value ?? false }, transfer: { toCopies.post($0) },
                    dropBound: dropBound, brokerTime: brokerTime, pins: pins,
                    seal: { sealing.post($0) },
                    sync: { syncing.post($0) }))
        }
        toIngest.open { ingest.post($0) }
        let makeHandler = searching(in: table, environment)
        let threads = try await searchThreads(configuration.searchThreads) { makeHandler(deliver) }
        let copies = try await CopyThreads.start(
            configuration, directory, context: context,
            services: .init(
                table: table, pins: pins, environment: environment, logger: logger,
                ingest: { ingest.post(.transfer($0)) }, report: { deliver(.replicaState($0)) }))
        toCopies.open { copies.loop.post($0) }
        let contents = try await contentsThread(table) { deliver(.checked($0)) }
        let snapshots = try await SnapshotThread.start(
            directory, table, environment, logger: logger, report: { deliver(.stored($0)) })
        let loop = try await EventLoop<WorkerHandler>.start(.attentive("worker")) {
            (poller) throws(ZeroMQError) in
            let core = WorkerCore(
                name: name, bootID: environment.chance.next(), software: configuration.software,
                retention: WireRetention(retention),
                transferEndpoint: copies.endpoint?.description ?? "",
                directory: identity,
                membership: membership,
                at: Instant(nanoseconds: environment.time.monotonicNanoseconds()))
            return try WorkerHandler(
                core: core, broker: configuration.broker, poller: poller, context: context,
                services: .init(
                    time: environment.time, logger: logger, ingest: ingest,
                    search: SearchPool(
                        threads, time: environment.time, local: LocalSearch(makeHandler)),
                    transfer: { copies.loop.post($0) }, contents: { contents.post($0) },
                    store: { snapshots.perform($0) }, sweep: { snapshots.sweep(keeping: $0) },
                    drop: { dropBound.allow(expiredBy: $0) }, brokerTime: brokerTime,
                    directory: directory.path, announce: announce))
        }
        toLoop.open { loop.post($0) }
        let all = Threads(
            ingest: ingest, merging: merging, sealing: sealing, syncing: syncing, search: threads,
            contents: contents, copies: copies, snapshots: snapshots)
        return Worker(
            name: name, loop: loop, threads: all, isStopping: isStopping)
    }
}

extension EventLoop.Settings {
    /// A loop whose mail is bounded by what the broker may have under way: parts by write credit,
    /// searches by `Limits.tasksPerWorker` with at most one question each.
    static func roomy(_ name: String) -> Self {
        var settings = Self(name: name)
        settings.mailboxCapacity = 1 << 16
        return settings
    }

    /// A roomy loop of a thread that answers at once.
    static func attentive(_ name: String) -> Self {
        var settings = roomy(name)
        settings.alertness = Alertness { YieldBackoff.shared.yield(at: $0) }
        return settings
    }

    /// A roomy loop of a thread that computes.
    static func laborious(_ name: String, _ pace: EventLoop.Pace = .steady) -> Self {
        var settings = roomy(name)
        settings.pace = pace
        return settings
    }
}
