import Testing

@testable import ZeroMQ

/// Numbers out of a seed (SplitMix64).
private struct Numbers: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// Two sides without a network between them.
private struct Wires {
    var router: PeerProtocol
    var dealer: PeerProtocol
    var received: [[[UInt8]]] = []

    init(heartbeat: SocketSpecification.Heartbeat? = nil, probes: Bool = false) {
        var specification = SocketSpecification.quiet(.router)
        specification.heartbeat = heartbeat
        router = PeerProtocol(specification, at: 0)
        specification.kind = .dealer
        specification.probesRouter = probes
        dealer = PeerProtocol(specification, at: 0)
    }

    /// Carries what the dealer wrote to the router in pieces of the given lengths.
    mutating func carry(at now: Int64 = 0, pieces: () -> Int = { .max }) throws {
        for piece in dealer.takeBytes().split(by: pieces) {
            var arrived: [[[UInt8]]] = []
            try router.take(piece.span, at: now) { arrival in
                if case .message(let frames) = arrival {
                    arrived.append(frames.map { $0.copyBytes() })
                }
            }
            received += arrived
        }
        let back = router.takeBytes()
        if !back.isEmpty { try dealer.take(back.span, at: now) { _ in } }
    }
}

extension PeerProtocol {
    /// All that waits to be written, as if it had been.
    fileprivate mutating func takeBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        while let (segment, offset, _) = outflow.next {
            bytes += segment[offset...]
            wrote(segment.count - offset)
        }
        return bytes
    }
}

extension [UInt8] {
    fileprivate func split(by pieces: () -> Int) -> [[UInt8]] {
        var rest = self[...]
        var parts: [[UInt8]] = []
        while !rest.isEmpty {
            let part = rest.prefix(Swift.max(1, pieces()))
            parts.append([UInt8](part))
            rest = rest.dropFirst(part.count)
        }
        return parts
    }
}

private let second: Int64 = 1_000_000_000

@Suite("ZMTP, one side of it")
struct PeerProtocolTests {
    @Test("Messages arrive whole and in order, wherever their bytes are cut", arguments: 1...40)
    func cuts(seed: UInt64) throws {
        var numbers = Numbers(seed: seed)
        var pair = Wires()
        try pair.carry { Int.random(in: 1...9, using: &numbers) }
        try pair.carry()
        #expect(pair.router.isOpen && pair.dealer.isOpen)
        let lengths = [0, 1, 255, 256, 4_095, 4_096, 70_000]
        let messages = (0..<20).map { _ in
            (0..<Int.random(in: 1...3, using: &numbers)).map { _ in
                [UInt8](
                    repeating: UInt8.random(in: 0...255, using: &numbers),
                    count: lengths.randomElement(using: &numbers) ?? 0)
            }
        }
        for message in messages { pair.dealer.send(message.map { .array($0) }) }
        #expect(pair.dealer.outflow.messageCount == messages.count)
        try pair.carry { Int.random(in: 1...20_000, using: &numbers) }
        #expect(pair.received == messages, "seed \(seed)")
        #expect(pair.dealer.outflow.isEmpty && pair.dealer.outflow.messageCount == 0)
    }

    @Test("Bytes at random end the connection and nothing else", arguments: 1...300)
    func noise(seed: UInt64) throws {
        var numbers = Numbers(seed: seed)
        var pair = Wires()
        try pair.carry()
        try pair.carry()
        var bytes: [UInt8] = []
        if seed.isMultiple(of: 2) { bytes += [4, 7, 4] + "PING".utf8 }
        let most: UInt8 = seed < 150 ? 7 : 255
        bytes += (0..<200).map { _ in UInt8.random(in: 0...most, using: &numbers) }
        // It may be a message by chance; what counts is that it returns or throws.
        _ = try? pair.router.take(bytes.span, at: 0) { _ in }
    }

