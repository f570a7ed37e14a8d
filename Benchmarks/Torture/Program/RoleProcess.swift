import Foundation
import Glibc
import Subprocess

/// A broker or a worker: one process at a time, started and ended as the run wants it.
final class RoleProcess: Sendable {
    /// Where it stands.
    private enum Stage: Sendable {
        case idle
        case wanted
        case running(Int32, isToEnd: Bool)
        case closed
    }

    /// `broker`, `worker-1`, ….
    let name: String
    private let command: [String]
    private let log: FileHandle
    private let stage = Watched(Stage.idle)
    /// Told of an end that nobody asked for, or that was not in order.
    private let complain: @Sendable (String) -> Void

    init(
        _ name: String, command: [String], logFile: String,
        complain: @escaping @Sendable (String) -> Void
    ) throws {
        self.name = name
        self.command = command
        self.complain = complain
        try Data().write(to: URL(filePath: logFile))
        log = try FileHandle(forWritingTo: URL(filePath: logFile))
    }

    /// Runs the process whenever it is wanted, until `close`.
    func run() async throws {
        while true {
            let isWanted = await stage.first { stage -> Bool? in
                switch stage {
                case .wanted: true
                case .closed: false
                case .idle, .running: nil
                }
            }
            guard isWanted else { return }
            let status = try await runOnce()
            settle(status)
        }
    }

    /// Starts it.
    func start() {
        stage.update { if case .idle = $0 { $0 = .wanted } }
    }

    /// Sends a signal to it, if it runs.
    func signal(_ number: Int32) {
        if case .running(let process, _) = stage.value { _ = kill(process, number) }
    }

    /// Ends it by a signal and waits until it has ended.
    func end(by number: Int32) async {
        // One that is about to start is waited for: it has no number yet.
        _ = await stage.first { stage -> Bool? in
            if case .wanted = stage { return nil }
            return true
        }
        stage.update {
            if case .running(let process, _) = $0 { $0 = .running(process, isToEnd: true) }
        }
        signal(number)
        _ = await stage.first { stage -> Bool? in
            if case .running = stage { return nil }
            return true
        }
    }

    /// Starts it no more.
    func close() {
        stage.update { $0 = .closed }
    }

    private func runOnce() async throws -> TerminationStatus {
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments(command),
            environment: .inherit.updating(["NO_COLOR": "1"]),
            // Held open: the process ends in order when this one is gone.
            input: .inputWriter, output: .discarded, error: .sequence
        ) { execution in
            let number = execution.processIdentifier.value
            stage.update { $0 = .running(number, isToEnd: false) }
            note("started as process \(number)")
            for try await line in execution.standardError.strings() { note(line) }
        }
        return result.terminationStatus
    }

    private func settle(_ status: TerminationStatus) {
        note("ended: \(status)")
        if case .running(_, let isToEnd) = stage.value {
            switch status {
            case .exited(0) where isToEnd: break
            case .signaled(SIGKILL) where isToEnd: break
            default: complain("\(name) ended by itself or not in order: \(status)")
            }
            // It is there again, so that one end does not spoil the rest of the run.
            stage.update { $0 = isToEnd ? .idle : .wanted }
        }
    }

    private func note(_ line: String) {
        // A log that cannot be written is no reason to stop.
        try? log.write(contentsOf: Data((line + "\n").utf8))
    }
}
