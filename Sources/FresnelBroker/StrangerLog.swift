import FresnelCluster
import FresnelModel
import Logging
import ZeroMQ

/// Tells the operator about connections that were closed without a session: at once, and then once
/// a minute.
struct StrangerLog {
    private var nextAt = Instant(nanoseconds: 0)

    mutating func tell(
        _ doors: BrokerDoors, _ poller: Poller, _ logger: Logger, at now: Instant
    ) {
        guard now >= nextAt else { return }
        for (name, socket) in doors.named {
            guard let report = poller.takeStrangerReport(on: socket) else { continue }
            nextAt = now + Limits.strangerReportInterval
            logger.warning("\(name): \(report)")
        }
    }
}
