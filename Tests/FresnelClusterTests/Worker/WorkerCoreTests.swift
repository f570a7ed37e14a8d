import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("The worker's protocol engine")
struct WorkerCoreTests {
    private var core = WorkerCore(name: WorkerID("w"), bootID: 1, software: "test", at: start)

    private mutating func receive(
        _ command: Command, _ envelope: Envelope = Envelope()
    ) -> [WorkerEffect] {
        let message = Message(envelope, command)
        return core.decide(.received(message, lane: message.lane), at: start)
    }

    private mutating func open(incarnation: UInt64 = 1, token: UInt64 = 5) {
        var welcome = WireWelcome()
        welcome.incarnation = incarnation
        welcome.sessionToken = token
        welcome.deadAfterMs = 5000
        _ = receive(.welcome(welcome))
        _ = receive(.joined)
    }

    private func sent(_ effects: [WorkerEffect]) -> [Message] {
        effects.compactMap { if case .send(let message, _) = $0 { message } else { nil } }
    }

    private mutating func putPart(attempt: UInt32 = 1) -> PartTicket? {
        var envelope = request(3, attempt: attempt)
        envelope.part = 2
        envelope.sequence = 40
        var part = WirePutPart()
        part.index = "items"
        part.shard = 2
        for effect in receive(.putPart(part), envelope) {
            if case .ingest(let ticket, _, _, _) = effect { return ticket }
        }
        return nil
    }

    @Test("The acknowledgement of a part names its request, part, sequence number and try")
    mutating func acknowledgement() throws {
        open()
        let ticket = try #require(putPart(attempt: 4))
        let answers = sent(core.decide(.ingested(ticket, WirePartAck()), at: start))
        let envelope = try #require(answers.first).envelope
        #expect(envelope.id == request(3).id && envelope.part == 2)
        #expect(envelope.sequence == 40 && envelope.attempt == 4)
        #expect(sent(core.decide(.ingested(ticket, WirePartAck()), at: start)).isEmpty)
        #expect(core.ticketCount == 0)
    }

    @Test("What a lost broker asked is dropped: searches are cancelled, parts stay unanswered")
    mutating func lostBroker() throws {
        open()
        let ticket = try #require(putPart())
        var subquery = WireSubquery()
        subquery.search = search()
        _ = receive(.subquery(subquery), Envelope(id: RequestID(high: 0, low: 1), part: 0))
        let effects = receive(.challenge)
        let cancelled = effects.contains { if case .cancel = $0 { true } else { false } }
        #expect(cancelled && core.tasks.count == 0)
        #expect(sent(core.decide(.ingested(ticket, WirePartAck()), at: start)).isEmpty)
    }

    @Test("Work that was left over from a session that is over is not begun")
    mutating func leftovers() {
        open()
        _ = receive(.challenge)
        var subquery = WireSubquery()
        subquery.search = search()
        #expect(receive(.subquery(subquery), request(1)).isEmpty)
        #expect(putPart() == nil)
    }

    @Test("ASSIGN is carried out before JOINED comes, since the lanes are not ordered")
    mutating func earlyAssign() {
        var welcome = WireWelcome()
        welcome.sessionToken = 5
        _ = receive(.welcome(welcome))
        var assign = WireAssign()
        assign.indexes = [WireIndexAssignment()]
        let effects = receive(.assign(assign))
        #expect(effects.contains { if case .host = $0 { true } else { false } })
    }

    @Test("X-10: what restores left is swept once a session, but for what is assigned or ordered")
    mutating func sweeping() {
        func kept(_ effects: [WorkerEffect]) -> Set<ShardKey>? {
            for case .sweepRestored(let kept) in effects { return kept }
            return nil
        }
        func key(_ index: String, _ shard: UInt32) -> ShardKey {
            ShardKey(index: index, shard: ShardID(shard))
        }
        open()
        var order = WireStoreShard()
        order.index = "made"
        order.work = .load
        _ = receive(.storeShard(order))
        var assign = WireAssign()
        var index = WireIndexAssignment()
        index.index = "items"
        index.shards = [1, 3]
        assign.indexes = [index]
        #expect(
            kept(receive(.assign(assign))) == [key("made", 0), key("items", 1), key("items", 3)])
        #expect(kept(receive(.assign(WireAssign()))) == nil, "nothing is swept in a session")
        _ = receive(.challenge)
        open(token: 6)
        #expect(kept(receive(.assign(WireAssign()))) == [], "a new session knows nothing of it")
    }

    @Test("PING is answered with what the worker holds")
    mutating func pong() throws {
        open()
        var inventory = WireShardInventory()
        inventory.index = "items"
        inventory.documents = 12
        _ = core.decide(.vitals(residentBytes: 5, [inventory]), at: start)
        guard case .pong(let pulse)? = sent(receive(.ping(WirePulse()))).first?.command else {
            Issue.record("no PONG")
            return
        }
        #expect(pulse.shards == [inventory] && pulse.residentBytes == 5)
    }

    @Test("The broker's time of each PING is handed on; one that tells none changes nothing")
    mutating func brokerTime() {
        open()
        func told(_ effects: [WorkerEffect]) -> [Double] {
            effects.compactMap { effect in
                if case .brokerTime(let seconds) = effect { seconds } else { nil }
            }
        }
        #expect(told(receive(.ping(WirePulse()))) == [])
        for error in [0, 3_456_000.0] {
            var ping = WirePulse()
            ping.wallClock = start.inSeconds + 500 + error
            #expect(told(receive(.ping(ping))) == [500 + error])
        }
    }

    @Test("PONG counts the merges since the worker began, and what went into them (S-36)")
    mutating func merges() throws {
        open()
        for bytes in [1000, 24] as [UInt64] {
            #expect(core.decide(.merged(bytes: bytes), at: start).isEmpty)
        }
        guard case .pong(let pulse)? = sent(receive(.ping(WirePulse()))).first?.command else {
            Issue.record("no PONG")
            return
        }
        #expect(pulse.merges == 2 && pulse.mergedBytes == 1024)
    }

    @Test("A worker that is sent away stays, asks again, and says why it is kept out once a minute")
    mutating func sentAway() {
        open()
        #expect(!sent(core.decide(.tick, at: start)).contains { $0.verb == .hello })
        _ = receive(.goodbye)
        #expect(sent(core.decide(.tick, at: at(0.2))).map(\.verb) == [.hello])
        var told = 0
        for second in 0..<70 {
            let effects = core.decide(
                .received(
                    Message(Envelope(), .reject(WireFailure(.nameTaken, "taken"))), lane: .control),
                at: at(Double(second)))
            told += effects.count { if case .log(.error, _) = $0 { true } else { false } }
        }
        #expect(told == 2)
        #expect(sent(core.decide(.tick, at: at(72))).map(\.verb) == [.hello])
    }
}