    @Test("What is no ZMTP 3 without encryption is refused by its bytes", arguments: strangers)
    func refused(stranger: Stranger) {
        var router = PeerProtocol(.quiet(.router), at: 0)
        #expect(throws: stranger.violation) {
            try router.take(stranger.bytes.span, at: 0) { _ in }
        }
    }

    struct Stranger: Sendable {
        let violation: PeerViolation
        let bytes: [UInt8]

        init(_ violation: PeerViolation, _ parts: [UInt8]...) {
            self.violation = violation
            bytes = parts.flatMap(\.self)
        }
    }

    private static let greeting = Greeting.bytes

    static let strangers = [
        Stranger(.noGreeting, Array("GET / HTTP/1.1\r\n".utf8)),
        Stranger(.noGreeting, [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7E]),
        Stranger(.version(1), [0xFF, 0, 0, 0, 0, 0, 0, 0, 1, 0x7F, 1]),
        Stranger(
            .mechanism, Array(greeting[..<12]), Array("CURVE".utf8),
            [UInt8](repeating: 0, count: 47)),
        Stranger(.command, greeting, [4, 2, 5, 0x41]),
        Stranger(.handshake, greeting, [0, 1, 0x41]),
        Stranger(.flags(8), greeting, [8, 0]),
        Stranger(.frameBytes(65_536), greeting, [6, 0, 0, 0, 0, 0, 1, 0, 0]),
        Stranger(.socketType("PUB"), greeting, ready("PUB")),
        Stranger(
            .frameBytes(0xFF00_0000), greeting, ready("DEALER"),
            [2, 0, 0, 0, 0, 0xFF, 0, 0, 0]),
        Stranger(.command, greeting, ready("DEALER"), [1, 0, 4, 5, 4], Array("PONG".utf8)),
        Stranger(.handshake, greeting, ready("DEALER"), ready("DEALER")),
    ]

    private static func ready(_ type: String) -> [UInt8] {
        var body: [UInt8] = [5]
        body += "READY".utf8
        body += [11]
        body += "Socket-Type".utf8
        body += [0, 0, 0, UInt8(type.utf8.count)]
        body += type.utf8
        return [4, UInt8(body.count)] + body
    }

    @Test("A message without end keeps no frame beyond the most that are allowed")
    func endless() throws {
        var pair = Wires()
        try pair.carry()
        try pair.carry()
        var frames = 0
        for _ in 0..<10_000 { try pair.router.take([1, 1, 7].span, at: 0) { _ in frames += 1 } }
        #expect(frames == 0)
        try pair.router.take([0, 0].span, at: 0) { arrival in
            if case .oversized(let count) = arrival { frames = count }
        }
        #expect(frames == 10_001)
    }

    @Test("Whoever asks again and again and reads nothing is answered once")
    func pings() throws {
        var pair = Wires()
        try pair.carry()
        try pair.carry()
        let ping: [UInt8] = [4, 7, 4] + "PING".utf8 + [0, 0]
        for _ in 0..<1_000 { try pair.router.take(ping.span, at: 0) { _ in } }
        #expect(pair.router.outflow.byteCount == 2 + 5)
        _ = pair.router.takeBytes()
        try pair.router.take(ping.span, at: 0) { _ in }
        #expect(pair.router.outflow.byteCount == 2 + 5)
    }

    @Test("What is written is let go, also where something always waits")
    func alwaysWaiting() {
        var outflow = Outflow()
        for number in 0..<20_000 {
            outflow.append([.array([UInt8](repeating: 0, count: 5_000))])
            guard number > 0, let next = outflow.next else { continue }
            outflow.drop(next.segment.count - next.offset)
            if let rest = outflow.next { outflow.drop(rest.segment.count - rest.offset) }
        }
        #expect(outflow.messageCount == 1)
        #expect(outflow.byteCount == 5_009)
    }

    @Test("A probe is an empty message right behind the handshake")
    func probe() throws {
        var pair = Wires(probes: true)
        try pair.carry()
        try pair.carry()
        #expect(pair.received == [[[]]])
    }

    @Test("A silent peer is asked after the interval and given up after the timeout")
    func heartbeats() throws {
        let heartbeat = SocketSpecification.Heartbeat(
            interval: .seconds(2), timeout: .seconds(10), timeToLive: .seconds(10))
        var pair = Wires(heartbeat: heartbeat)
        try pair.carry()
        try pair.carry()
        var now: Int64 = 0
        for _ in 0..<20 {
            now += 2 * second
            try pair.dealer.tick(at: now)
            try pair.router.tick(at: now)
            try pair.carry(at: now)
        }
        // From now on nothing arrives.
        var givenUp: Int64?
        for step in 1...20 where givenUp == nil {
            let later = now + Int64(step) * 2 * second
            do { try pair.router.tick(at: later) } catch { givenUp = later - now }
        }
        #expect(givenUp == 10 * second || givenUp == 12 * second)
    }

    @Test("Time in which this process slept is no silence of its peers")
    func slept() throws {
        let heartbeat = SocketSpecification.Heartbeat(
            interval: .seconds(2), timeout: .seconds(10), timeToLive: .seconds(10))
        var pair = Wires(heartbeat: heartbeat)
        try pair.carry()
        try pair.carry()
        try pair.router.tick(at: 2 * second)
        try pair.router.tick(at: 60 * second)
        try pair.router.tick(at: 62 * second)
        #expect(pair.router.isOpen)
    }

    @Test("Whoever does not introduce himself in time is given up")
    func handshake() throws {
        var router = PeerProtocol(.quiet(.router), at: 0)
        try router.tick(at: 2 * second)
        #expect(throws: PeerViolation.silent) { try router.tick(at: 3 * second) }
    }
}
