import CZeroMQ
import Glibc
import Testing
import ZeroMQ

// The facts about libzmq 4.3.4 that this room is built around. When the installed version changes
// and one of these fails, look at what the fact is good for before changing the test.

@Suite("Quirks of libzmq", .timeLimit(.minutes(1)))
struct QuirksTests {
    @Test("The library is of the 4.3 series")
    func version() {
        let version = Library.version
        #expect(version.major == 4 && version.minor == 3)
    }

    @Test(
        "There is no draft interface: options 97, 110 and 111 are invalid",
        arguments: [97, 110, 111])
    func noDraft(option: Int32) throws {
        #expect(!Library.has("draft"))
        let router = try RawSocket(.router, in: try testContext())
        #expect(router.set(option, 1) == .invalid)
    }

    @Test("The option that makes domains binding exists although no header names it")
    func enforceDomain() throws {
        #expect(try RawSocket(.router, in: try testContext()).set(93, 1) == nil)
    }

    @Test("A ROUTER without MANDATORY says sent for a peer that does not exist")
    func silentlyUnroutable() throws {
        var specification = SocketSpecification.quiet(.router)
        specification.isMandatory = false
        let router = try Socket(specification, in: try testContext())
        #expect(try router.send([text("lost")], to: [0, 1, 2, 3, 4]) == .sent)
    }

    @Test("A ROUTER without MANDATORY says sent for every message and drops what does not fit")
    func silentlyFull() throws {
        let (router, dealer, peer) = try smallQueues(isMandatory: false)
        let offered = 1_000
        for _ in 0..<offered {
            #expect(try router.socket.send([text("x")], to: peer) == .sent)
        }
        var received = 0
        while try dealer.socket.receive() != nil { received += 1 }
        #expect(received > 0 && received < offered / 2)
    }

    @Test("MANDATORY makes a full peer answer EAGAIN and an unknown one EHOSTUNREACH")
    func mandatory() throws {
        let (router, dealer, peer) = try smallQueues(isMandatory: true)
        var sent = 0
        while try router.socket.send([text("x")], to: peer) == .sent, sent < 1_000 { sent += 1 }
        #expect(sent > 0 && sent < 1_000)
        #expect(try router.socket.send([text("x")], to: peer) == .wouldBlock)
        #expect(try router.socket.send([text("x")], to: [0, 1, 2, 3, 4]) == .unreachable)
        // What was taken is all there: a refused message leaves nothing behind.
        var received = 0
        while try dealer.socket.receive() != nil { received += 1 }
        #expect(received == sent)
    }

    @Test("Waiting for room on a ROUTER is useless: one peer with room hides one without")
    func pollOut() throws {
        let alone = try Socket(.quiet(.router), in: try testContext())
        #expect(try alone.waitForRoom(upTo: .zero) == false)
        let (router, dealer, peer) = try smallQueues(isMandatory: true)
        while try router.socket.send([text("x")], to: peer) == .sent {}
        #expect(try router.socket.waitForRoom(upTo: .zero) == false)
        let second = try Socket(.quiet(.dealer), in: try testContext())
        try second.connect(router.endpoint)
        #expect(try second.send([text("hello")]) == .sent)
        #expect(try router.socket.next() != nil)
        #expect(try router.socket.waitForRoom(upTo: .zero))
        #expect(try router.socket.send([text("x")], to: peer) == .wouldBlock)
        _ = dealer
    }

    @Test("Without MANDATORY a ROUTER has room for ever, even without any peer")
    func pollOutWithoutMandatory() throws {
        var specification = SocketSpecification.quiet(.router)
        specification.isMandatory = false
        let router = try Socket(specification, in: try testContext())
        #expect(try router.waitForRoom(upTo: .zero))
    }

