import Glibc
import Testing

@testable import ZeroMQ

/// A poller and its sockets, turned by the test itself.
final class Desk {
    let poller: Poller
    let context: Context
    var received: [SocketID: [ReceivedMessage]] = [:]

    init() throws {
        poller = try Poller(wakeUp: try WakeUp())
        context = try testContext()
    }

    /// Turns until a condition holds, for as long as tests are patient.
    func turn(until isOver: () throws -> Bool) throws {
        let end = MonotonicClock.nanoseconds() + patience.nanoseconds
        while try !isOver() {
            try #require(MonotonicClock.nanoseconds() < end, "nothing came of it in time")
            for id in try poller.wait(upTo: .milliseconds(1)).sockets {
                while let reception = try poller.receive(on: id) {
                    guard case .message(let message) = reception else { continue }
                    received[id, default: []].append(message)
                }
            }
        }
    }

    func count(_ id: SocketID) -> Int { received[id]?.count ?? 0 }

    /// Sends as soon as there is a connection.
    func deliver(_ frames: [FrameBytes], on id: SocketID) throws {
        try turn { try poller.send(frames, on: id) == .sent }
    }
}

/// A connection that has introduced itself as a dealer and says what a test writes.
func stranger(at endpoint: Endpoint) throws -> SystemSocket {
    let address = try #require(SocketAddress(endpoint))
    let socket = try #require(try SystemSocket.connect(to: address))
    socket.waitForRoom(milliseconds: 1_000)
    let ready = PeerCommand.ready(of: .dealer)
    let bytes = Greeting.bytes + [FrameReader.command, UInt8(ready.count)] + ready
    _ = socket.write(bytes, from: 0, hasMore: false)
    return socket
}

