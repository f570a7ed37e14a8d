import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Sessions")
struct SessionsTests {
    @Test("Both lanes lead to the session that joined them")
    func lanes() {
        var sessions = Sessions()
        let opened = sessions.open(hello("a"), from: address(1), token: 77).opened
        #expect(!opened.isWhole)
        let joined = sessions.join(token: 77, from: address(2, .client, .data))
        #expect(joined?.id == opened.id && joined?.isWhole == true)
        #expect(sessions.session(at: address(1))?.id == opened.id)
        #expect(sessions.session(at: address(2, .client, .data))?.id == opened.id)
    }

    @Test("JOIN with a foreign token or from the other side opens nothing")
    func foreignToken() {
        var sessions = Sessions()
        _ = sessions.open(hello("a"), from: address(1), token: 77)
        let unknown = sessions.join(token: 78, from: address(2, .client, .data))
        let otherSide = sessions.join(token: 77, from: address(2, .worker, .data))
        #expect(unknown == nil && otherSide == nil)
    }

    @Test("A data lane that joins a new session no longer belongs to the former one")
    func lanesMove() {
        var sessions = Sessions()
        let lane = address(2, .client, .data)
        let old = sessions.open(hello("a"), from: address(1), token: 1).opened
        _ = sessions.join(token: 1, from: lane)
        let new = sessions.open(hello("b", boot: 2), from: address(3), token: 2).opened
        _ = sessions.join(token: 2, from: lane)
        #expect(sessions[old.id]?.data == nil)
        sessions.close(old.id)
        #expect(sessions.session(at: lane)?.id == new.id)
    }

    @Test("A process that says HELLO from a new connection has one session, the newer")
    func newConnection() {
        var sessions = Sessions()
        let old = sessions.open(hello("a"), from: address(1), token: 1).opened
        let (new, closed) = sessions.open(hello("a"), from: address(2), token: 2)
        #expect(closed.map(\.id) == [old.id])
        #expect(sessions.count == 1 && sessions.session(at: address(1)) == nil)
        #expect(sessions.session(at: address(2))?.id == new.id)
    }

    @Test("An unknown address is challenged once a second", arguments: [(0.9, false), (1.0, true)])
    func challenges(seconds: Double, isAllowed: Bool) {
        var sessions = Sessions()
        let first = sessions.mayChallenge(address(1), at: start)
        let second = sessions.mayChallenge(address(1), at: at(seconds))
        #expect(first && second == isAllowed)
    }

    @Test("No more addresses are remembered than the limit, however many knock")
    func challengesAreBounded() {
        var sessions = Sessions()
        var allowed = 0
        for number in 0..<(Limits.challengedAddresses + 500) {
            let knocking = PeerAddress(
                side: .client, lane: .control,
                routingID: [UInt8(number & 255), UInt8(number >> 8)])
            if sessions.mayChallenge(knocking, at: start) { allowed += 1 }
        }
        #expect(allowed == Limits.challengedAddresses)
    }

    @Test("The third fault ends a session")
    func faults() {
        var sessions = Sessions()
        let id = sessions.open(hello("a"), from: address(1), token: 1).opened.id
        var verdicts: [Bool] = []
        for _ in 0..<3 { verdicts.append(sessions.blame(id)) }
        #expect(verdicts == [false, false, true])
    }
}
