import FresnelModel

/// A replica that is there after a loss which the operator has accepted: it may become the one from
/// which the others are made, whether it was in sync or had left the set.
///
/// The best one has most of what was acknowledged: documents before none, content that nobody
/// contradicted before one that others did, then the newest part, then one that was in sync.
struct SurvivingReplica: Hashable, Sendable {
    let worker: WorkerID
    /// Its newest part; zero for a replica that holds nothing.
    let last: SequenceNumber
    let isInSync: Bool
    /// Whether the others made something else of the same parts: then it may hold anything.
    let isDoubtful: Bool

    /// The one from which the others are made; nil where there is none.
    static func best(of replicas: [SurvivingReplica]) -> SurvivingReplica? {
        replicas.max { $0.isWorse(than: $1) }
    }

    private func isWorse(than other: SurvivingReplica) -> Bool {
        if (last == .zero) != (other.last == .zero) { return last == .zero }
        if isDoubtful != other.isDoubtful { return isDoubtful }
        if last != other.last { return last < other.last }
        if isInSync != other.isInSync { return other.isInSync }
        return worker > other.worker
    }
}

extension SurvivingReplica: CustomStringConvertible {
    /// Whose it is and how far it goes, for the log and the operator.
    var description: String {
        let place = isInSync ? "in sync" : "not in sync"
        return last == .zero
            ? "worker \(worker) has nothing (\(place))"
            : "worker \(worker) has it up to part \(last.value) (\(place))"
    }
}
