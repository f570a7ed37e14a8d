import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("A client that follows a query")
struct ClientFollowTests {
    private var core = ClientCore(
        name: "c", bootID: 1, software: "test", endpoint: "tcp://there", at: start)

    private func sent(_ effects: [ClientEffect]) -> [Verb] {
        effects.compactMap { if case .send(let message, _) = $0 { message.verb } else { nil } }
    }

    private func notices(_ effects: [ClientEffect]) -> [String] {
        effects.compactMap { effect in
            guard case .notify(_, let notice) = effect else { return nil }
            return switch notice {
            case .done: "done"
            case .following: "following"
            case .changes(let changes, _): "changes \(changes.round)"
            case .failed(let failure): "failed \(failure.code)"
            case .accepted, .found, .written, .state, .status, .planned, .indexesChanged, .copied:
                "other"
            }
        }
    }

    private mutating func receive(
        _ command: Command, _ envelope: Envelope = Envelope(), after seconds: Double = 0
    ) -> [ClientEffect] {
        let message = Message(envelope, command)
        return core.decide(.received(message, lane: message.lane), at: at(seconds))
    }

    @discardableResult
    private mutating func open(incarnation: UInt64 = 1) -> [ClientEffect] {
        var welcome = WireWelcome()
        welcome.incarnation = incarnation
        welcome.sessionToken = 5 + incarnation
        welcome.deadAfterMs = 500_000
        return receive(.welcome(welcome)) + receive(.joined)
    }

    /// Asks a query to be followed, and answers it.
    private mutating func follow(isComplete: Bool = true) -> [ClientEffect] {
        open()
        var search = search()
        search.follow = true
        _ = core.decide(.search(request(1).id, search, budget: .seconds(60)), at: start)
        var done = WireDone()
        done.complete = isComplete
        return receive(.done(done), request(1))
    }

    private mutating func change(
        _ sequence: UInt64, end: Int32? = nil, after seconds: Double = 0
    ) -> [ClientEffect] {
        var changes = WireChanges()
        changes.round = sequence + 1
        if let end { changes.end.code = end }
        var envelope = request(1)
        envelope.sequence = sequence
        return receive(.changes(changes), envelope, after: seconds)
    }

    @Test("Q-61: changes follow a complete answer beyond its deadline, until the end is told")
    mutating func following() {
        #expect(notices(follow()) == ["following"])
        #expect(notices(change(0)) == ["changes 1"])
        #expect(notices(core.decide(.tick, at: at(100))) == [])
        #expect(notices(change(1, after: 101)) == ["changes 2"])
        #expect(notices(change(2, end: 414, after: 102)) == ["failed 414"])
        #expect(core.pendingCount == 0)
    }

    @Test("Q-61: nothing follows an answer that is not complete")
    mutating func incomplete() {
        #expect(notices(follow(isComplete: false)) == ["done"])
        #expect(core.pendingCount == 0)
    }

    @Test("A gap between changes ends them, and the broker is told")
    mutating func gap() {
        _ = follow()
        let effects = change(1)
        #expect(notices(effects) == ["failed -2001"])
        #expect(sent(effects) == [.cancel])
    }

    @Test("Q-64: a lost broker ends them, since its successor knows nothing of the query")
    mutating func lost() {
        _ = follow()
        #expect(notices(open(incarnation: 2)).contains("failed -2001"))
        #expect(core.pendingCount == 0)
    }

    @Test("Q-68: whoever gave up, and is told of changes all the same, cancels")
    mutating func disowned() {
        _ = follow()
        #expect(sent(core.decide(.cancel(request(1).id), at: start)) == [.cancel])
        #expect(sent(change(0)) == [.cancel])
        #expect(notices(change(1)) == [])
    }

    @Test("Q-68: a followed query that is given up at its deadline is cancelled")
    mutating func late() {
        open()
        var search = search()
        search.follow = true
        _ = core.decide(.search(request(1).id, search, budget: .seconds(1)), at: start)
        let effects = core.decide(.tick, at: at(2))
        #expect(sent(effects).contains(.cancel))
        #expect(notices(effects) == ["failed \(ErrorCode.budgetExhausted.number)"])
    }
}
