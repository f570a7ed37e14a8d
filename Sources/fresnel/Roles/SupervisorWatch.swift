import Foundation
import ServiceLifecycle

/// Ends when the supervisor does: nobody else holds the other end of the standard input.
///
/// A supervisor that was killed cannot say goodbye, but the kernel closes its pipes.
struct SupervisorWatch: Service {
    func run() async throws {
        let ends = AsyncStream<Never> { continuation in
            FileHandle.standardInput.readabilityHandler = { input in
                guard input.availableData.isEmpty else { return }
                input.readabilityHandler = nil
                continuation.finish()
            }
        }
        for await _ in ends.cancelOnGracefulShutdown() {}
    }
}
