import Foundation
import ServiceLifecycle

/// Ends when the supervisor does: nobody else holds the other end of the standard input.
///
/// A supervisor that was killed cannot say goodbye, but the kernel closes its pipes.
struct SupervisorWatch: Service {
    func run() async throws {
        let (ends, continuation) = AsyncStream.makeStream(of: Never.self)
        // A thread that blocks: it ends with the input or with the process. (Dispatch sources for
        // pipes can crash when the pipe closes in the moment of a signal.)
        Thread.detachNewThread {
            while !FileHandle.standardInput.availableData.isEmpty {}
            continuation.finish()
        }
        for await _ in ends.cancelOnGracefulShutdown() {}
    }
}
