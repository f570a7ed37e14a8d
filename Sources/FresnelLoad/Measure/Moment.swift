/// A moment in the life of a query, as its client sees it.
///
/// Each is measured from the time at which the query was planned to be sent, so that waiting for a
/// stalled sender counts.
package enum Moment: String, Hashable, Codable, Sendable, CaseIterable {
    /// The broker has taken the query.
    case accepted
    /// The first hit is there.
    case firstItem
    /// The first page is there, and what of it is there will not change: the tenth hit, or all if
    /// there are fewer.
    case page
    /// The last hit is there.
    case lastItem
    /// The completion is there.
    case completion
    /// The broker had too much to do, and the query was refused.
    case refusal

    /// How many hits make a page.
    package static let pageSize = 10

    /// What a person reads.
    package var title: String {
        switch self {
        case .accepted: "accepted"
        case .firstItem: "first item"
        case .page: "settled page"
        case .lastItem: "last item"
        case .completion: "completion"
        case .refusal: "refused"
        }
    }
}
