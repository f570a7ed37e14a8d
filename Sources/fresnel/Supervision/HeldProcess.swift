import Foundation
import Glibc
import Synchronization

/// One process of this program that is ended, stopped and started only when somebody says so.
///
/// Unlike a `ChildProcess` it is not started again by itself. It too holds the reading end of a
/// pipe whose other end is ours, so it ends when we are gone, however we went.
final class HeldProcess: Sendable {
    private struct Running {
        let processID: Int32
        /// Our end of the pipe.
        let life: FileHandle
        let end: ProcessEnd
    }

    /// The variable that tells a process to leave our group.
    static let ownGroup = "FRESNEL_OWN_GROUP"

    /// What messages call it.
    let name: String
    private let logPath: String
    private let arguments: @Sendable () -> [String]
    private let hear: @Sendable (String) -> Void
    /// Told when it ends although nobody said so, after the last line that it printed was heard.
    private let mourn: @Sendable (String) -> Void
    private let running = Mutex<Running?>(nil)

    /// - Parameters:
    ///   - logPath: takes what it says on its standard error.
    ///   - arguments: what follows the program's name; asked for before every start.
    ///   - hear: takes every line of its standard output.
    ///   - mourn: told why it ended by itself, when all that it had printed was heard.
    init(
        _ name: String, logPath: String, arguments: @escaping @Sendable () -> [String],
        hear: @escaping @Sendable (String) -> Void = { _ in },
        mourn: @escaping @Sendable (String) -> Void
    ) {
        self.name = name
        self.logPath = logPath
        self.arguments = arguments
        self.hear = hear
        self.mourn = mourn
    }

    /// Starts it; it must not run.
    func start() throws(CommandError) {
        let end = ProcessEnd()
        // A death overtakes lines that are in the pipe still.
        let output = ProcessOutput()
        let process = Process()
        process.arguments = arguments()
        // What interrupts us is not for it: it ends when all that it knows has been asked for.
        process.environment = ProcessInfo.processInfo.environment.merging(
            [Self.ownGroup: "1"]) { $1 }
        process.standardError = log()
        process.terminationHandler = { [weak self] process in
            self?.note(endOf: process, output)
            end.mark()
        }
        do {
            // Under the lock, so that an early end is not told before the process is known.
            let printed = try running.withLock { running in
                let start = try ProcessStart(process)
                running = Running(
                    processID: process.processIdentifier, life: start.life, end: end)
                return start.output
            }
            LineReader.start(printed, hear: hear) { output.end() }
        } catch {
            throw .failed("\(name) cannot be started: \(error.localizedDescription)")
        }
    }

    /// Ends it at once, also while it is stopped, and waits until it is gone.
    func kill() async {
        let ended = running.withLock { running -> Running? in
            defer { running = nil }
            guard let running else { return nil }
            // It may have ended in this moment, which is what was wanted.
            _ = Glibc.kill(running.processID, SIGKILL)
            return running
        }
        await ended?.end.wait()
        // Nobody reads it any more.
        try? ended?.life.close()
    }

    /// Writes a line to its standard input; what has ended hears nothing.
    func say(_ line: String) {
        let life = running.withLock { $0?.life }
        // Its end is told by other means.
        try? life?.write(contentsOf: Data((line + "\n").utf8))
    }

    /// Its number; nil while it does not run.
    var number: Int32? { running.withLock { $0?.processID } }

    /// Lets it stand still, or go on; false if it does not run.
    func signal(_ signal: Int32) -> Bool {
        running.withLock { running in
            running.map { Glibc.kill($0.processID, signal) == 0 } ?? false
        }
    }

    /// The last lines that it said on its standard error.
    var lastWords: String {
        // Who said nothing has no file.
        let text = (try? String(contentsOfFile: logPath, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").suffix(5).joined(separator: "\n")
    }

    private func note(endOf process: Process, _ output: ProcessOutput) {
        let wasHeld = running.withLock { running in
            guard running?.processID == process.processIdentifier else { return false }
            running = nil
            return true
        }
        guard wasHeld else { return }
        let how = process.terminationReason == .uncaughtSignal ? "signal" : "code"
        let death = "\(name) ended by itself with \(how) \(process.terminationStatus)"
        output.whenRead { [mourn] in mourn(death) }
    }

    /// What it says is added to what its predecessors said.
    private func log() -> FileHandle {
        if !FileManager.default.fileExists(atPath: logPath) {
            _ = FileManager.default.createFile(atPath: logPath, contents: nil)
        }
        guard let file = FileHandle(forWritingAtPath: logPath) else { return .nullDevice }
        // A file that cannot be gone through is written from its beginning.
        _ = try? file.seekToEnd()
        return file
    }
}
