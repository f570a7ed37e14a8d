import FresnelIndex
import FresnelSystem
import ZeroMQ

/// The worker's sealing thread: writes segment files beside writing, merging and searching.
///
/// Files of tens of megabytes take their time on a disk, in which parts go on being acknowledged.
/// What it has not begun when it is stopped the writing thread seals.
final class SealHandler: LoopHandler {
    /// Says that an order was carried out.
    private let report: @Sendable () -> Void
    /// Whether files were written, which takes memory that nobody needs until the next time.
    private var hasWritten = false

    init(report: @escaping @Sendable () -> Void) {
        self.report = report
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: SealOrder) {
        mail.carryOut()
        report()
        hasWritten = true
    }

    func finishTurn() -> Duration? {
        if hasWritten { ProcessMemory.giveBackFreeEnd() }
        hasWritten = false
        return nil
    }

    func stop() {}
}
