import Testing
import ZeroMQ

/// Records what happens on its thread and answers every message with itself.
private final class Echo: LoopHandler {
    enum Note: Equatable, Sendable {
        case message(Int)
        case mail(Int)
        case turn
        case stopped
    }

    private let poller: Poller
    private let note: @Sendable (Note) -> Void
    private var timers: Int

    init(_ poller: Poller, timers: Int = 0, note: @escaping @Sendable (Note) -> Void) {
        self.poller = poller
        self.timers = timers
        self.note = note
    }

    func receive(_ reception: Reception, on socket: SocketID) throws(ZeroMQError) {
        guard case .message(let message) = reception else { return }
        // What comes back to a dealer of the test itself is not echoed again.
        guard !message.routingID.isEmpty else { return }
        note(.message(message.frames[0].count))
        _ = try poller.send(message.frames, to: message.routingID, on: socket)
    }

    func receive(_ mail: Int) throws(ZeroMQError) {
        note(.mail(mail))
        if mail < 0 { throw .authenticationBroken("mail \(mail)") }
    }

    func finishTurn() throws(ZeroMQError) -> Duration? {
        guard timers > 0 else { return nil }
        timers -= 1
        note(.turn)
        return .milliseconds(1)
    }

    func stop() throws(ZeroMQError) { note(.stopped) }
}

/// Notes mail, and says whether it wants what was posted before its stop.
private final class Leaver: LoopHandler {
    let takesMailAtStop: Bool
    private let note: @Sendable (Int) -> Void

    init(takesMailAtStop: Bool, note: @escaping @Sendable (Int) -> Void) {
        self.takesMailAtStop = takesMailAtStop
        self.note = note
    }

    func receive(_ reception: Reception, on socket: SocketID) {}

    func receive(_ mail: Int) { note(mail) }

    func finishTurn() -> Duration? { nil }

    func stop() { note(0) }
}

@Suite("Event loops", .timeLimit(.minutes(1)))
struct EventLoopTests {
    @Test("A handler answers messages and takes mail until it is stopped")
    func serves() async throws {
        let context = try testContext()
        let (notes, sink) = AsyncStream.makeStream(of: Echo.Note.self)
        let endpoint = newIpcEndpoint()
        let loop = try await EventLoop<Echo>.start(.init(name: "echo")) {
            (poller) throws(ZeroMQError) in
            let router = try Socket(.quiet(.router), in: context)
            try router.bind(endpoint)
            _ = try poller.add(router)
            return Echo(poller) { sink.yield($0) }
        }
        try ask(endpoint, context)
        #expect(loop.post(42))
        var iterator = notes.makeAsyncIterator()
        #expect(await iterator.next() == .message(5))
        #expect(await iterator.next() == .mail(42))
        try await loop.stop()
        #expect(await iterator.next() == .stopped)
        #expect(!loop.post(43))
        #expect(try becomesFree(endpoint, context))
    }

    @Test(
        "What was posted before the stop is handed over where the handler takes it, else not",
        arguments: [true, false])
    func mailAtStop(isTaken: Bool) async throws {
        let (notes, sink) = AsyncStream.makeStream(of: Int.self)
        let own = Guarded<EventLoop<Leaver>?>(nil)
        let loop = try await EventLoop<Leaver>.start(.init(name: "leaver")) { _ in
            Leaver(takesMailAtStop: isTaken) { mail in
                sink.yield(mail)
                // From its own thread, so that no turn lies between this mail and the stop.
                guard mail == 1, let loop = own.withLock({ $0 }) else { return }
                _ = loop.post(2)
                loop.requestStop()
            }
        }
        own.withLock { $0 = loop }
        #expect(loop.post(1))
        try await loop.waitUntilEnded()
        own.withLock { $0 = nil }
        sink.finish()
        var heard: [Int] = []
        for await note in notes { heard.append(note) }
        #expect(heard == (isTaken ? [1, 2, 0] : [1, 0]))
    }

