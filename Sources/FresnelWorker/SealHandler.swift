import FresnelIndex
import ZeroMQ

/// The worker's sealing thread: writes segment files beside writing, merging and searching.
///
/// Files of tens of megabytes take their time on a disk, in which parts go on being acknowledged.
final class SealHandler: LoopHandler {
    /// Takes a replica that was sealed, and why it was not where that failed.
    private let report: @Sendable (ReplicaIndex, IndexError?) -> Void

    init(report: @escaping @Sendable (ReplicaIndex, IndexError?) -> Void) {
        self.report = report
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: ReplicaIndex) {
        do throws(IndexError) {
            try mail.seal()
            report(mail, nil)
        } catch {
            report(mail, error)
        }
    }

    func finishTurn() -> Duration? { nil }

    func stop() {}
}
