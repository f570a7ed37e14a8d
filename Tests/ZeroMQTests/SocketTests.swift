import Testing
import ZeroMQ

@Suite("Sockets")
struct SocketTests {
    @Test("A message goes to a router and its answer back", arguments: ["tcp", "inproc", "ipc"])
    func roundTrip(transport: String) throws {
        let context = try testContext()
        let endpoint =
            switch transport {
            case "tcp": anyPort
            case "ipc": newIpcEndpoint()
            default: newInprocEndpoint()
            }
        let router = try Socket(.quiet(.router), in: context)
        let actual = try router.bind(endpoint)
        let dealer = try Socket(.quiet(.dealer), in: context)
        try dealer.connect(actual)
        #expect(try dealer.deliver([text("head"), text("body")]) == .sent)
        let request = try #require(try router.next())
        #expect(request.arrays == [Array("head".utf8), Array("body".utf8)])
        #expect(request.routingID.count == 5)
        #expect(try router.send([text("answer")], to: request.routingID) == .sent)
        let answer = try #require(try dealer.next())
        #expect(answer.arrays == [Array("answer".utf8)])
        #expect(answer.routingID.isEmpty)
    }

    @Test("Binding to port 0 returns the port that the system chose")
    func chosenPort() throws {
        let router = try Socket(.router(for: .control), in: try testContext())
        guard case .tcp("127.0.0.1", let port) = try router.bind(anyPort).transport else {
            Issue.record("not a tcp endpoint")
            return
        }
        #expect((port ?? 0) > 0)
    }

    @Test("A second listener on a port is told that another process has it")
    func portTaken() throws {
        let first = try Socket(.router(for: .control), in: try testContext())
        let endpoint = try first.bind(anyPort)
        let second = try Socket(.router(for: .control), in: try testContext())
        let error = #expect(throws: ZeroMQError.self) { try second.bind(endpoint) }
        let message = error?.description ?? ""
        #expect(message.contains("EADDRINUSE"))
        #expect(message.contains("another process listens"))
        #expect(message.contains(endpoint.description))
    }

    @Test("An empty queue answers nil at once")
    func emptyQueue() throws {
        let router = try Socket(.router(for: .control), in: try testContext())
        try router.bind(anyPort)
        #expect(try router.receive() == nil)
    }

    @Test(
        "A message with too many frames is dropped whole and counted",
        arguments: [3, 4, 10, 1_000])
    func frameLimit(count: Int) throws {
        let context = try testContext()
        let router = try Socket(.quiet(.router), in: context)
        let dealer = try Socket(.quiet(.dealer), in: context)
        try dealer.connect(try router.bind(anyPort))
        let frames = [FrameBytes](repeating: text("x"), count: count)
        #expect(try dealer.deliver(frames) == .sent)
        #expect(try dealer.deliver([text("next")]) == .sent)
        #expect(try router.waitForMessage(upTo: patience))
        switch try #require(try router.receive()) {
        case .message(let message): #expect(message.frames.count == count && count <= 3)
        case .oversized(let message): #expect(message.frameCount == count && count > 3)
        }
        #expect(try router.next()?.arrays == [Array("next".utf8)])
    }

    @Test("A peer that is gone is unreachable, and so is one that never was")
    func unreachable() throws {
        let context = try testContext()
        let router = try Socket(.quiet(.router), in: context)
        let events = try router.monitor([.disconnected], named: "unreachable-test")
        let endpoint = try router.bind(anyPort)
        let peer = try visit(router, at: endpoint, context)
        #expect(try events.nextEvent()?.kind == .disconnected)
        // The event runs ahead of the pipe's end, which the socket learns in its own calls.
        var outcome = SendOutcome.sent
        for _ in 0..<250 where outcome == .sent {
            outcome = try router.send([text("late")], to: peer)
            _ = try router.waitForMessage(upTo: .milliseconds(20))
        }
        #expect(outcome == .unreachable)
        #expect(try router.send([text("late")], to: [0, 9, 9, 9, 9]) == .unreachable)
    }

    /// Connects, is heard, and leaves.
    private func visit(
        _ router: borrowing Socket, at endpoint: Endpoint, _ context: Context
    ) throws -> [UInt8] {
        let dealer = try Socket(.quiet(.dealer), in: context)
        try dealer.connect(endpoint)
        #expect(try dealer.deliver([text("hello")]) == .sent)
        let message = try #require(try router.next())
        // Heard both ways: the connection is complete on both sides.
        #expect(try router.send([text("welcome")], to: message.routingID) == .sent)
        #expect(try dealer.next() != nil)
        return message.routingID
    }

    @Test("After shutdown every call says that the context is terminated")
    func shutdown() throws {
        let context = try Context(seed: 7)
        let dealer = try Socket(.dealer(for: .control), in: context)
        context.shutdown()
        let error = #expect(throws: ZeroMQError.self) { try dealer.receive() }
        #expect(error?.isTermination == true)
        #expect(error?.description.contains("ETERM") == true)
    }
}
