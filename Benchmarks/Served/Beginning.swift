import Synchronization

/// What the processes had spent when the first query was counted.
final class Beginning: Sendable {
    private let isNoted = Atomic<Bool>(false)
    private let noted = Mutex<ClusterProcesses.Times?>(nil)

    var times: ClusterProcesses.Times? { noted.withLock { $0 } }

    /// Takes them down; the first call counts.
    func note(_ processes: ClusterProcesses) {
        guard !isNoted.exchange(true, ordering: .relaxed) else { return }
        let times = processes.times
        noted.withLock { $0 = times }
    }
}
