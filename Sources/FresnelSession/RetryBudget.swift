import FresnelModel
import FresnelWire

/// How often a client asks again after a refusal.
///
/// Under overload every refusal that is asked again at once is one more request: a broker that
/// could answer 150 queries a second was asked 30 000 times. So a client has a store of retries for
/// bursts, and earns a tenth of one with every query (retry budgets: "Site Reliability
/// Engineering", 2016, chapter 21); without one the application is told of the refusal.
package struct RetryBudget: Sendable {
    private var tokens: Double
    private let earned: Double

    /// Retries of a burst.
    private static let store = 256.0
    /// The longest pause before a query is asked again.
    private static let longestPause = Duration.seconds(2)

    package init() { self.init(tokens: Self.store, earned: 0.1) }

    private init(tokens: Double, earned: Double) {
        self.tokens = tokens
        self.earned = earned
    }

    /// Nothing is asked again.
    package static let none = RetryBudget(tokens: 0, earned: 0)

    /// Whether nothing is ever asked again.
    var isNone: Bool { earned == 0 }

    /// A query is asked for the first time.
    mutating func earn() { tokens = min(Self.store, tokens + earned) }

    /// Takes one retry; false when none is left.
    mutating func spend() -> Bool {
        guard tokens >= 1 else { return false }
        tokens -= 1
        return true
    }

    /// The pause before another try: what the broker said, doubled with each refusal.
    static func pause(after failure: WireFailure, attempt: UInt32) -> Duration {
        let told = Duration.milliseconds(Int64(max(10, failure.retryAfterMs)))
        return max(told, min(told * (1 << min(attempt, 6)), longestPause))
    }
}
