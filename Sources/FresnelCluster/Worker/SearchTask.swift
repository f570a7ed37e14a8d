package import FresnelModel
package import FresnelWire

/// One search a worker carries out for the broker.
package struct SearchTask: Sendable {
    /// Where the task stands.
    ///
    /// `counting` ends with statistics; `matching` turns to `streaming`.
    package enum Phase: Hashable, Sendable {
        case counting
        case matching
        case streaming
    }

    /// The broker's id of the query, and the part this worker has of it.
    package let id: RequestID
    package let part: UInt32
    package let isCountOnly: Bool
    package let startedAt: Instant
    package let until: Instant
    package var phase: Phase
    package var credit: CreditWindow
    /// Whether the search thread holds hits of the task.
    package var isHeld = false
    /// Whether a batch is being encoded.
    package var isProducing = false
    /// The broker wants no more hits.
    package var hasEnough = false
    /// Its time ran out before its hits were all sent.
    package var isExpired = false
    package var reports: [WireShardReport] = []
    /// Why nothing was searched.
    package var failure: WireFailure?
    /// Hits on the page's side of its cursor, for the first batch; 0 without one.
    package var beyond: UInt64 = 0
    package var facets: [WireFacetCounts] = []
    /// What it counted for itself, to be told with the first that it tells.
    package var statistics: WireStatistics?
    package var fetchMicroseconds: UInt64 = 0
    package var nextSequence: UInt64 = 0
}
