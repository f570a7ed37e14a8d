/// When and where a DEALER connects: at once, then after delays that double, each with some chance
/// in it, so that many peers of a broker that comes back do not come all at once.
final class Dialer {
    let address: SocketAddress
    private let pace: SocketSpecification.Reconnect
    private var delay: Int64
    /// Monotonic nanoseconds.
    private(set) var nextAttempt: Int64 = 0

    init(
        _ endpoint: Endpoint, _ pace: SocketSpecification.Reconnect
    ) throws(ZeroMQError) {
        guard let address = SocketAddress(endpoint) else {
            throw .invalidEndpoint("\(endpoint)", reason: "it has to be looked up by name")
        }
        self.address = address
        self.pace = pace
        delay = pace.first.nanoseconds
    }

    /// Says when the attempt after this one would be.
    ///
    /// - Parameter chance: any number; the delay grows by up to its half.
    func planNext(at now: Int64, chance: UInt32) {
        nextAttempt = now + delay + delay / 2 * Int64(chance % 1_024) / 1_024
        delay = min(delay * 2, pace.longest.nanoseconds)
    }

    /// The peer answered: when it goes, it is looked for again soon.
    func succeed() { delay = pace.first.nanoseconds }
}
