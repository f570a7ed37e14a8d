import Foundation
import Subprocess

/// Programs that are run to their end.
enum Shell {
    /// A command that failed.
    struct Failure: Error, CustomStringConvertible {
        let command: [String]
        let errors: String

        var description: String { "\(command.joined(separator: " ")): \(errors)" }
    }

    /// Runs a command and returns what it printed.
    @discardableResult
    static func run(_ command: String...) async throws -> String {
        try await run(command)
    }

    /// Runs a command and returns what it printed.
    @discardableResult
    static func run(_ command: [String]) async throws -> String {
        let result = try await output(command)
        guard result.isSuccess else { throw Failure(command: command, errors: result.errors) }
        return result.output
    }

    /// Runs a command; returns what it printed also when it failed.
    static func output(
        _ command: [String]
    ) async throws -> (output: String, errors: String, isSuccess: Bool) {
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments(command), input: .none,
            output: .string(limit: 64 << 20), error: .string(limit: 16 << 20))
        return (result.standardOutput, result.standardError, result.terminationStatus.isSuccess)
    }
}
