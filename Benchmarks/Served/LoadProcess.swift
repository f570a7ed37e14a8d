import BenchmarkWorkload
import Foundation

/// A process of this program that asks without pause, until it is stopped.
final class LoadProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private let isRunning: Bool

    /// Starts it, if it is to run.
    init(_ arguments: [String], isRunning: Bool) throws {
        self.isRunning = isRunning
        guard isRunning else { return }
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["load"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Ends it.
    ///
    /// - Returns: how many queries a second it was answered.
    func stop() throws -> String {
        guard isRunning else { return "0" }
        // Its standard input ends with this; a pipe that is closed already is the same.
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw BenchmarkError.usage("the load failed; its message is above")
        }
        let printed = output.fileHandleForReading.readDataToEndOfFile()
        return String(decoding: printed, as: UTF8.self).trimmingCharacters(in: .newlines)
    }
}
