import Glibc
import Subprocess

/// A process that runs as long as a test needs it.
struct LiveProcess: Sendable {
    /// Lines of its standard output.
    let output: Transcript
    /// Lines of its standard error.
    let errors: Transcript
    /// Its number.
    let number: Int32

    /// Starts the program, or another one, lends it to `body`, asks it to end and waits for that.
    ///
    /// - Returns: what `body` returned, and the exit code.
    static func with<Answer: Sendable>(
        program: String = Program.path, _ arguments: [String],
        _ body: @Sendable (LiveProcess) async throws -> Answer
    ) async throws -> (answer: Answer, code: Int32) {
        let result = try await Subprocess.run(
            // `env` becomes the program: the number stays.
            .name("env"), arguments: Arguments([program] + arguments),
            environment: .inherit.updating(["FRESNEL_BROKER": nil, "NO_COLOR": "1"]),
            input: .none, output: .sequence, error: .sequence
        ) { execution in
            let process = LiveProcess(
                output: Transcript(), errors: Transcript(),
                number: execution.processIdentifier.value)
            return try await withThrowingTaskGroup(of: Void.self) { group in
                group.addTask { await copy(execution.standardOutput, to: process.output) }
                group.addTask { await copy(execution.standardError, to: process.errors) }
                do {
                    let answer = try await body(process)
                    // The number of a process that has ended may belong to another by now.
                    if !process.output.isEnded { process.signal(SIGTERM) }
                    try await group.waitForAll()
                    return answer
                } catch {
                    // A failed test must not leave processes behind; children follow their parent.
                    process.signal(SIGKILL)
                    throw error
                }
            }
        }
        return (result.closureResult, Program.code(of: result.terminationStatus))
    }

    /// Sends a signal to this process alone.
    func signal(_ signal: Int32) { _ = kill(number, signal) }

    private static func copy(_ stream: SubprocessOutputSequence, to transcript: Transcript) async {
        // A stream that breaks ends like one that is over.
        do { for try await line in stream.strings() { transcript.add(line) } } catch {}
        transcript.end()
    }
}
