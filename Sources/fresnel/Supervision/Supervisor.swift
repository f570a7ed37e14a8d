import Logging
import ServiceLifecycle
import ZeroMQ

/// A whole cluster on this machine: one broker and its workers as processes of their own.
///
/// Until all have started the death of a process is an error; from then on it is started again.
/// Shards that only the operator can bring back keep it from being ready, not from running.
/// A broker that comes back listens where it listened before, so clients and workers find it.
final class Supervisor: Service {
    private let plan: ClusterPlan
    private let logger: Logger
    private let announce: @Sendable (ClusterDoors) -> Void
    /// Where the broker listens, once it has said so.
    private let doors: Outcome<ClusterDoors>
    private let listening: AsyncStream<Never>
    /// Whether every process came as far as it can by itself.
    private let isStarted = Outcome<Bool>()
    private let broker: ChildProcess
    private let workers: [ChildProcess]

    /// How long an orderly end may take before a process is killed.
    private static let patience = Duration.seconds(20)

    /// - Parameter announce: called once, when every worker is there.
    init(
        _ plan: ClusterPlan, logger: Logger, announce: @escaping @Sendable (ClusterDoors) -> Void
    ) {
        let doors = Outcome<ClusterDoors>()
        let (listening, opened) = AsyncStream.makeStream(of: Never.self)
        self.plan = plan
        self.logger = logger
        self.announce = announce
        self.doors = doors
        self.listening = listening
        broker = ChildProcess(
            "broker", logger: logger, arguments: { plan.brokerArguments(doors.value) },
            hear: { line in
                guard let told = ClusterDoors(line: line) else { return }
                doors.set(told)
                opened.finish()
            })
        workers = (1...plan.workerCount).map { number in
            ChildProcess(
                plan.workerName(number), logger: logger,
                arguments: { plan.workerArguments(number, doors.value) })
        }
    }

    /// Runs the cluster until the process is asked to stop, then ends every child.
    func run() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await self.keepChildren() }
            group.addTask {
                // Both waits end early when the children have ended.
                guard (try? await gracefulShutdown()) != nil,
                    (try? await Task.sleep(for: Self.patience)) != nil
                else { return }
                for child in [self.broker] + self.workers { child.kill() }
            }
            try await group.next()
            group.cancelAll()
        }
    }

    /// Returns after a graceful shutdown, throws when the cluster cannot be started; in both cases
    /// no child is left.
    private func keepChildren() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await gracefulShutdown() }
            group.addTask { try await self.keepAlive(self.broker) }
            group.addTask { try await self.startWorkers() }
            // All but the first run until they are cancelled or fail.
            try await group.next()
            group.cancelAll()
            while !group.isEmpty {
                // What a child says while it is being ended changes nothing.
                _ = await group.nextResult()
            }
        }
    }

    private func keepAlive(_ child: ChildProcess) async throws {
        try await child.keepAlive { self.isStarted.value ?? false }
    }

    private func startWorkers() async throws {
        for await _ in listening {}
        guard let doors = doors.value else { return }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for worker in workers {
                group.addTask { try await self.keepAlive(worker) }
            }
            try await ClusterReadiness.wait(
                for: doors, workers: plan.workerCount, settled: { isStarted.set(true) },
                complain: { words in logger.warning("\(words)") })
            announce(doors)
            try await group.waitForAll()
        }
    }
}
