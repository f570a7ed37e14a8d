import Foundation
import FresnelLoad
import FresnelModel
import FresnelSystem
import Glibc
import Synchronization
import ZeroMQ

/// A cluster that a load starts for itself: real processes in a temporary directory, on ports that
/// the system chooses, ended and removed with the load.
///
/// Nothing is started again by itself: what was killed stays dead until a fault starts it.
final class LoadCluster: Sendable {
    private let workerCount: Int
    private let broker: HeldProcess
    private let workers: [HeldProcess]
    private let told: Told
    private let listening: AsyncStream<Never>

    /// What its processes told, on threads of their own.
    private final class Told: Sendable {
        let doors = Mutex<ClusterDoors?>(nil)
        let deaths = Mutex<[String]>([])
    }

    /// How long a cluster may take until it is ready.
    private static let patienceSeconds = 120

    private init(_ plan: ClusterPlan) {
        let told = Told()
        let (listening, opened) = AsyncStream.makeStream(of: Never.self)
        self.told = told
        self.listening = listening
        workerCount = plan.workerCount
        let mourn: @Sendable (String) -> Void = { death in
            told.deaths.withLock { $0.append(death) }
            // Whoever waits for the broker to listen waits no longer.
            opened.finish()
        }
        broker = HeldProcess(
            "broker", logPath: "\(plan.directory)/broker.log",
            arguments: { plan.brokerArguments(told.doors.withLock { $0 }) },
            hear: { line in
                guard let doors = ClusterDoors(line: line) else { return }
                told.doors.withLock { $0 = doors }
                opened.finish()
            }, mourn: mourn)
        workers = (1...plan.workerCount).map { number in
            HeldProcess(
                plan.workerName(number),
                logPath: "\(plan.directory)/\(plan.workerName(number)).log",
                arguments: { plan.workerArguments(number, told.doors.withLock { $0 }) },
                mourn: mourn)
        }
    }

    /// Starts a cluster, lends it to `body` when it is whole, and ends it in any case.
    static func with<Answer>(
        workers: Int, shards: Int, replicas: Int, keptAnswers: Int,
        _ body: (_ cluster: LoadCluster, _ endpoint: String) async throws -> Answer
    ) async throws -> Answer {
        try await LoadDirectory.with { directory in
            let cluster = LoadCluster(
                ClusterPlan(
                    directory: directory, workerCount: workers, shardCount: shards,
                    replication: replicas, listen: Endpoint(.tcp(host: "127.0.0.1", port: nil)),
                    replacesLost: false, keptAnswers: keptAnswers, logLevel: "warning",
                    isJSON: false))
            do {
                let answer = try await body(cluster, try await cluster.start())
                await cluster.end()
                return answer
            } catch {
                await cluster.end()
                throw error
            }
        }
    }

    /// Says which processes ended although nobody said so.
    func checkAlive() throws(CommandError) {
        let deaths = told.deaths.withLock { $0 }
        guard !deaths.isEmpty else { return }
        throw .failed("\(deaths.joined(separator: ", ")) while the load ran\n\(lastWords)")
    }

    /// Carries out a fault; returns why that did not work, nil if it did.
    func perform(_ fault: FaultScript.Fault) async -> String? {
        let process =
            switch fault.target {
            case .broker: broker
            case .worker(let number): workers[number - 1]
            }
        switch fault.action {
        case .kill: await process.kill()
        case .stop: return process.signal(SIGSTOP) ? nil : "it does not run"
        case .continue: return process.signal(SIGCONT) ? nil : "it does not run"
        case .start:
            do throws(CommandError) {
                try process.start()
            } catch {
                return error.description
            }
        }
        return nil
    }

    /// What each of its processes uses, in bytes.
    func memory() -> [String: UInt64] {
        var bytes: [String: UInt64] = [:]
        for process in [broker] + workers {
            guard let number = process.number else { continue }
            // One that has ended meanwhile uses nothing.
            guard let used = try? ProcessMemory.residentBytes(of: number) else { continue }
            bytes[process.name] = UInt64(used)
        }
        return bytes
    }

    /// Starts all processes, waits until they are a whole cluster, and returns where it listens.
    private func start() async throws -> String {
        try broker.start()
        for await _ in listening {}
        try checkAlive()
        try Task.checkCancellation()
        guard let doors = told.doors.withLock({ $0 }) else {
            throw CommandError.failed("the broker does not say where it listens\n\(lastWords)")
        }
        for worker in workers { try worker.start() }
        var seconds = 0
        try await ClusterReadiness.wait(for: doors, workers: workerCount) { words in
            try checkAlive()
            seconds += 5
            guard seconds < Self.patienceSeconds else {
                throw CommandError.failed(
                    "the cluster does not become whole: \(words)\n\(lastWords)")
            }
        }
        return doors.clients
    }

    /// Kills all processes: nothing that they have is kept.
    private func end() async {
        for process in workers + [broker] { await process.kill() }
    }

    private var lastWords: String {
        ([broker] + workers).map(\.lastWords).filter { !$0.isEmpty }.joined(separator: "\n")
    }
}
