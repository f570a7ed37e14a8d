import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Connections before and after their session")
struct BrokerStrangerTests {
    private let far = PeerHost(name: "10.0.0.1", isThisMachine: false)
    private let here = PeerHost(name: "127.0.0.1", isThisMachine: true)

    private mutating func greet(
        _ broker: inout BrokerHarness, _ number: Int, of host: PeerHost
    ) -> Verb? {
        let from = PeerAddress(
            side: .client, lane: .control,
            routingID: [9, UInt8(number & 255), UInt8(number >> 8)])
        let message = Message(Envelope(), .hello(hello("c", boot: UInt64(number))))
        broker.decide(.greeted(message, from: from, of: host))
        return broker.last(from)?.verb
    }

    @Test("Both lanes of a session are confirmed, and doubted when it ends, however it ends")
    func confirmed() {
        var broker = BrokerHarness()
        broker.decide(.probed(from: address(2)))
        #expect(broker.confirmed.isEmpty)
        broker.connect("c", 2)
        #expect(broker.confirmed == [address(2), address(2, .client, .data)])
        broker.receive(.goodbye, from: address(2))
        #expect(broker.confirmed.isEmpty)
        broker.connect("c", 3)
        // It says nothing more.
        for half in 1...16 { broker.decide(.tick, after: Double(half) / 2) }
        #expect(broker.core.sessions.count == 0)
        #expect(broker.confirmed.isEmpty)
    }

    @Test("Who is rejected stays a stranger")
    func rejected() {
        var broker = BrokerHarness()
        let long = String(repeating: "n", count: Limits.clientNameBytes + 1)
        broker.receive(.hello(hello(long)), from: address(1))
        #expect(broker.last(address(1))?.verb == .reject)
        #expect(broker.confirmed.isEmpty)
    }

    @Test("The last sessions are for the broker's own machine")
    mutating func reserve() {
        var broker = BrokerHarness()
        let open = Limits.clientSessions - Limits.operatorSessions
        for number in 0..<open {
            let host = PeerHost(name: "10.0.\(number % 2).1", isThisMachine: false)
            #expect(greet(&broker, number, of: host) == .welcome)
        }
        #expect(greet(&broker, 5000, of: far) == .reject)
        #expect(greet(&broker, 5001, of: here) == .welcome)
    }

    @Test("One address cannot have all sessions")
    mutating func perAddress() {
        var broker = BrokerHarness()
        for number in 0..<Limits.sessionsPerAddress {
            #expect(greet(&broker, number, of: far) == .welcome)
        }
        #expect(greet(&broker, 5000, of: far) == .reject)
        let other = PeerHost(name: "10.0.0.2", isThisMachine: false)
        #expect(greet(&broker, 5001, of: other) == .welcome)
    }
}
