/// Of which cluster a worker is, and whether it obeys the broker that it has met.
///
/// A cluster has an identity, drawn with its broker's first state. A worker keeps that of the first
/// broker that it meets; once replicas lie in its directory it obeys no broker of another cluster:
/// such a broker has lost its state, is another cluster's, or is none at all. It tells that broker
/// what lies here, and does nothing else for it. A worker that holds nothing goes to any cluster.
package struct ClusterMembership: Sendable {
    /// What meeting a broker means.
    package enum Meeting: Hashable, Sendable {
        /// The one that it knows, or one that does not name its cluster.
        case known
        /// It is of this cluster from now on.
        case joins(UInt64)
        /// The broker is of another cluster.
        case stranger(own: UInt64, other: UInt64)
    }

    /// The worker's; 0 before it has met one.
    package private(set) var cluster: UInt64
    /// Whether replicas lie in its directory.
    package var holdsReplicas: Bool
    /// Whether the broker of this session is of another cluster.
    package private(set) var isAmongStrangers = false

    package init(cluster: UInt64 = 0, holdsReplicas: Bool = false) {
        self.cluster = cluster
        self.holdsReplicas = holdsReplicas
    }

    /// Takes in of which cluster the broker says to be; 0 is not said.
    package mutating func meet(_ other: UInt64) -> Meeting {
        isAmongStrangers = false
        guard other != 0, other != cluster else { return .known }
        guard cluster != 0, holdsReplicas else {
            cluster = other
            return .joins(other)
        }
        isAmongStrangers = true
        return .stranger(own: cluster, other: other)
    }
}
