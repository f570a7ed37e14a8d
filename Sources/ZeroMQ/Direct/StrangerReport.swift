/// How many connections were closed that nobody had confirmed, and why.
package struct StrangerReport: Hashable, Sendable {
    /// They were not confirmed in time.
    package var late = 0
    /// They said more than a stranger may.
    package var large = 0
    /// Others took their place.
    package var replaced = 0
    /// They were closed at once: all places were those of confirmed ones.
    package var refused = 0
    private var origins: [PeerOrigin: Int] = [:]

    /// Addresses that are told apart; what comes from others counts in the sums.
    private static let mostOrigins = 1_024

    package init() {}

    /// All of them.
    package var count: Int { late + large + replaced + refused }

    /// Where most of them came from, and how many.
    package var greatest: (origin: PeerOrigin, count: Int)? {
        origins.max { ($0.value, $1.key.description) < ($1.value, $0.key.description) }
            .map { ($0.key, $0.value) }
    }

    mutating func note(_ origin: PeerOrigin) {
        guard origins[origin] != nil || origins.count < Self.mostOrigins else { return }
        origins[origin, default: 0] += 1
    }
}

extension StrangerReport: CustomStringConvertible {
    package var description: String {
        let parts = [
            (late, "opened none in time"), (large, "said too much before one"),
            (replaced, "made room for newer ones"), (refused, "found no place"),
        ]
        let reasons = parts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        let most = greatest.map { "; most came from \($0.origin): \($0.count)" } ?? ""
        return "connections closed that had no session: \(count) ("
            + reasons.joined(separator: ", ") + ")" + most
    }
}
