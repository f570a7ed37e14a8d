import FresnelModel
import Synchronization

/// By when something must have expired that merges of this worker may drop: the loop writes it down
/// as the broker allows it, and the threads that merge read it.
final class DropBound: Sendable {
    private let bound = Mutex<Timestamp?>(nil)

    /// Nil where nothing that expired may be dropped.
    var expiredBy: Timestamp? { bound.withLock { $0 } }

    /// Takes in what the broker and this machine's clock allow, in seconds since 2001.
    func allow(expiredBy seconds: Double?) {
        let allowed = seconds.flatMap { Timestamp(seconds: $0) }
        bound.withLock { $0 = allowed }
    }
}
