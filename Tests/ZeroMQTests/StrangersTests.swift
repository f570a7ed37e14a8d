import Testing

@testable import ZeroMQ

@Suite("Connections that nobody has confirmed")
struct StrangersTests {
    private static let limits = StrangerLimits(
        messageBytes: 4_096, patience: .seconds(3), connections: 4, connectionsPerOrigin: 2,
        freeDescriptors: (remote: 20, here: 10))
    private var strangers = Strangers(limits)

    private static func house(_ number: UInt32) -> PeerOrigin { .ipv4(0x0A00_0000 + number) }

    /// Lets one in as a listener does.
    private mutating func come(
        _ number: UInt64, from origin: PeerOrigin, free: Int = 1_000
    ) -> Strangers.Verdict {
        let verdict = strangers.judge(origin, freeDescriptors: free)
        if case .replace(let other) = verdict { strangers.leave(other, because: .replaced) }
        if verdict != .refuse { strangers.enter(number, from: origin) }
        return verdict
    }

    @Test("Who floods from one address takes only the places of that address")
    mutating func perOrigin() {
        #expect(come(1, from: Self.house(1)) == .admit)
        for number in 2...3 { #expect(come(UInt64(number), from: .loopback) == .admit) }
        for number in 4...50 {
            #expect(come(UInt64(number), from: .loopback) == .replace(UInt64(number - 2)))
        }
        #expect(strangers.count == 3)
        #expect(come(51, from: Self.house(2)) == .admit)
    }

    @Test("Where all places are taken the oldest goes, and a confirmed one is never among them")
    mutating func oldest() {
        for number in 1...4 {
            #expect(come(UInt64(number), from: Self.house(UInt32(number))) == .admit)
        }
        strangers.leave(1)
        #expect(come(5, from: Self.house(5)) == .admit)
        #expect(come(6, from: Self.house(6)) == .replace(2))
    }

    @Test(
        "Where descriptors run short, this machine still finds some",
        arguments: [
            (PeerOrigin.ipv4(1), 20, Strangers.Verdict.admit), (.ipv4(1), 19, .refuse),
            (.loopback, 19, .admit), (.path, 10, .admit), (.loopback, 9, .refuse),
        ])
    mutating func descriptors(origin: PeerOrigin, free: Int, verdict: Strangers.Verdict) {
        #expect(come(1, from: origin, free: free) == verdict)
    }

    @Test("Where descriptors run short, a stranger makes room for who comes")
    mutating func descriptorsOfStrangers() {
        #expect(come(1, from: .ipv4(1)) == .admit)
        #expect(come(2, from: .ipv4(2), free: 3) == .replace(1))
    }

    @Test("The report counts reasons and names the address of most of them, once")
    mutating func report() throws {
        for number in 1...3 {
            _ = come(UInt64(number), from: Self.house(UInt32(number % 2)))
            strangers.leave(UInt64(number), because: number == 2 ? .large : .late)
        }
        _ = come(4, from: .loopback)
        strangers.leave(4, because: .other)
        let taken = strangers.takeReport()
        let report = try #require(taken)
        #expect(report.late == 2 && report.large == 1 && report.count == 3)
        #expect(report.greatest?.origin == Self.house(1) && report.greatest?.count == 2)
        #expect(
            "\(report)"
                == "connections closed that had no session: 3 (2 opened none in time, 1 said too "
                + "much before one); most came from 10.0.0.1: 2")
        #expect(strangers.takeReport() == nil)
    }

    @Test(
        "Addresses are counted as what one owner has",
        arguments: [
            ([127, 0, 0, 9], PeerOrigin.loopback), ([10, 0, 0, 7], .ipv4(0x0A00_0007)),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1], .loopback),
            ([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 255, 255, 10, 0, 0, 7], .ipv4(0x0A00_0007)),
            (
                [0x20, 1, 0xD, 0xB8, 0, 0, 0, 5, 1, 2, 3, 4, 5, 6, 7, 8],
                .ipv6(0x2001_0DB8_0000_0005)
            ),
        ])
    func origins(bytes: [UInt8], origin: PeerOrigin) {
        #expect(PeerOrigin(address: bytes) == origin)
    }
}
