import FresnelModel
import FresnelWire
import Testing

@testable import FresnelSession

@Suite("The client's protocol engine")
struct ClientCoreTests {
    private var core = ClientCore(
        name: "c", bootID: 1, software: "test", endpoint: "tcp://there", at: start)

    private func sent(_ effects: [ClientEffect]) -> [Message] {
        effects.compactMap { if case .send(let message, _) = $0 { message } else { nil } }
    }

    private func notices(_ effects: [ClientEffect]) -> [String] {
        effects.compactMap { effect in
            guard case .notify(let id, let notice) = effect else { return nil }
            let kind =
                switch notice {
                case .accepted: "accepted"
                case .found: "found"
                case .done: "done"
                case .following: "following"
                case .changes: "changes"
                case .written: "written"
                case .state: "state"
                case .status: "status"
                case .planned: "planned"
                case .indexesChanged: "indexes changed"
                case .copied: "copied"
                case .failed(let failure): "failed \(failure.code)"
                }
            return "\(id.low) \(kind)"
        }
    }

    private mutating func receive(
        _ command: Command, _ envelope: Envelope = Envelope(), payload: [UInt8]? = nil,
        after seconds: Double = 0
    ) -> [ClientEffect] {
        let message = Message(envelope, command, payload: payload)
        return core.decide(.received(message, lane: message.lane), at: at(seconds))
    }

    @discardableResult
    private mutating func open(incarnation: UInt64 = 1, after seconds: Double = 0) -> [ClientEffect]
    {
        var welcome = WireWelcome()
        welcome.incarnation = incarnation
        welcome.sessionToken = 5 + incarnation
        welcome.deadAfterMs = 5000
        welcome.writeCreditBytes = 100
        return receive(.welcome(welcome), after: seconds) + receive(.joined, after: seconds)
    }

    private mutating func ask(_ number: UInt64, after seconds: Double = 0) -> [ClientEffect] {
        core.decide(.search(request(number).id, search(), budget: .seconds(60)), at: at(seconds))
    }

    private mutating func put(
        _ number: UInt64, bytes: Int = 10, after seconds: Double = 0
    ) -> [ClientEffect] {
        var put = WirePut()
        put.batchNumber = number
        let payload = [UInt8](repeating: 1, count: bytes)
        return core.decide(
            .put(request(number).id, put, payload: payload, budget: .seconds(60)), at: at(seconds))
    }

    private mutating func find(_ number: UInt64, sequence: UInt64, attempt: UInt32 = 0)
        -> [ClientEffect]
    {
        var envelope = request(number, attempt: attempt)
        envelope.sequence = sequence
        return receive(.found(WireFound()), envelope, payload: hitBatch(["a"]))
    }

    @Test("Requests wait for the session and then go out in the order they came")
    mutating func waiting() {
        #expect(sent(ask(1)).isEmpty && sent(put(2)).isEmpty)
        let messages = sent(open()).filter { $0.envelope.id != .session }
        #expect(messages.map(\.envelope.id.low) == [1, 2])
    }

    @Test(
        "Without a broker every request fails after two seconds", arguments: [(1.9, 0), (2.0, 1)])
    mutating func noBroker(seconds: Double, failures: Int) {
        _ = ask(1)
        let effects = core.decide(.tick, at: at(seconds))
        #expect(notices(effects).count == failures)
        #expect(core.pendingCount == 1 - failures)
    }

    @Test("After a broker's restart what is unanswered is asked again as the next try")
    mutating func restart() {
        open()
        _ = ask(1)
        _ = put(2)
        let again = sent(open(incarnation: 2)).filter { $0.envelope.id != .session }
        #expect(again.map(\.envelope.id.low) == [1, 2])
        #expect(again.map(\.envelope.attempt) == [1, 1])
    }

    @Test("A query that showed hits is not asked again: it fails, and may be asked anew")
    mutating func restartAmidHits() {
        open()
        _ = ask(1)
        #expect(notices(find(1, sequence: 0)) == ["1 found"])
        #expect(notices(open(incarnation: 2)) == ["1 failed \(ErrorCode.indexUnreachable.number)"])
        #expect(core.pendingCount == 0)
    }

    @Test("Answers to an earlier try are void, except that a batch was written")
    mutating func staleAnswers() {
        open()
        _ = ask(1)
        _ = put(2)
        open(incarnation: 2)
        #expect(notices(find(1, sequence: 0, attempt: 0)) == [])
        #expect(notices(receive(.done(WireDone()), request(1, attempt: 0))) == [])
        #expect(notices(receive(.busy(WireFailure()), request(2, attempt: 0))) == [])
        #expect(notices(receive(.putAck(WirePutAck()), request(2, attempt: 0))) == ["2 written"])
        #expect(notices(receive(.done(WireDone()), request(1, attempt: 1))) == ["1 done"])
    }

    @Test("A request ends once, whatever follows")
    mutating func oneEnd() {
        open()
        _ = ask(1)
        #expect(notices(receive(.done(WireDone()), request(1))) == ["1 done"])
        #expect(notices(receive(.done(WireDone()), request(1))) == [])
        #expect(notices(receive(.error(WireFailure()), request(1))) == [])
        #expect(notices(core.decide(.tick, at: at(100))) == [])
    }

    @Test("A missing batch of hits fails the query and stops it at the broker")
    mutating func gap() {
        open()
        _ = ask(1)
        let effects = find(1, sequence: 1)
        #expect(notices(effects) == ["1 failed \(ErrorCode.indexUnreachable.number)"])
        #expect(sent(effects).map(\.verb) == [.cancel])
    }

