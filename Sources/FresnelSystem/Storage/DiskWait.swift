import Synchronization

/// Something that blocks until a disk has answered, and that another thread may do.
///
/// Who needs it hands it over, goes on, and asks for the end. Where nobody has begun by then,
/// whoever asks does it: nothing is lost with a thread that is busy or has ended.
package final class DiskWait: Sendable {
    private let body: @Sendable () throws(SystemError) -> Void
    private let isTaken = Atomic(false)
    private let failed = Mutex<SystemError?>(nil)
    private let ended = Latch()

    /// - Parameter body: what blocks until the disk has answered; run once.
    package init(_ body: @escaping @Sendable () throws(SystemError) -> Void) {
        self.body = body
    }

    /// Waits for the disk, unless somebody does or did.
    package func run() {
        guard !isTaken.exchange(true, ordering: .acquiringAndReleasing) else { return }
        do throws(SystemError) {
            try body()
        } catch {
            failed.withLock { $0 = error }
        }
        ended.open()
    }

    /// Blocks until the disk has answered.
    ///
    /// - Returns: why it failed; nil where it did not.
    package func failure() -> SystemError? {
        run()
        ended.wait()
        // For whoever asks again.
        ended.open()
        return failed.withLock { $0 }
    }
}
