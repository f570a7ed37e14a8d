import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("A part that was given up, among replicas")
struct GivenUpPartTests {
    private let one = WorkerID("one")
    private let two = WorkerID("two")
    private let three = WorkerID("three")
    private let nowhere: (WorkerID) -> SequenceNumber? = { _ in nil }

    /// Part 7 as it was sent to three replicas, in attempts 1, 2 and 3.
    private func part() -> GivenUpPart {
        var part = PendingPart(reserving: ShardID(1))
        for (attempt, worker) in [one, two, three].enumerated() {
            part.tries[worker] = PartTry(
                attempt: UInt32(attempt) + 1, previous: SequenceNumber(4))
        }
        return GivenUpPart(part, under: SequenceNumber(7))
    }

    private func taken() -> WirePartAck {
        var ack = WirePartAck()
        ack.lastSequence = 7
        return ack
    }

    private func refused() -> WirePartAck {
        var ack = WirePartAck()
        ack.lastSequence = 4
        ack.error = WireFailure(.diskFull, "no room")
        return ack
    }

    @Test("All must speak; who has not got what another one has must leave")
    func lateRefusal() {
        var part = part()
        let all = [one, two, three]
        part.note(taken(), from: one, attempt: 1)
        part.note(refused(), from: two, attempt: 1)
        part.note(taken(), from: three, attempt: 3)
        #expect(
            part.verdict(of: all, head: nowhere) == nil,
            "a refusal of an older attempt says nothing")
        part.note(refused(), from: two, attempt: 2)
        #expect(part.verdict(of: all, head: nowhere) == .differ([two]))
        #expect(part.verdict(of: [one, three], head: nowhere) == .taken)
    }

    @Test("What all refuse is nowhere, and what one that opens shows is its word")
    func reopened() {
        var part = part()
        for (attempt, worker) in [one, two, three].enumerated() {
            part.note(refused(), from: worker, attempt: UInt32(attempt) + 1)
        }
        #expect(
            part.verdict(of: [one, two, three], head: nowhere) == .refused(last: SequenceNumber(4)))
        part.forget(three)
        #expect(part.verdict(of: [one, two, three], head: nowhere) == nil)
        part.note(taken(), from: three, attempt: 3)
        #expect(part.verdict(of: [one, two, three], head: nowhere) == nil, "said before it went")
        part.note(three, opensAt: SequenceNumber(7))
        #expect(part.verdict(of: [one, two, three], head: nowhere) == .differ([one, two]))
    }

    @Test("Who has it from before agrees with whoever took it now")
    func repeated() {
        var part = part()
        part.note(taken(), from: one, attempt: 1)
        part.note(two, opensAt: SequenceNumber(9))
        #expect(part.verdict(of: [one, two], head: nowhere) == .taken)
        #expect(part.verdict(of: [], head: nowhere) == nil)
    }

    @Test("Who stands where another one has it from before, under another number, has it as well")
    func underAnotherNumber() {
        let cases: [(UInt64, Bool)] = [(3, true), (4, true), (5, false), (0, false)]
        for (applied, isThere) in cases {
            var part = part()
            var ack = taken()
            (ack.lastSequence, ack.appliedSequence) = (applied == 0 ? 0 : 6, applied)
            part.note(ack, from: one, attempt: 1)
            part.note(refused(), from: two, attempt: 2)
            #expect(
                part.verdict(of: [one, two], head: nowhere) == (isThere ? .taken : .differ([two])))
            part.forget(two)
            part.note(two, opensAt: SequenceNumber(4))
            #expect(
                part.verdict(of: [one, two], head: nowhere) == (isThere ? .taken : .differ([two])))
        }
    }

    @Test("Who is open and was never sent it lacks it, wherever it stands now")
    func neverSent() {
        var sent = PendingPart(reserving: ShardID(1))
        sent.tries[one] = PartTry(attempt: 1, previous: SequenceNumber(4))
        var part = GivenUpPart(sent, under: SequenceNumber(7))
        part.note(taken(), from: one, attempt: 1)
        part.forget(one)
        #expect(part.verdict(of: [two], head: nowhere) == nil, "it is away, and may have it")
        let open: (WorkerID) -> SequenceNumber? = { _ in SequenceNumber(4) }
        #expect(part.verdict(of: [two], head: open) == .refused(last: SequenceNumber(4)))
        part.note(one, opensAt: SequenceNumber(4))
        #expect(
            part.verdict(of: [two, one], head: open) == .refused(last: SequenceNumber(4)),
            "copied from the other one")
        part.note(one, opensAt: SequenceNumber(7))
        #expect(part.verdict(of: [two, one], head: open) == .differ([two]))
    }

    @Test("A part that was refused and is there all the same is what the next one follows")
    func standing() throws {
        var broker = try BrokerHarness.serving()
        try broker.put(2, batch: 2)
        let refused = try #require(broker.takeParts(1).first)
        broker.answer(refused, from: 1, error: .storageFailed, last: 1)
        var shard = WireShardInventory()
        shard.index = "items"
        shard.lastSequence = refused.envelope.sequence
        var pulse = WirePulse()
        pulse.shards = [shard]
        broker.receive(.pong(pulse), from: address(1, .worker))
        try broker.put(2, batch: 3)
        guard case .putPart(let next)? = broker.takeParts(1).first?.command else {
            Issue.record("no part was sent")
            return
        }
        #expect(next.previousSequence == refused.envelope.sequence)
    }

    @Test("A replica that catches up and has a part behind one that was given up does not join")
    func tail() throws {
        var broker = try BrokerHarness.serving()
        let key = ShardKey(index: "items", shard: ShardID(0))
        _ = broker.core.writes.follow(key, on: one, after: SequenceNumber(1), epoch: Epoch(1))
        try broker.put(2, batch: 2, request: request(2, budget: .seconds(1)))
        try broker.put(2, batch: 3)
        #expect(broker.core.writes.shards[key]?.lanes[one]?.head == SequenceNumber(3))
        broker.decide(.unreachable(address(1, .worker)))
        broker.decide(.tick, after: 2)
        broker.connect("w", 3, .worker, boot: 2)
        broker.host(3, lastSequence: 1, after: 2)
        let part = try #require(broker.takeParts(3).first)
        #expect(part.envelope.sequence == 3)
        #expect(broker.core.writes.shards[key]?.tailing == [one])
        broker.answer(part, from: 3, after: 2)
        #expect(broker.core.writes.shards[key]?.tailing == [], "it may have the part given up")
        #expect(broker.acks(2).last?.refusals.isEmpty == true)
    }
}
