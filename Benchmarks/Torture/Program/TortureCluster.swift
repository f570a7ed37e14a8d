import FresnelClient
import Glibc
import TortureHistory

/// The processes of a run.
struct TortureCluster: Sendable {
    let stage: Stage
    let description: RunDescription
    private let broker: RoleProcess
    private let workers: [RoleProcess]

    init(
        _ stage: Stage, _ description: RunDescription, program: String, recorder: Recorder
    ) throws {
        self.stage = stage
        self.description = description
        let complain: @Sendable (String) -> Void = { recorder.trouble(.wrongEnd, $0) }
        broker = try RoleProcess(
            "broker",
            command: stage.broker(program) + [
                "--shards", "\(description.shards)", "--replicas", "\(description.replicas)",
                "--expect-workers", "\(description.workers)",
            ], logFile: stage.logFile("broker"), complain: complain)
        workers = try (1...description.workers).map { number in
            try RoleProcess(
                "worker-\(number)", command: stage.worker(number, program),
                logFile: stage.logFile("worker-\(number)"), complain: complain)
        }
    }

    private var all: [RoleProcess] { workers + [broker] }

    /// Runs the processes while `body` does.
    func run(_ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for role in all { group.addTask { try await role.run() } }
            for role in all { role.start() }
            do {
                try await body()
            } catch {
                group.cancelAll()
                throw error
            }
            for role in all { role.close() }
            try await group.waitForAll()
        }
    }

    /// Ends all processes in order, workers first.
    func end() async {
        for role in all { await role.end(by: SIGTERM) }
    }

    /// The process of a worker, or with 0 the broker.
    func role(_ number: Int) -> RoleProcess { number == 0 ? broker : workers[number - 1] }

    /// Waits until all workers are live, every shard is whole and every replica in sync.
    ///
    /// - Returns: when that was, nil if it did not come within the bound.
    func healed(within seconds: Int64, _ client: SearchClient) async -> Int64? {
        let end = Recorder.now + seconds * 1_000_000_000
        while Recorder.now < end, !Task.isCancelled {
            // While the broker is away there is no status.
            if let status = try? await client.status(), isWhole(status) { return Recorder.now }
            // A cancelled pause ends the loop at its head.
            try? await Task.sleep(for: .milliseconds(50))
        }
        return nil
    }

    private func isWhole(_ status: ClusterStatus) -> Bool {
        status.workers.count { $0.state == "live" } == description.workers
            && status.indexes.allSatisfy { index in
                index.shards.allSatisfy { shard in
                    shard.state == "whole"
                        && (description.replicas == 1
                            || shard.replicas.count { $0.isInSync && $0.state == "whole" }
                                == description.replicas)
                }
            }
    }
}

extension TortureCluster {
    /// Breaks something.
    func begin(_ fault: PlannedFault) async throws {
        switch fault.kind {
        case .workerKill, .brokerKill: await role(fault.target).end(by: SIGKILL)
        case .workerEnd, .brokerEnd: await role(fault.target).end(by: SIGTERM)
        case .workerStop, .brokerStop: role(fault.target).signal(SIGSTOP)
        case .workerCutOff: try await stage.setLink(fault.target, isUp: false)
        case .workerDeaf: try await stage.setWay(toWorker: fault.target, isOpen: false)
        case .workerMute: try await stage.setWay(fromWorker: fault.target, isOpen: false)
        case .workersApart:
            try await stage.setWay(between: fault.target, and: fault.other, isOpen: false)
        case .diskFull: try await stage.setDisk(isFull: true)
        case .diskFrozen: break
        case .brokerCutOff:
            for worker in 1...description.workers { try await stage.setLink(worker, isUp: false) }
        }
    }

    /// Lets it be broken for a while.
    func hold(_ fault: PlannedFault) async throws {
        guard fault.kind != .diskFrozen else {
            return try await stage.freezeDisk(milliseconds: fault.hold)
        }
        try await Task.sleep(for: .milliseconds(fault.hold))
    }

    /// Takes it back.
    func end(_ fault: PlannedFault) async throws {
        switch fault.kind {
        case .workerKill, .workerEnd, .brokerKill, .brokerEnd: role(fault.target).start()
        case .workerStop, .brokerStop: role(fault.target).signal(SIGCONT)
        case .workerCutOff: try await stage.setLink(fault.target, isUp: true)
        case .workerDeaf: try await stage.setWay(toWorker: fault.target, isOpen: true)
        case .workerMute: try await stage.setWay(fromWorker: fault.target, isOpen: true)
        case .workersApart:
            try await stage.setWay(between: fault.target, and: fault.other, isOpen: true)
        case .diskFull: try await stage.setDisk(isFull: false)
        case .diskFrozen: break
        case .brokerCutOff:
            for worker in 1...description.workers { try await stage.setLink(worker, isUp: true) }
        }
    }
}
