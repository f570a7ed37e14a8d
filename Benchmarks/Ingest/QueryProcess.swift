import ArgumentParser
import Foundation
import FresnelJSON

/// A process of this program that asks until it is stopped.
final class QueryProcess {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()

    /// Starts it.
    init(_ arguments: [String]) throws {
        process.executableURL = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        process.arguments = ["ask"] + arguments
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    /// Ends it.
    ///
    /// - Returns: what it was answered, by class.
    func stop() throws -> [String: Answers] {
        // Its standard input ends with this; a pipe that is closed already is the same.
        try? input.fileHandleForWriting.close()
        let told = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            throw ValidationError("asking failed; its message is above")
        }
        return Answers.byClass(try JSONValue(parsing: Array(told)))
    }
}
