import Testing

@testable import ZeroMQ

@Suite("Limits of connections before they are confirmed", .timeLimit(.minutes(1)))
struct UnconfirmedConnectionTests {
    private func guarded(
        patience: Duration = .seconds(60), connections: Int = 100
    ) -> SocketSpecification {
        var specification = SocketSpecification.quiet(.router)
        specification.strangers = StrangerLimits(
            messageBytes: 4_096, patience: patience, connections: connections,
            connectionsPerOrigin: connections, freeDescriptors: (remote: 0, here: 0))
        return specification
    }

    /// Turns until the other side has closed the connection.
    private func turnUntilEnd(of socket: SystemSocket, _ desk: Desk) throws {
        let buffer = ReceiveBuffer()
        try desk.turn {
            if case .ended = socket.read(into: buffer) { return true }
            return false
        }
    }

    /// Frames that are no end of a message, each of so many bytes.
    private func frames(_ count: Int, bytes: Int) -> [UInt8] {
        let head = [3] + (0..<8).map { UInt8(truncatingIfNeeded: bytes >> (56 - 8 * $0)) }
        return (0..<count).flatMap { _ in head + [UInt8](repeating: 7, count: bytes) }
    }

    @Test(
        "A message above the limit ends a connection that nobody confirmed",
        arguments: [(1, 4_097), (2, 2_500), (1, 1_000_000)])
    func large(count: Int, bytes: Int) throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(guarded(), on: anyPort, in: desk.context)
        let peer = try stranger(at: bound)
        _ = peer.write(frames(count, bytes: bytes), from: 0, hasMore: false)
        try turnUntilEnd(of: peer, desk)
        #expect(desk.poller.takeStrangerReport(on: router)?.large == 1)
    }

    @Test("A confirmed connection says what it likes, one that is doubted again does not")
    func confirmed() throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(guarded(), on: anyPort, in: desk.context)
        let peer = try stranger(at: bound)
        _ = peer.write([0, 2, 0x68, 0x69], from: 0, hasMore: false)
        try desk.turn { desk.count(router) == 1 }
        let id = try #require(desk.received[router]?.first).routingID
        #expect(desk.poller.origin(of: id, on: router) == .loopback)
        desk.poller.confirm(id, on: router)
        _ = peer.write(frames(2, bytes: 9_000) + [0, 0], from: 0, hasMore: false)
        try desk.turn { desk.count(router) == 2 }
        desk.poller.doubt(id, on: router)
        _ = peer.write(frames(2, bytes: 9_000) + [0, 0], from: 0, hasMore: false)
        try turnUntilEnd(of: peer, desk)
    }

    @Test("Pings keep no connection that nobody confirms, and confirmed ones stay without them")
    func pings() throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(
            guarded(patience: .milliseconds(200)), on: anyPort, in: desk.context)
        let known = try stranger(at: bound)
        _ = known.write([0, 2, 0x68, 0x69], from: 0, hasMore: false)
        try desk.turn { desk.count(router) == 1 }
        desk.poller.confirm(try #require(desk.received[router]?.first).routingID, on: router)
        let idle = try stranger(at: bound)
        let ping = PeerCommand.ping(timeToLiveTenths: 0)
        let buffer = ReceiveBuffer()
        try desk.turn {
            let bytes = [FrameReader.command, UInt8(ping.count)] + ping
            _ = idle.write(bytes, from: 0, hasMore: false)
            if case .ended = idle.read(into: buffer) { return true }
            return false
        }
        #expect(desk.poller.takeStrangerReport(on: router)?.late == 1)
        _ = known.write([0, 2, 0x68, 0x69], from: 0, hasMore: false)
        try desk.turn { desk.count(router) == 2 }
    }

    @Test("What was said in time counts, though this process looks too late")
    func lateLook() throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(
            guarded(patience: .milliseconds(1)), on: anyPort, in: desk.context)
        let peer = try stranger(at: bound)
        // It is let in and nobody turns until its time is over.
        _ = try desk.poller.wait(upTo: .seconds(1))
        _ = peer.write([0, 2, 0x68, 0x69], from: 0, hasMore: false)
        peer.waitForRoom(milliseconds: 5)
        try desk.turn { desk.count(router) == 1 }
        desk.poller.confirm(try #require(desk.received[router]?.first).routingID, on: router)
        let later = MonotonicClock.nanoseconds() + 300_000_000
        try desk.turn { MonotonicClock.nanoseconds() > later }
        _ = peer.write([0, 2, 0x68, 0x69], from: 0, hasMore: false)
        try desk.turn { desk.count(router) == 2 }
    }

    @Test("Many that say nothing do not keep out one that comes after them")
    func crowd() throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(
            guarded(connections: 5), on: anyPort, in: desk.context)
        let idle = try (0..<40).map { _ in try stranger(at: bound) }
        let dealer = try desk.poller.connect(.quiet(.dealer), to: bound, in: desk.context)
        try desk.deliver([text("served")], on: dealer)
        try desk.turn { desk.count(router) == 1 }
        try turnUntilEnd(of: idle[0], desk)
        #expect((desk.poller.takeStrangerReport(on: router)?.replaced ?? 0) >= 35)
    }

    @Test("Empty messages without end let everybody have his turn", arguments: [true, false])
    func fairShare(isConfirmed: Bool) throws {
        let desk = try Desk()
        let specification = isConfirmed ? SocketSpecification.quiet(.router) : guarded()
        let (router, bound) = try desk.poller.listen(specification, on: anyPort, in: desk.context)
        let flood = try stranger(at: bound)
        let polite = try stranger(at: bound)
        let empty = [UInt8](repeating: 0, count: 60_000)
        _ = polite.write([0, 2, 0x68, 0x69], from: 0, hasMore: false)
        _ = flood.write([0, 1, 0x66], from: 0, hasMore: false)
        try desk.turn { desk.count(router) >= 2 }
        let id = try #require(
            desk.received[router]?.first { $0.arrays == [Array("hi".utf8)] }
        ).routingID
        var before = desk.count(router)
        for _ in 0..<20 { _ = flood.write(empty, from: 0, hasMore: false) }
        try desk.turn { desk.count(router) > before }
        before = desk.count(router)
        _ = polite.write([0, 2, 0x68, 0x69], from: 0, hasMore: false)
        var between = 0
        var isHeard = false
        while !isHeard {
            for socket in try desk.poller.wait(upTo: .milliseconds(1)).sockets {
                guard case .message(let message)? = try desk.poller.receive(on: socket) else {
                    continue
                }
                isHeard = message.routingID == id
                between += 1
            }
            try #require(between < 200, "\(between) messages of a flood came first")
        }
    }
}
