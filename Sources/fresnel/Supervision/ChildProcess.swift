import Foundation
import FresnelModel
import Glibc
import Logging
import Synchronization

/// One process of this program that is started again whenever it dies.
///
/// It holds the reading end of a pipe whose other end is ours, so it notices when we are gone.
final class ChildProcess: Sendable {
    /// What the log calls it.
    let name: String
    private let arguments: @Sendable () -> [String]
    private let hear: @Sendable (String) -> Void
    private let logger: Logger
    private let processID = Mutex<Int32?>(nil)

    /// The first wait before a restart; it doubles up to `longestPause`.
    private static let shortestPause = Duration.milliseconds(100)
    private static let longestPause = Duration.seconds(5)
    /// A child that lived so long has recovered: the next pause is short again.
    private static let provenLife = Duration.seconds(10)

    /// - Parameters:
    ///   - arguments: what follows the program's name; asked for before every start.
    ///   - hear: takes every line of its standard output.
    init(
        _ name: String, logger: Logger, arguments: @escaping @Sendable () -> [String],
        hear: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        self.name = name
        self.logger = logger
        self.arguments = arguments
        self.hear = hear
    }

    /// Runs it again and again until the task is cancelled, then asks it to end and waits for that.
    ///
    /// - Parameter mayFail: whether an end before that is a reason to start again instead of an
    ///   error.
    func keepAlive(mayFail: @Sendable () -> Bool) async throws {
        var pause = Self.shortestPause
        while !Task.isCancelled {
            let life = Stopwatch()
            let ending = try await runOnce()
            if Task.isCancelled { break }
            guard mayFail() else { throw CommandError.failed("\(name) \(ending) while starting") }
            if life.elapsed > Self.provenLife { pause = Self.shortestPause }
            logger.warning("\(name) \(ending); next start in \(DurationText.text(pause))")
            // A cancelled pause ends the loop at its head.
            try? await Task.sleep(for: pause)
            pause = min(pause * 2, Self.longestPause)
        }
    }

    /// Ends it at once, if it runs.
    func kill() {
        processID.withLock { id in
            guard let id else { return }
            logger.error("\(name) does not end by itself and is killed")
            // It may have ended in this moment, which is what was wanted.
            _ = Glibc.kill(id, SIGKILL)
        }
    }

    /// Runs it once to its end; says how it ended.
    private func runOnce() async throws -> String {
        let end = ProcessEnd()
        let process = Process()
        process.arguments = arguments()
        process.terminationHandler = { _ in end.mark() }
        let start: ProcessStart
        do {
            start = try ProcessStart(process)
        } catch {
            throw CommandError.failed("\(name) cannot be started: \(error.localizedDescription)")
        }
        LineReader.start(start.output, hear: hear)
        processID.withLock { $0 = process.processIdentifier }
        logger.info("\(name) is process \(process.processIdentifier)")
        await withTaskCancellationHandler {
            await end.wait()
        } onCancel: {
            // A child that does not listen to signals yet finds its input closed.
            try? start.life.close()
            process.terminate()
        }
        processID.withLock { $0 = nil }
        return Self.ending(of: process)
    }

    private static func ending(of process: Process) -> String {
        switch process.terminationReason {
        case .uncaughtSignal: "was ended by signal \(process.terminationStatus)"
        default: "ended with code \(process.terminationStatus)"
        }
    }
}
