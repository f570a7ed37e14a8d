import FresnelSystem
import Synchronization
import ZeroMQ

/// The worker's syncing threads: they wait for the disk while the writing thread works parts out.
///
/// Several, because a file system puts syncs that are asked for at once into one commit: the
/// journals of all shards of a batch cost it little more than one.
final class SyncThreads: Sendable {
    private let threads: [EventLoop<SyncHandler>]
    private let turn = Atomic(0)

    private init(_ threads: [EventLoop<SyncHandler>]) { self.threads = threads }

    /// - Parameter count: syncs at once, at least 1.
    static func start(_ count: Int = 4) async throws(ZeroMQError) -> SyncThreads {
        var threads: [EventLoop<SyncHandler>] = []
        for number in 0..<count {
            threads.append(
                try await EventLoop<SyncHandler>.start(.roomy("sync-\(number)")) { _ in
                    SyncHandler()
                })
        }
        return SyncThreads(threads)
    }

    /// Hands a wait for the disk to the next thread, and returns at once; where none takes it,
    /// `DiskWait.failure()` waits itself.
    func post(_ disk: DiskWait) {
        let place = turn.wrappingAdd(1, ordering: .relaxed).oldValue
        _ = threads[place % threads.count].post(disk)
    }

    func stop() async throws {
        for thread in threads { try await thread.stop() }
    }
}
