/// One of a peer's two connections to the broker.
///
/// ZeroMQ orders nothing between two connections, so whatever must stay behind a batch travels on
/// the same lane as the batch, and whatever must overtake batches travels on the other.
package enum Lane: String, Hashable, Sendable, CaseIterable {
    /// Session, queries, credit and cancellation: small, never behind bulk.
    case control
    /// Documents, hit batches and what must stay ordered after them.
    case data
}
