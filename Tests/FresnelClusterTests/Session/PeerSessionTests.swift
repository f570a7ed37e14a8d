import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("The peer's side of a session")
struct PeerSessionTests {
    private func welcome(token: UInt64, incarnation: UInt64 = 1) -> Message {
        var welcome = WireWelcome()
        welcome.sessionToken = token
        welcome.incarnation = incarnation
        welcome.dataEndpoint = "data"
        welcome.deadAfterMs = 5000
        return Message(Envelope(), .welcome(welcome))
    }

    private func names(_ actions: [PeerSession.Action]?) -> [String]? {
        actions?.map { action in
            switch action {
            case .send(let message, let lane): "\(message.verb) on \(lane)"
            case .connectData: "connect"
            case .opened: "opened"
            case .lost(.broker): "lost"
            case .lost(.absence(let length)): "absent for \(length.components.seconds) s"
            case .rejected: "rejected"
            case .lost(.dismissal): "dismissed"
            }
        }
    }

    private func opened() -> PeerSession {
        var session = PeerSession(hello: hello("a"), at: start)
        _ = session.tick(at: start)
        _ = session.receive(welcome(token: 5), lane: .control, at: start)
        _ = session.receive(Message(Envelope(), .joined), lane: .data, at: start)
        return session
    }

    @Test("HELLO, WELCOME, JOIN, JOINED open both lanes")
    func opening() {
        var session = PeerSession(hello: hello("a"), at: start)
        #expect(names(session.tick(at: start)) == ["HELLO on control"])
        let answer = session.receive(welcome(token: 5), lane: .control, at: at(0.01))
        #expect(names(answer) == ["connect", "JOIN on data"])
        let joined = session.receive(Message(Envelope(), .joined), lane: .data, at: at(0.02))
        #expect(names(joined) == ["opened"])
        #expect(session.state == .open)
    }

    @Test("HELLO is repeated every 100 ms until it is answered")
    func repetition() {
        var session = PeerSession(hello: hello("a"), at: start)
        _ = session.tick(at: start)
        #expect(session.tick(at: at(0.05)).isEmpty)
        #expect(names(session.tick(at: at(0.1))) == ["HELLO on control"])
    }

    @Test("Who was stopped for long is told that, and not that the broker was lost")
    func absence() {
        var session = opened()
        #expect(session.tick(at: at(0.2)).isEmpty)
        #expect(session.tick(at: at(9.2)).isEmpty, "its own absence is not the broker's silence")
        let challenge = Message(Envelope(), .challenge)
        let answer = session.receive(challenge, lane: .control, at: at(9.3))
        #expect(names(answer) == ["absent for 9 s", "HELLO on control"])
        // The challenge may come before the first tick, too.
        session = opened()
        let early = session.receive(challenge, lane: .control, at: at(7))
        #expect(names(early) == ["absent for 7 s", "HELLO on control"])
        // What was long ago is no reason.
        session = opened()
        for step in 0...10 { _ = session.tick(at: at(9 + Double(step) / 2)) }
        let late = session.receive(challenge, lane: .control, at: at(14.1))
        #expect(names(late) == ["lost", "HELLO on control"])
    }

    @Test("Whoever hears HELLO or JOIN has met no broker")
    func echo() {
        let session = opened()
        #expect(PeerSession.isEcho(Message(Envelope(), .hello(session.hello))))
        #expect(PeerSession.isEcho(Message(Envelope(), .join(WireJoin()))))
        #expect(!PeerSession.isEcho(welcome(token: 5)))
        #expect(!PeerSession.isEcho(Message(Envelope(), .challenge)))
    }

    @Test("The answer to a repeated HELLO disturbs no session")
    func repeatedWelcome() {
        var session = opened()
        let answer = session.receive(welcome(token: 5), lane: .control, at: at(0.2))
        #expect(names(answer) == [])
        #expect(session.state == .open)
    }

    @Test("Another broker process means that everything under way is lost")
    func brokerRestart() {
        var session = opened()
        let answer = session.receive(welcome(token: 9, incarnation: 2), lane: .control, at: at(1))
        #expect(names(answer) == ["lost", "connect", "JOIN on data"])
    }

    @Test(
        "A challenge of an open session starts over, on either lane",
        arguments: [Lane.control, .data])
    func challenge(lane: Lane) {
        var session = opened()
        let answer = session.receive(Message(Envelope(), .challenge), lane: lane, at: at(1))
        #expect(names(answer) == ["lost", "HELLO on control"])
    }

    @Test("A challenge on the data lane before JOINED repeats JOIN only")
    func challengeWhileJoining() {
        var session = PeerSession(hello: hello("a"), at: start)
        _ = session.receive(welcome(token: 5), lane: .control, at: start)
        let answer = session.receive(Message(Envelope(), .challenge), lane: .data, at: at(0.01))
        #expect(names(answer) == ["JOIN on data"])
    }

    @Test("A token that nobody knows is given up, although challenges keep coming")
    func deadToken() {
        var session = PeerSession(hello: hello("a"), at: start)
        _ = session.receive(welcome(token: 5), lane: .control, at: start)
        var sent: [String] = []
        for step in 1...60 {
            let now = at(Double(step) / 10)
            _ = session.receive(Message(Envelope(), .challenge), lane: .data, at: now)
            sent += names(session.tick(at: now)) ?? []
        }
        #expect(sent.contains("HELLO on control"))
    }

    @Test(
        "A broker silent for longer than the limit is given up",
        arguments: [(4.9, true), (5.2, false)])
    func silence(seconds: Double, isOpen: Bool) {
        var session = opened()
        for step in stride(from: 0, through: seconds, by: 0.1) { _ = session.tick(at: at(step)) }
        #expect((session.state == .open) == isOpen)
    }

    @Test("Own absence is not the broker's silence, and is forgiven only once")
    func ownAbsence() {
        var session = opened()
        _ = session.tick(at: at(0.1))
        _ = session.tick(at: at(600))
        #expect(session.state == .open)
        for step in stride(from: 600.0, through: 605.3, by: 0.1) { _ = session.tick(at: at(step)) }
        #expect(session.state != .open)
    }

    @Test("GOODBYE ends the session, not the process: it says HELLO again, and only once")
    func goodbye() {
        var session = opened()
        let goodbye = Message(Envelope(), .goodbye)
        #expect(names(session.receive(goodbye, lane: .control, at: at(1))) == ["dismissed"])
        #expect(session.state == .greeting)
        #expect(names(session.receive(goodbye, lane: .control, at: at(1))) == [])
        #expect(session.tick(at: at(1.05)).isEmpty)
        #expect(names(session.tick(at: at(1.1))) == ["HELLO on control"])
    }

    @Test("Who is rejected asks again, slower; a rejection that comes late ends nothing")
    func rejection() {
        let rejection = Message(Envelope(), .reject(WireFailure(.nameTaken, "taken")))
        var session = PeerSession(hello: hello("a"), at: start)
        _ = session.tick(at: start)
        #expect(names(session.receive(rejection, lane: .control, at: at(0.01))) == ["rejected"])
        #expect(session.tick(at: at(0.9)).isEmpty)
        #expect(names(session.tick(at: at(1.1))) == ["HELLO on control"])
        _ = session.receive(welcome(token: 5), lane: .control, at: at(1.2))
        _ = session.receive(Message(Envelope(), .joined), lane: .data, at: at(1.3))
        #expect(names(session.receive(rejection, lane: .control, at: at(1.4))) == [])
        #expect(session.state == .open)
    }
}
