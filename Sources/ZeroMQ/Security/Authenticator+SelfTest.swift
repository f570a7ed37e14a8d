// libzmq's defaults fail open: with the handler missing, or the domain empty, or the option that
// makes domains binding unknown to the build, any key gets in and nothing is logged. So a process
// proves on itself, before it opens its endpoints, that a stranger is kept out. It takes a TCP
// connection over loopback, as libzmq does not authenticate inside a process.

extension Authenticator {
    /// Opens a probe server in `domain` on loopback and knocks with a key that nobody knows.
    ///
    /// - Parameters:
    ///   - domain: one of those that real servers use.
    ///   - context: the context of the handler.
    ///   - limit: how long one handshake may take.
    /// - Throws: `ZeroMQError.authenticationBroken` unless the stranger is refused in time.
    package static func selfTest(
        domain: String, in context: Context, upTo limit: Duration = .seconds(5)
    ) throws(ZeroMQError) {
        let serverKeys = try CurveKeyPair.generate()
        let stranger = try CurveKeyPair.generate()
        let server = try Socket(
            .router(for: .control).secured(by: .curveServer(serverKeys.secretKey, domain: domain)),
            in: context)
        let endpoint = try server.bind(Endpoint(.tcp(host: "127.0.0.1", port: nil)))
        let events = try server.monitor(
            [.handshakeSucceeded, .handshakeFailed, .authenticationFailed],
            named: "self-test-\(stranger.publicKey)")
        let client = try Socket(
            .dealer(for: .control)
                .secured(by: .curveClient(stranger, server: serverKeys.publicKey)),
            in: context)
        try client.connect(endpoint)
        guard try events.waitForMessage(upTo: limit),
            case .message(let message) = try events.receive(),
            let event = MonitorEvent(message)
        else {
            throw .authenticationBroken(
                "no answer to an unknown key in domain \(domain) within \(limit)")
        }
        switch event.kind {
        case .authenticationFailed: return
        case .handshakeSucceeded:
            throw .authenticationBroken("an unknown key was let into domain \(domain)")
        default:
            throw .authenticationBroken("no handler answered for domain \(domain)")
        }
    }
}
