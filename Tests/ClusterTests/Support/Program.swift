import Foundation
import Subprocess

/// The built program, run as a user would.
enum Program {
    /// What a run left behind.
    struct Run: Sendable {
        let output: String
        let errors: String
        /// The exit code; 128 + number after a signal.
        let code: Int32

        /// The lines of the output.
        var lines: [String] { output.split(separator: "\n").map(String.init) }
    }

    /// The program stands beside the bundle of tests that runs now.
    static let path: String = {
        let tests = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
        let folder = tests.map { URL(fileURLWithPath: $0).deletingLastPathComponent().path } ?? ""
        return "\(folder)/fresnel"
    }()

    /// Runs a command to its end.
    static func run(
        _ arguments: [String], input: String = "", broker: String? = nil
    ) async throws -> Run {
        try await run(path, arguments, input: input, broker: broker)
    }

    /// Runs a line of shell at the top of the project, with the program on its path.
    static func shell(_ line: String, broker: String) async throws -> Run {
        try await run("sh", ["-c", "cd '\(Project.root)' && \(line)"], input: "", broker: broker)
    }

    private static func run(
        _ executable: String, _ arguments: [String], input: String, broker: String?
    ) async throws -> Run {
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let search = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
        let result = try await Subprocess.run(
            .name("env"), arguments: Arguments([executable] + arguments),
            environment: .inherit.updating([
                "FRESNEL_BROKER": broker, "PATH": "\(folder):\(search)", "NO_COLOR": "1",
            ]),
            input: .string(input),
            output: .string(limit: 64 << 20), error: .string(limit: 16 << 20))
        return Run(
            output: result.standardOutput, errors: result.standardError,
            code: code(of: result.terminationStatus))
    }

    /// The exit code, or 128 and the number of the signal.
    static func code(of status: TerminationStatus) -> Int32 {
        switch status {
        case .exited(let code): code
        case .signaled(let number): 128 + number
        }
    }
}