    /// The I/O thread gives the address back soon after the socket was closed.
    private func becomesFree(_ endpoint: Endpoint, _ context: Context) throws -> Bool {
        let next = try Socket(.quiet(.router), in: context)
        for _ in 0..<250 {
            do {
                try next.bind(endpoint)
                return true
            } catch {
                _ = try next.waitForMessage(upTo: .milliseconds(20))
            }
        }
        return false
    }

    private func ask(_ endpoint: Endpoint, _ context: Context) throws {
        let dealer = try Socket(.quiet(.dealer), in: context)
        try dealer.connect(endpoint)
        #expect(try dealer.deliver([text("hello")]) == .sent)
        #expect(try dealer.next()?.arrays == [Array("hello".utf8)])
    }

    @Test("Timers of the handler run without any input")
    func timers() async throws {
        let (notes, sink) = AsyncStream.makeStream(of: Echo.Note.self)
        let loop = try await EventLoop<Echo>.start(.init(name: "timers")) { poller in
            Echo(poller, timers: 5) { sink.yield($0) }
        }
        var iterator = notes.makeAsyncIterator()
        for _ in 0..<5 { #expect(await iterator.next() == .turn) }
        try await loop.stop()
    }

    @Test("Mail keeps its order, whoever posts while the loop turns")
    func mailOrder() async throws {
        let (notes, sink) = AsyncStream.makeStream(of: Echo.Note.self)
        var settings = EventLoop<Echo>.Settings(name: "mail")
        settings.mailboxCapacity = 10_000
        let loop = try await EventLoop<Echo>.start(settings) { poller in
            Echo(poller) { sink.yield($0) }
        }
        for number in 0..<5_000 { #expect(loop.post(number)) }
        var iterator = notes.makeAsyncIterator()
        for number in 0..<5_000 { #expect(await iterator.next() == .mail(number)) }
        try await loop.stop()
    }

    @Test("What makeHandler throws comes out of start")
    func failingStart() async {
        let expected = ZeroMQError.invalidSpecification("no")
        await #expect(throws: expected) {
            _ = try await EventLoop<Echo>.start(.init(name: "failing")) {
                (_) throws(ZeroMQError) in
                throw expected
            }
        }
    }

    @Test("What a handler throws ends the loop and is told to whoever waits")
    func failingHandler() async throws {
        let loop = try await EventLoop<Echo>.start(.init(name: "failing")) { poller in
            Echo(poller) { _ in }
        }
        #expect(loop.post(-1))
        await #expect(throws: ZeroMQError.authenticationBroken("mail -1")) {
            try await loop.waitUntilEnded()
        }
        #expect(!loop.post(1))
    }

    @Test("Shutting the context down ends the loop like a stop")
    func contextShutdown() async throws {
        let context = try Context(seed: 11)
        let loop = try await EventLoop<Echo>.start(.init(name: "terminated")) {
            (poller) throws(ZeroMQError) in
            let router = try Socket(.quiet(.router), in: context)
            try router.bind(anyPort)
            _ = try poller.add(router)
            return Echo(poller) { _ in }
        }
        context.shutdown()
        try await loop.waitUntilEnded()
    }

    @Test("A loud peer on one socket does not keep another waiting beyond one turn")
    func fairness() async throws {
        let context = try testContext()
        let (notes, sink) = AsyncStream.makeStream(of: Echo.Note.self)
        let loop = try await EventLoop<Echo>.start(.init(name: "fair")) {
            (poller) throws(ZeroMQError) in
            for (count, size) in [(300, 1), (1, 2)] {
                let router = try Socket(.quiet(.router), in: context)
                let endpoint = try router.bind(newInprocEndpoint())
                let dealer = try Socket(.quiet(.dealer), in: context)
                try dealer.connect(endpoint)
                for _ in 0..<count {
                    _ = try dealer.send([.array([UInt8](repeating: 0, count: size))])
                }
                _ = try poller.add(router)
                // Kept in the poller only to stay open.
                _ = try poller.add(dealer)
            }
            return Echo(poller) { sink.yield($0) }
        }
        var iterator = notes.makeAsyncIterator()
        var before = 0
        while let note = await iterator.next(), note != .message(2) { before += 1 }
        #expect(before == 64)
        try await loop.stop()
    }
}
