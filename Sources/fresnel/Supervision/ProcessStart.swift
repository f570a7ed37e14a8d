import Foundation
import Synchronization

/// A process that was started, and our ends of the pipes to it.
struct ProcessStart {
    /// Its standard input: it notices by the end of it that we are gone.
    let life: FileHandle
    /// Its standard output.
    let output: FileHandle

    /// Held over everything that a start opens.
    ///
    /// A child inherits what another start opens in the same moment: the other end of a pipe, or of
    /// the socket by which Foundation notices a death. The one would not notice our end, nor we
    /// the other one's, before that child has ended too.
    private static let oneByOne = Mutex(())

    /// Starts a process of this program whose arguments and ending are set.
    init(_ process: Process) throws {
        (life, output) = try Self.oneByOne.withLock { _ in
            let (life, output) = (Pipe(), Pipe())
            process.executableURL = URL(fileURLWithPath: "/proc/self/exe")
            process.standardInput = life
            process.standardOutput = output
            try process.run()
            return (life.fileHandleForWriting, output.fileHandleForReading)
        }
    }
}
