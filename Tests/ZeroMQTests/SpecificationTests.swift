import Testing
import ZeroMQ

@Suite("Socket specifications")
struct SpecificationTests {
    @Test(
        "Every option of a ready-made specification reads back as it was set",
        arguments: SocketSpecification.Traffic.allCases)
    func readBack(traffic: SocketSpecification.Traffic) throws {
        let context = try testContext()
        let keys = try CurveKeyPair.generate()
        let server = Security.curveServer(keys.secretKey, domain: "workers")
        let client = Security.curveClient(try .generate(), server: keys.publicKey)
        // Making the socket throws on any difference.
        _ = try Socket(.router(for: traffic), in: context)
        _ = try Socket(.router(for: traffic).secured(by: server), in: context)
        _ = try Socket(.dealer(for: traffic, reconnecting: .patient), in: context)
        _ = try Socket(.dealer(for: traffic).secured(by: client), in: context)
    }

    @Test(
        "A specification that contradicts itself is refused with a sentence",
        arguments: [
            Contradiction("queue") { $0.sendQueueMessages = 0 },
            Contradiction("queue") { $0.receiveQueueMessages = 0 },
            Contradiction("frame") { $0.maximumFrameBytes = 0 },
            Contradiction("frame") { $0.maximumFrames = 0 },
            Contradiction("linger") { $0.linger = .seconds(-1) },
            Contradiction("reconnect") { $0.reconnect.longest = .milliseconds(1) },
            Contradiction("heartbeat") { $0.heartbeat?.timeout = .milliseconds(1) },
            Contradiction("tenths") { $0.heartbeat?.timeToLive = .milliseconds(150) },
            Contradiction("keep-alive") { $0.keepAlive?.count = 0 },
            Contradiction("I/O thread") { $0.ioThreadMask = 2 },
            Contradiction("probe") { $0.probesRouter = true },
            Contradiction("a day") { $0.handshakeTimeout = .seconds(100_000) },
            Contradiction("backlog") { $0.backlog = 0 },
        ])
    func refused(contradiction: Contradiction) throws {
        var specification = SocketSpecification.router(for: .control)
        contradiction.change(&specification)
        let error = #expect(throws: ZeroMQError.self) {
            try specification.validate(ioThreads: 1)
        }
        #expect(error?.description.contains(contradiction.word) == true)
    }

    @Test("A CURVE server without an authentication domain is refused, as it would let all in")
    func domainNeeded() throws {
        let keys = try CurveKeyPair.generate()
        let specification = SocketSpecification.router(for: .control)
            .secured(by: .curveServer(keys.secretKey, domain: ""))
        #expect(throws: ZeroMQError.self) { try specification.validate(ioThreads: 1) }
    }

    @Test("An I/O thread of the context may be chosen")
    func affinity() throws {
        var settings = Context.Settings()
        settings.ioThreads = 2
        let context = try Context(settings, seed: 3)
        var specification = SocketSpecification.router(for: .bulk)
        specification.ioThreadMask = 2
        _ = try Socket(specification, in: context)
    }

    @Test("The text of a secret key shows nothing of it")
    func secretHidden() throws {
        let keys = try CurveKeyPair.generate()
        let secret = keys.secretKey.z85
        var dumped = ""
        dump(keys, to: &dumped)
        #expect(!"\(keys)".contains(secret))
        #expect(!dumped.contains(secret))
        #expect(!"\(Security.curveServer(keys.secretKey, domain: "d"))".contains(secret))
    }
}

/// One change that makes a good specification bad, and a word of the complaint.
struct Contradiction: Sendable, CustomTestStringConvertible {
    let word: String
    let change: @Sendable (inout SocketSpecification) -> Void

    init(_ word: String, _ change: @escaping @Sendable (inout SocketSpecification) -> Void) {
        self.word = word
        self.change = change
    }

    var testDescription: String { word }
}