    @Test("BUSY is asked again after the time it names, as the next try")
    mutating func busy() {
        open()
        _ = ask(1)
        var failure = WireFailure(.busy, "wait")
        failure.retryAfterMs = 200
        #expect(notices(receive(.busy(failure), request(1))) == [])
        #expect(sent(core.decide(.tick, at: at(0.1))).filter { $0.verb == .query }.isEmpty)
        let again = sent(core.decide(.tick, at: at(0.2))).filter { $0.verb == .query }
        #expect(again.map(\.envelope.attempt) == [1])
    }

    @Test("Batches beyond the write credit wait, and none overtakes another")
    mutating func writeCredit() {
        open()
        #expect(sent(put(1, bytes: 60)).count == 1)
        #expect(sent(put(2, bytes: 60)).count == 0)
        // It would fit, but batch 2 comes first; one without bytes is no exception.
        #expect(sent(put(3, bytes: 10)).count == 0)
        #expect(sent(put(4, bytes: 0)).count == 0)
        let next = sent(receive(.putAck(WirePutAck()), request(1)))
        #expect(next.map(\.envelope.id.low) == [2, 3, 4])
    }

    @Test("A batch larger than all the credit goes when nothing else is on its way")
    mutating func largeBatch() {
        open()
        #expect(sent(put(1, bytes: 500)).count == 1)
        #expect(sent(put(2, bytes: 1)).count == 0)
    }

    @Test("Under lasting overload a query is told of its refusal; a tenth is asked again")
    mutating func retryBudget() {
        open()
        var failure = WireFailure(.busy, "wait")
        failure.retryAfterMs = 50
        var told = 0
        for number in 1...1000 as ClosedRange<UInt64> {
            _ = ask(number)
            told += notices(receive(.busy(failure), request(number))).count
        }
        // 256 for bursts, and one for ten queries.
        #expect(told == 1000 - 256 - 100 + 1, "\(told)")
        #expect(core.pendingCount == 1000 - told)
    }

    @Test("More queries than the broker takes from one client wait here")
    mutating func manyQueries() {
        open()
        let queries = (1...100 as ClosedRange<UInt64>).map { sent(ask($0)).count }
        #expect(queries.reduce(0, +) == 64)
        let next = sent(receive(.done(WireDone()), request(1))).filter { $0.verb == .query }
        #expect(next.map(\.envelope.id.low) == [65])
    }

    @Test("A refused query does not come back where a newer one has its slot")
    mutating func refusedSlot() {
        open()
        var search = search()
        search.slot = "box"
        _ = core.decide(.search(request(1).id, search, budget: .seconds(60)), at: at(0))
        _ = receive(.busy(WireFailure(.busy, "wait")), request(1))
        let effects = core.decide(
            .search(request(2).id, search, budget: .seconds(60)), at: at(0.001))
        #expect(notices(effects) == ["1 failed \(ErrorCode.cancelled.number)"])
        #expect(sent(effects).map(\.envelope.id.low) == [2])
    }

    @Test("Each refusal of the same query doubles the pause, up to two seconds")
    func pauses() {
        var failure = WireFailure(.busy, "wait")
        failure.retryAfterMs = 50
        let pauses = [0, 1, 3, 9].map { RetryBudget.pause(after: failure, attempt: $0) }
        #expect(pauses == [50, 100, 400, 2000].map { .milliseconds($0) })
        failure.retryAfterMs = 5000
        #expect(RetryBudget.pause(after: failure, attempt: 4) == .seconds(5))
    }

    @Test("A batch that was told to wait holds back all behind it")
    mutating func busyBatch() {
        open()
        _ = put(1)
        var failure = WireFailure(.busy, "wait")
        failure.retryAfterMs = 200
        _ = receive(.busy(failure), request(1))
        #expect(sent(put(2)).isEmpty)
        let again = sent(core.decide(.tick, at: at(0.25))).filter { $0.verb == .put }
        #expect(again.map(\.envelope.id.low) == [1, 2])
    }

    @Test("Cancel before sending ends at once; after sending the broker's completion ends it")
    mutating func cancel() {
        _ = ask(1)
        let unsent = core.decide(.cancel(request(1).id), at: start)
        #expect(notices(unsent) == ["1 failed \(ErrorCode.cancelled.number)"])
        open()
        _ = ask(2)
        let running = core.decide(.cancel(request(2).id), at: start)
        #expect(sent(running).map(\.verb) == [.cancel] && notices(running).isEmpty)
    }

    @Test(
        "A cancelled query is not asked again, after BUSY or a broker's restart",
        arguments: [true, false])
    mutating func cancelledIsNotRepeated(isBusy: Bool) {
        open()
        _ = ask(1)
        _ = core.decide(.cancel(request(1).id), at: start)
        let effects =
            isBusy ? receive(.busy(WireFailure(.busy, "")), request(1)) : open(incarnation: 2)
        #expect(notices(effects).count == 1 && core.pendingCount == 0)
        #expect(sent(effects).allSatisfy { $0.verb != .query })
    }

    @Test("Credit granted while no session stands goes out with the query")
    mutating func earlyCredit() {
        _ = ask(1)
        #expect(sent(core.decide(.grant(request(1).id, items: 5000, bytes: 9), at: start)).isEmpty)
        guard case .query(let search)? = sent(open()).last?.command else {
            Issue.record("not asked")
            return
        }
        #expect(search.creditItems == 5000)
    }

    @Test("A request without an answer fails soon after its time")
    mutating func deadline() {
        open()
        _ = core.decide(.search(request(1).id, search(), budget: .seconds(1)), at: start)
        #expect(notices(core.decide(.tick, at: at(1.25))) == [])
        let late = core.decide(.tick, at: at(1.75))
        #expect(notices(late) == ["1 failed \(ErrorCode.budgetExhausted.number)"])
    }
}
