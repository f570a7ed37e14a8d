import FresnelIndex
import FresnelModel

extension ReplicaIndex {
    /// Merges as of an instant an hour before which everything that had expired may go.
    func merge(now: Timestamp, policy: MergePolicy) throws -> Bool {
        try merge(expiredBy: Timestamp(seconds: now.seconds - 3600), policy: policy)
    }
}
