/// What a ROUTER listens on.
final class Door {
    let system: SystemSocket
    /// With the port that the system chose.
    let endpoint: Endpoint
    /// Its number among the descriptors of the thread.
    var number: UInt64 = 0
    /// When it is tried again after no descriptor was left; `.max` while it is open.
    private(set) var reopening: Int64 = .max

    private static let pauseNanoseconds: Int64 = 100_000_000

    init(_ endpoint: Endpoint, _ specification: SocketSpecification) throws(ZeroMQError) {
        guard let address = SocketAddress(endpoint) else {
            throw .invalidEndpoint("\(endpoint)", reason: "it has to be looked up by name")
        }
        (system, self.endpoint) = try SystemSocket.listen(
            on: endpoint, at: address, backlog: specification.backlog)
    }

    /// Takes nobody in for a while.
    func pause(at now: Int64) { reopening = now + Self.pauseNanoseconds }

    /// Whether the pause is over now.
    func reopen(at now: Int64) -> Bool {
        guard now >= reopening else { return false }
        reopening = .max
        return true
    }
}
