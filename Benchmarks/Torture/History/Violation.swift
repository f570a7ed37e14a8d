/// A promise that a history shows broken.
package struct Violation: Codable, Sendable, Equatable, CustomStringConvertible {
    /// Which promise.
    package enum Kind: String, Codable, Sendable, CaseIterable {
        /// An acknowledged document is not found.
        case lostWrite
        /// A read shows an older version than one acknowledged before it began.
        case staleRead
        /// A read shows an older version than an earlier read did.
        case wentBack
        /// What was deleted, and acknowledged as deleted, is found.
        case resurrection
        /// A document, or a version of it, that nobody wrote, or not yet, or that was refused.
        case phantom
        /// One answer has a document twice.
        case duplicate
        /// An answer is not in its order, or has more than its limit.
        case wrongOrder
        /// A count is not the number of documents.
        case wrongCount
        /// The client state is not what was committed, or was committed twice.
        case wrongClientState
        /// A patch was refused as one of an unknown document, which was there.
        case wrongRefusal
        /// Changes of a followed answer do not apply to it.
        case wrongChange
        /// A search failed or was incomplete without a fault that excuses it.
        case unavailableSearch
        /// A batch was not acknowledged without a fault that excuses it.
        case unavailableWrite
        /// The cluster did not become whole after a fault.
        case notHealed
        /// A process ended by itself, or not in order.
        case wrongEnd
        /// A data directory is damaged.
        case damagedReplica
        /// Replicas of one shard contain different things.
        case replicasDiffer
        /// The history contradicts itself: the run is at fault, not the cluster.
        case unusableHistory
    }

    /// Which promise.
    package var kind: Kind
    /// What was seen, and what should have been.
    package var text: String
    /// When, in nanoseconds.
    package var at: Int64

    /// Describes a broken promise.
    package init(_ kind: Kind, _ text: String, at: Int64) {
        self.kind = kind
        self.text = text
        self.at = at
    }

    package var description: String { "\(kind.rawValue): \(text)" }
}
