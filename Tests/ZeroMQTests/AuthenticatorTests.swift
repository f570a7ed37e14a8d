import CZeroMQ
import Testing
import ZeroMQ

@Suite("Authentication", .timeLimit(.minutes(1)))
struct AuthenticatorTests {
    private static let domain = "workers"

    @Test("A list answers by key and domain")
    func verdicts() throws {
        let worker = try CurveKeyPair.generate().publicKey
        let revoked = try CurveKeyPair.generate().publicKey
        let list = AllowList(
            allowed: ["workers": [worker, revoked], "clients": []], revoked: [revoked])
        func status(_ domain: String, _ credentials: AuthenticationRequest.Credentials) -> String {
            list.verdict(
                on: AuthenticationRequest(
                    requestID: [1], domain: domain, address: "127.0.0.1",
                    credentials: credentials)
            ).status
        }
        #expect(status("workers", .curve(worker)) == "200")
        #expect(status("clients", .curve(worker)) == "300")
        #expect(status("nowhere", .curve(worker)) == "300")
        #expect(status("workers", .curve(revoked)) == "400")
        #expect(status("workers", .other(mechanism: "NULL")) == "400")
    }

    @Test("Frames that are no request of version 1.0 are none")
    func malformedRequests() {
        let good: [[UInt8]] = [
            Array("1.0".utf8), [7], Array("d".utf8), Array("127.0.0.1".utf8), [],
            Array("CURVE".utf8), [UInt8](repeating: 1, count: 32),
        ]
        #expect(AuthenticationRequest(frames: good)?.requestID == [7])
        #expect(AuthenticationRequest(frames: []) == nil)
        #expect(AuthenticationRequest(frames: Array(good.prefix(6))) == nil)
        #expect(AuthenticationRequest(frames: [Array("2.0".utf8)] + good.dropFirst()) == nil)
        #expect(AuthenticationRequest(frames: good.dropLast() + [[1, 2, 3]]) == nil)
        #expect(AuthenticationRequest(frames: good + [[]]) == nil)
    }

    @Test("An allowed key comes in under its own name, and its replies reach it")
    func allowed() async throws {
        let context = try Context(seed: 21)
        let keys = try CurveKeyPair.generate()
        let peer = try CurveKeyPair.generate()
        let authenticator = try await Authenticator.start(
            in: context, allowing: AllowList(allowed: [Self.domain: [peer.publicKey]]))
        try exchange(context, keys, peer)
        #expect(authenticator.counts.accepted == 1)
        try await authenticator.stop()
    }

    private func exchange(
        _ context: Context, _ keys: CurveKeyPair, _ peer: CurveKeyPair
    ) throws {
        let server = try Socket(
            .quiet(.router).secured(by: .curveServer(keys.secretKey, domain: Self.domain)),
            in: context)
        let client = try Socket(
            .quiet(.dealer).secured(by: .curveClient(peer, server: keys.publicKey)), in: context)
        try client.connect(try server.bind(anyPort))
        for size in [1, 1_000, 100_000] {
            #expect(try client.deliver([.array([UInt8](repeating: 5, count: size))]) == .sent)
            let message = try #require(try server.next())
            #expect(message.userID == peer.publicKey.description)
            #expect(try server.send(message.frames, to: message.routingID) == .sent)
            #expect(try client.next()?.frames[0].count == size)
        }
    }

    @Test(
        "A stranger is asked to come later, a revoked key is sent away for good",
        arguments: [(false, 300), (true, 400)])
    func refused(isRevoked: Bool, status: UInt32) async throws {
        let context = try Context(seed: 22)
        let keys = try CurveKeyPair.generate()
        let peer = try CurveKeyPair.generate()
        let authenticator = try await Authenticator.start(
            in: context, allowing: AllowList(revoked: isRevoked ? [peer.publicKey] : []))
        let server = try RawSocket.curveServer(keys, domain: Self.domain, enforced: true, context)
        let event = try await knock(on: server, with: peer, of: keys, context)
        #expect(event?.kind == .authenticationFailed)
        #expect(event?.value == status)
        try await authenticator.stop()
    }

