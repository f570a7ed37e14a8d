import FresnelCluster
import FresnelSystem
import FresnelWire
import ZeroMQ

/// Writes cluster states on a thread of its own, so that an fsync never stalls the sockets.
///
/// Only the newest state waiting is written: it holds everything the older ones did.
final class StateWriter: LoopHandler {
    private let file: StateFile
    /// Hands the outcome to the broker's loop.
    private let report: @Sendable (BrokerEvent) -> Void
    private var newest: ClusterState?
    let takesMailAtStop = true

    init(file: StateFile, report: @escaping @Sendable (BrokerEvent) -> Void) {
        self.file = file
        self.report = report
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: ClusterState) {
        newest = mail
    }

    func finishTurn() -> Duration? {
        guard let state = newest else { return nil }
        newest = nil
        do {
            try file.save(state)
            report(.persisted(version: state.version))
        } catch {
            let reason = WireFailure(
                error.isDiskFull ? .diskFull : .storageFailed,
                "the broker's cluster state: \(error)")
            report(.persistFailed(version: state.version, reason: reason))
        }
        return nil
    }

    func stop() {
        _ = finishTurn()
    }
}
