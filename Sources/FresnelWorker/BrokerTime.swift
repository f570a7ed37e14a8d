import FresnelModel
import FresnelSystem
import Synchronization

/// The broker's wall clock, by which queries go, as this worker knows it: what it counts for the
/// operator it counts by that time, however its own clock is set.
final class BrokerTime: Sendable {
    /// By what that clock is ahead of this machine's monotonic one, in seconds.
    private let lead = Mutex<Double?>(nil)

    /// Takes in what the broker's clock showed.
    func note(ahead seconds: Double) { lead.withLock { $0 = seconds } }

    /// What the broker's clock shows; this machine's own as long as no broker has told.
    func now(_ time: some TimeSource) -> Timestamp {
        lead.withLock { $0 }.flatMap {
            Timestamp(seconds: $0 + Double(time.monotonicNanoseconds()) / 1e9)
        } ?? Timestamp(wallClock: time.unixSeconds())
    }
}