    @Test("A key that is added to the list comes in at its next attempt")
    func addedLater() async throws {
        let context = try Context(seed: 23)
        let keys = try CurveKeyPair.generate()
        let peer = try CurveKeyPair.generate()
        let authenticator = try await Authenticator.start(in: context, allowing: AllowList())
        let server = try RawSocket.curveServer(keys, domain: Self.domain, enforced: true, context)
        #expect(
            try await knock(on: server, with: peer, of: keys, context)?.kind
                == .authenticationFailed)
        authenticator.replace(AllowList(allowed: [Self.domain: [peer.publicKey]]))
        #expect(
            try await knock(on: server, with: peer, of: keys, context)?.kind
                == .handshakeSucceeded)
        try await authenticator.stop()
    }

    @Test("The self-test passes with a handler and fails without one")
    func selfTest() async throws {
        let context = try Context(seed: 24)
        #expect(throws: ZeroMQError.self) {
            try Authenticator.selfTest(domain: "d", in: context, upTo: .seconds(2))
        }
        let authenticator = try await Authenticator.start(in: context, allowing: AllowList())
        try Authenticator.selfTest(domain: "d", in: context)
        try await authenticator.stop()
    }

    /// One row of what libzmq does with a key that no list has.
    struct Case: Sendable, CustomTestStringConvertible {
        let hasHandler: Bool
        let hasDomain: Bool
        let isEnforced: Bool
        let isLetIn: Bool
        let isAsked: Bool

        var testDescription: String {
            "handler \(hasHandler), domain \(hasDomain), 93 \(isEnforced): in \(isLetIn)"
        }
    }

    @Test(
        "libzmq lets a stranger in unless handler, domain and option 93 are all there",
        arguments: [
            Case(
                hasHandler: false, hasDomain: false, isEnforced: false, isLetIn: true,
                isAsked: false),
            Case(
                hasHandler: false, hasDomain: true, isEnforced: false, isLetIn: true,
                isAsked: false),
            Case(
                hasHandler: false, hasDomain: true, isEnforced: true, isLetIn: false,
                isAsked: false),
            Case(
                hasHandler: true, hasDomain: false, isEnforced: false, isLetIn: false,
                isAsked: true),
            Case(
                hasHandler: true, hasDomain: true, isEnforced: false, isLetIn: false,
                isAsked: true),
            Case(
                hasHandler: true, hasDomain: false, isEnforced: true, isLetIn: true,
                isAsked: false),
            Case(
                hasHandler: true, hasDomain: true, isEnforced: true, isLetIn: false,
                isAsked: true),
        ])
    func matrix(row: Case) async throws {
        let context = try Context(seed: 25)
        let authenticator =
            row.hasHandler
            ? try await Authenticator.start(in: context, allowing: AllowList()) : nil
        let keys = try CurveKeyPair.generate()
        let server = try RawSocket.curveServer(
            keys, domain: row.hasDomain ? Self.domain : "", enforced: row.isEnforced, context)
        let event = try await knock(on: server, with: try .generate(), of: keys, context)
        #expect((event?.kind == .handshakeSucceeded) == row.isLetIn)
        #expect(((authenticator?.counts.later ?? 0) > 0) == row.isAsked)
        try await authenticator?.stop()
    }

    @Test("The user is missing on the routing id after a poll and present on the payload")
    func userOnPayloadOnly() async throws {
        let context = try Context(seed: 26)
        let keys = try CurveKeyPair.generate()
        let peer = try CurveKeyPair.generate()
        let authenticator = try await Authenticator.start(
            in: context, allowing: AllowList(allowed: [Self.domain: [peer.publicKey]]))
        let server = try RawSocket.curveServer(keys, domain: Self.domain, enforced: true, context)
        let client = try Socket(
            .quiet(.dealer).secured(by: .curveClient(peer, server: keys.publicKey)), in: context)
        try client.connect(try server.bind())
        #expect(try client.deliver([text("payload")]) == .sent)
        #expect(server.usersOfNextMessage() == [nil, peer.publicKey.description])
        try await authenticator.stop()
    }

    @Test("A peer without CURVE does not get into a CURVE server")
    func plainPeer() async throws {
        let context = try Context(seed: 27)
        let keys = try CurveKeyPair.generate()
        let server = try RawSocket.curveServer(keys, domain: Self.domain, enforced: true, context)
        let events = try server.monitor([.handshakeSucceeded, .handshakeFailed, .disconnected])
        let client = try Socket(.quiet(.dealer), in: context)
        try client.connect(try server.bind())
        let event = try events.nextEvent()
        #expect(event != nil && event?.kind != .handshakeSucceeded)
    }

    /// Connects with a key and returns how the server's handshake ended.
    private func knock(
        on server: RawSocket, with peer: CurveKeyPair, of keys: CurveKeyPair, _ context: Context
    ) async throws -> MonitorEvent? {
        let events = try server.monitor(
            [.handshakeSucceeded, .handshakeFailed, .authenticationFailed])
        let client = try Socket(
            .quiet(.dealer).secured(by: .curveClient(peer, server: keys.publicKey)), in: context)
        try client.connect(try server.bind())
        return try events.nextEvent()
    }
}

extension RawSocket {
    /// A server with the chosen guards, most of which a specification does not allow to miss.
    static func curveServer(
        _ keys: CurveKeyPair, domain: String, enforced: Bool, _ context: Context
    ) throws -> RawSocket {
        let server = try RawSocket(.router, in: context)
        #expect(server.set(ZMQ_CURVE_SERVER, 1) == nil)
        #expect(server.set(ZMQ_CURVE_SECRETKEY, Array(keys.secretKey.z85.utf8)) == nil)
        if !domain.isEmpty { #expect(server.set(ZMQ_ZAP_DOMAIN, Array(domain.utf8)) == nil) }
        if enforced { #expect(server.set(93, 1) == nil) }
        return server
    }
}