@Suite("Direct sockets", .timeLimit(.minutes(1)))
struct DirectSocketTests {
    @Test("Question and answer between two direct sockets", arguments: [anyPort, nil])
    func answers(endpoint: Endpoint?) throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(
            .quiet(.router), on: endpoint ?? newIpcEndpoint(), in: desk.context)
        let dealer = try desk.poller.connect(.quiet(.dealer), to: bound, in: desk.context)
        try desk.deliver([text("what"), []], on: dealer)
        try desk.turn { desk.count(router) == 1 }
        let question = try #require(desk.received[router]?.first)
        #expect(question.arrays == [Array("what".utf8), []])
        let long = [UInt8](repeating: 7, count: 900_000)
        #expect(
            try desk.poller.send([.array(long)], to: question.routingID, on: router) == .sent)
        try desk.turn { desk.count(dealer) == 1 }
        #expect(desk.received[dealer]?.first?.arrays == [long])
    }

    @Test("A dealer of libzmq speaks with a direct router")
    func libraryDealer() throws {
        let desk = try Desk()
        var specification = SocketSpecification(.router)
        specification.heartbeat = .init(
            interval: .milliseconds(50), timeout: .seconds(5), timeToLive: .seconds(5))
        let (router, bound) = try desk.poller.listen(specification, on: anyPort, in: desk.context)
        specification.kind = .dealer
        specification.probesRouter = true
        let socket = try Socket(specification, in: desk.context)
        try socket.connect(bound)
        let dealer = try desk.poller.add(socket)
        try desk.deliver([text("one"), text("two")], on: dealer)
        try desk.turn { desk.count(router) == 2 }
        let messages = try #require(desk.received[router])
        #expect(messages[0].isProbe)
        #expect(messages[1].arrays == [Array("one".utf8), Array("two".utf8)])
        #expect(messages[0].routingID == messages[1].routingID)
        let answers = 500
        for number in 0..<answers {
            let frame = [UInt8](repeating: UInt8(number % 251), count: number * 7)
            #expect(
                try desk.poller.send(
                    [.array(frame)], to: messages[1].routingID, on: router) == .sent)
        }
        try desk.turn { desk.count(dealer) == answers }
        #expect(desk.received[dealer]?.map { $0.frames[0].count } == (0..<answers).map { $0 * 7 })
    }

    @Test("A direct dealer speaks with a router of libzmq, and answers its pings")
    func libraryRouter() throws {
        let desk = try Desk()
        var specification = SocketSpecification(.router)
        specification.heartbeat = .init(
            interval: .milliseconds(20), timeout: .milliseconds(60), timeToLive: .seconds(1))
        let socket = try Socket(specification, in: desk.context)
        let bound = try socket.bind(anyPort)
        let router = try desk.poller.add(socket)
        let dealer = try desk.poller.connect(.quiet(.dealer), to: bound, in: desk.context)
        try desk.deliver([text("first")], on: dealer)
        try desk.turn { desk.count(router) == 1 }
        let peer = try #require(desk.received[router]?.first).routingID
        // Several timeouts pass: without answers to its pings libzmq would have cut the line.
        let later = MonotonicClock.nanoseconds() + 400_000_000
        try desk.turn { MonotonicClock.nanoseconds() > later }
        #expect(try desk.poller.send([text("answer")], to: peer, on: router) == .sent)
        try desk.turn { desk.count(dealer) == 1 }
    }

    @Test("Whoever is gone cannot be sent to, and a dealer finds a router that comes back")
    func comesBack() throws {
        let desk = try Desk()
        let endpoint = newIpcEndpoint()
        var specification = SocketSpecification.quiet(.dealer)
        specification.reconnect = .init(first: .milliseconds(5), longest: .milliseconds(20))
        let dealer = try desk.poller.connect(specification, to: endpoint, in: desk.context)
        #expect(try desk.poller.send([text("early")], on: dealer) == .wouldBlock)
        for _ in 0..<3 {
            let (router, _) = try desk.poller.listen(
                .quiet(.router), on: endpoint, in: desk.context)
            try desk.deliver([text("again")], on: dealer)
            try desk.turn { desk.count(router) >= 1 }
            desk.poller.close(router)
            try desk.turn { try desk.poller.send([text("?")], on: dealer) == .wouldBlock }
        }
        let (router, bound) = try desk.poller.listen(.quiet(.router), on: anyPort, in: desk.context)
        let other = try desk.poller.connect(specification, to: bound, in: desk.context)
        try desk.deliver([text("here")], on: other)
        try desk.turn { desk.count(router) == 1 }
        let peer = try #require(desk.received[router]?.first).routingID
        desk.poller.close(other)
        try desk.turn { try desk.poller.send([text("x")], to: peer, on: router) == .unreachable }
    }

    @Test("A peer that does not read fills its own queue, and gets all of it when it reads")
    func full() throws {
        let desk = try Desk()
        let idle = try Desk()
        var specification = SocketSpecification.quiet(.router)
        specification.sendQueueMessages = 10
        let (router, bound) = try desk.poller.listen(specification, on: anyPort, in: desk.context)
        let dealer = try idle.poller.connect(.quiet(.dealer), to: bound, in: idle.context)
        try desk.turn {
            // The handshake is read like everything.
            for id in try idle.poller.wait(upTo: .zero).sockets {
                while try idle.poller.receive(on: id) != nil {}
            }
            return try idle.poller.send([text("hello")], on: dealer) == .sent
        }
        idle.poller.flushAll()
        try desk.turn { desk.count(router) == 1 }
        let peer = try #require(desk.received[router]?.first).routingID
        let frame = FrameBytes.array([UInt8](repeating: 1, count: 100_000))
        var sent = 0
        while try desk.poller.send([frame], to: peer, on: router) == .sent { sent += 1 }
        #expect(sent >= 10 && sent < 1_000)
        try desk.turn {
            for id in try idle.poller.wait(upTo: .zero).sockets {
                while case .message? = try idle.poller.receive(on: id) { sent -= 1 }
            }
            return sent == 0
        }
        #expect(try desk.poller.send([frame], to: peer, on: router) == .sent)
    }

    @Test("What is said before the end arrives, and its sender need not wait")
    func lastWords() throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(.quiet(.router), on: anyPort, in: desk.context)
        let dealer = try desk.poller.connect(.quiet(.dealer), to: bound, in: desk.context)
        try desk.deliver([text("words")], on: dealer)
        #expect(try desk.poller.send([text("goodbye")], on: dealer) == .sent)
        desk.poller.close(dealer)
        try desk.turn { desk.count(router) == 2 }
    }

    @Test("Strangers and the silent are shown out, and others are served meanwhile")
    func strangers() throws {
        let desk = try Desk()
        var specification = SocketSpecification.quiet(.router)
        specification.handshakeTimeout = .milliseconds(50)
        let (router, bound) = try desk.poller.listen(specification, on: anyPort, in: desk.context)
        let address = try #require(SocketAddress(bound))
        let strangers = try (0..<50).map { number in
            let socket = try #require(try SystemSocket.connect(to: address))
            socket.waitForRoom(milliseconds: 1_000)
            if number.isMultiple(of: 2) {
                _ = socket.write(Array("GET / HTTP/1.1\r\n".utf8), from: 0, hasMore: false)
            }
            return socket
        }
        let buffer = ReceiveBuffer()
        var open = Set(0..<strangers.count)
        try desk.turn {
            for number in open {
                if case .ended = strangers[number].read(into: buffer) { open.remove(number) }
            }
            return open.isEmpty
        }
        let dealer = try desk.poller.connect(.quiet(.dealer), to: bound, in: desk.context)
        try desk.deliver([text("served")], on: dealer)
        try desk.turn { desk.count(router) == 1 }
    }

    @Test("A message without end keeps its sender busy, and nobody else")
    func endless() throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(.quiet(.router), on: anyPort, in: desk.context)
        let flood = try stranger(at: bound)
        let frames = [UInt8](repeating: 0, count: 60_000).indices.map { UInt8($0 % 2 == 0 ? 1 : 0) }
        let dealer = try desk.poller.connect(.quiet(.dealer), to: bound, in: desk.context)
        var isServed = false
        try desk.turn {
            for _ in 0..<20 { _ = flood.write(frames, from: 0, hasMore: false) }
            if !isServed {
                isServed = try desk.poller.send([text("served")], on: dealer) == .sent
            }
            return desk.count(router) == 1
        }
    }

    @Test("What a peer said before it went is heard, though nothing reaches it any more")
    func heardBeforeItWent() throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(.quiet(.router), on: anyPort, in: desk.context)
        var peer: SystemSocket? = try stranger(at: bound)
        _ = peer?.write([0, 2, 0x68, 0x69], from: 0, hasMore: false)
        try desk.turn { desk.count(router) == 1 }
        let id = try #require(desk.received[router]?.first).routingID
        #expect(try desk.poller.send([text("not read")], to: id, on: router) == .sent)
        desk.poller.flushAll()
        _ = peer?.write([0, 3, 0x62, 0x79, 0x65], from: 0, hasMore: false)
        // It goes with something unread, which makes the next write fail.
        peer = nil
        #expect(try desk.poller.send([text("in vain")], to: id, on: router) == .sent)
        desk.poller.flushAll()
        try desk.turn { desk.count(router) == 2 }
        #expect(desk.received[router]?.last?.arrays == [Array("bye".utf8)])
        try desk.turn { try desk.poller.send([text("x")], to: id, on: router) == .unreachable }
    }

    @Test("A peer that claims a routing id is given one like everybody")
    func claims() throws {
        let desk = try Desk()
        let (router, bound) = try desk.poller.listen(.quiet(.router), on: anyPort, in: desk.context)
        let peers = try (0..<2).map { _ in
            let peer = try RawSocket(.dealer, in: desk.context)
            peer.set(5, [0, 1, 2, 3, 4])  // ZMQ_ROUTING_ID
            try peer.connect(bound)
            peer.send([1])
            return peer
        }
        try desk.turn { desk.count(router) == 2 }
        let ids = try #require(desk.received[router]).map(\.routingID)
        #expect(Set(ids).count == 2 && !ids.contains([0, 1, 2, 3, 4]))
        _ = peers
    }
}