    @Test("The first routing id of every unseeded process is 00 6b8b4567")
    func predictableRoutingID() async {
        await #expect(processExitsWith: .success) {
            exit(firstRoutingIDWithoutSeed() == [0x00, 0x6B, 0x8B, 0x45, 0x67] ? 0 : 1)
        }
    }

    @Test("A context seeds the random numbers, and routing ids start elsewhere")
    func seededRoutingID() async {
        await #expect(processExitsWith: .success) {
            _ = try Context(seed: 12_345)
            let first = firstRoutingIDWithoutSeed()
            exit(first.count == 5 && first != [0x00, 0x6B, 0x8B, 0x45, 0x67] ? 0 : 1)
        }
    }

    @Test("A peer that claims the next routing id aborts the process that gives it out")
    func reservedRoutingID() async {
        await #expect(processExitsWith: .signal(SIGABRT)) {
            let context = try Context(seed: 1)
            let router = try Socket(.quiet(.router), in: context)
            let endpoint = try router.bind(anyPort)
            let first = try Socket(.quiet(.dealer), in: context)
            try first.connect(endpoint)
            _ = try first.deliver([text("x")])
            var next = try #require(try router.next()).routingID
            next[4] &+= 1
            let hostile = try RawSocket(.dealer, in: context)
            hostile.set(ZMQ_ROUTING_ID, next)
            try hostile.connect(endpoint)
            hostile.send([1])
            _ = try router.next()
            let innocent = try Socket(.quiet(.dealer), in: context)
            try innocent.connect(endpoint)
            _ = try innocent.deliver([text("x")])
            _ = try router.next()
        }
    }

    @Test("The size limit is per frame, not per message")
    func frameSize() throws {
        let context = try testContext()
        var specification = SocketSpecification.quiet(.router)
        specification.maximumFrameBytes = 10_000
        let router = try Socket(specification, in: context)
        let events = try router.monitor([.disconnected], named: "frame-size")
        let dealer = try Socket(.quiet(.dealer), in: context)
        try dealer.connect(try router.bind(anyPort))
        // The limit leaves room for the framing of CURVE, so plain frames may be that longer.
        let longest = FrameBytes.array([UInt8](repeating: 1, count: 10_033))
        #expect(try dealer.deliver([longest, longest, longest]) == .sent)
        #expect(try router.next()?.frames.count == 3)
        #expect(try dealer.deliver([.array([UInt8](repeating: 1, count: 10_034))]) == .sent)
        #expect(try events.nextEvent()?.kind == .disconnected)
        #expect(try router.receive() == nil)
    }

    @Test("IMMEDIATE refuses without a connection; its absence queues old news")
    func immediate() throws {
        let context = try testContext()
        let endpoint = newIpcEndpoint()
        var specification = SocketSpecification.quiet(.dealer)
        specification.reconnect = .init(first: .milliseconds(10), longest: .milliseconds(10))
        let careful = try Socket(specification, in: context)
        try careful.connect(endpoint)
        #expect(try careful.send([text("now or never")]) == .wouldBlock)
        specification.needsConnection = false
        let hopeful = try Socket(specification, in: context)
        try hopeful.connect(endpoint)
        #expect(try hopeful.send([text("old news")]) == .sent)
        let router = try Socket(.quiet(.router), in: context)
        try router.bind(endpoint)
        #expect(try router.next()?.arrays == [Array("old news".utf8)])
    }

    @Test("PROBE_ROUTER sends one empty message on connecting, once the socket is used")
    func probe() throws {
        let context = try testContext()
        let router = try Socket(.quiet(.router), in: context)
        var specification = SocketSpecification.quiet(.dealer)
        specification.probesRouter = true
        let dealer = try Socket(specification, in: context)
        try dealer.connect(try router.bind(anyPort))
        // With IMMEDIATE the connection reaches the socket only in one of its own calls.
        #expect(try router.waitForMessage(upTo: moment) == false)
        #expect(try dealer.waitForRoom(upTo: patience))
        let message = try #require(try router.next())
        #expect(message.isProbe)
        #expect(try router.send([text("challenge")], to: message.routingID) == .sent)
        #expect(try dealer.next()?.arrays == [Array("challenge".utf8)])
    }

    @Test("Queue limits are no flow control: the kernel takes far more than both of them")
    func queuesOverflowIntoKernel() throws {
        let context = try testContext()
        var specification = SocketSpecification.quiet(.router)
        specification.receiveQueueMessages = 10
        let router = try Socket(specification, in: context)
        specification = .quiet(.dealer)
        specification.sendQueueMessages = 10
        let dealer = try Socket(specification, in: context)
        try dealer.connect(try router.bind(anyPort))
        let kilobyte = FrameBytes.array([UInt8](repeating: 1, count: 1_000))
        var sent = 0
        while sent < 500, try dealer.waitForRoom(upTo: patience) {
            #expect(try dealer.send([kilobyte]) == .sent)
            sent += 1
        }
        #expect(sent == 500)
    }

    @Test("Messages of one connection keep their order")
    func order() throws {
        let context = try testContext()
        let router = try Socket(.quiet(.router), in: context)
        let dealer = try Socket(.quiet(.dealer), in: context)
        try dealer.connect(try router.bind(anyPort))
        var received = 0
        for number in 0..<5_000 {
            #expect(try dealer.deliver([text("\(number)")]) == .sent)
            guard number % 500 == 499 else { continue }
            while received <= number {
                #expect(try #require(try router.next()).arrays == [Array("\(received)".utf8)])
                received += 1
            }
        }
    }

    @Test(
        "Linger 0 drops what is unsent when the socket closes",
        arguments: [(Duration.zero, false), (.seconds(5), true)])
    func linger(_ linger: Duration, arrives: Bool) throws {
        let context = try testContext()
        let endpoint = newIpcEndpoint()
        try sendAndClose(endpoint, linger, context)
        let router = try Socket(.quiet(.router), in: context)
        try router.bind(endpoint)
        #expect(try router.waitForMessage(upTo: arrives ? patience : .milliseconds(600)) == arrives)
    }

    private func sendAndClose(
        _ endpoint: Endpoint, _ linger: Duration, _ context: Context
    ) throws {
        var specification = SocketSpecification.quiet(.dealer)
        specification.needsConnection = false
        specification.linger = linger
        specification.reconnect = .init(first: .milliseconds(200), longest: .milliseconds(200))
        let dealer = try Socket(specification, in: context)
        let events = try dealer.monitor([.connectRetried], named: "retries-of-\(endpoint)")
        try dealer.connect(endpoint)
        // The first attempt has failed, so the socket closes well before the second one.
        #expect(try events.nextEvent()?.kind == .connectRetried)
        #expect(try dealer.send([text("last words")]) == .sent)
    }
}

/// A socket with the endpoint it is bound to or connected to.
final class Bound {
    let socket: Socket
    let endpoint: Endpoint

    init(_ socket: consuming Socket, _ endpoint: Endpoint) {
        self.socket = socket
        self.endpoint = endpoint
    }
}

/// A router and a dealer with room for few messages, and the routing id of the dealer.
private func smallQueues(
    isMandatory: Bool
) throws -> (router: Bound, dealer: Bound, peer: [UInt8]) {
    var specification = SocketSpecification.quiet(.router)
    specification.isMandatory = isMandatory
    specification.sendQueueMessages = 10
    let router = try Socket(specification, in: try testContext())
    let endpoint = try router.bind(newInprocEndpoint())
    specification = .quiet(.dealer)
    specification.receiveQueueMessages = 10
    let dealer = try Socket(specification, in: try testContext())
    try dealer.connect(endpoint)
    #expect(try dealer.send([text("hello")]) == .sent)
    let hello = try #require(try router.next())
    return (Bound(router, endpoint), Bound(dealer, endpoint), hello.routingID)
}
