import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Kept answers that go beyond a client's credit")
struct KeptUnderCreditTests {
    /// What a client was told, and what it granted.
    private struct Ear {
        private(set) var hits: [(key: [UInt8], body: [UInt8])] = []
        private(set) var batchCount = 0
        private(set) var done: WireDone?
        private var granted: CreditWindow

        init(_ search: WireSearch) {
            granted = CreditWindow(items: search.creditItems, bytes: search.creditBytes)
        }

        mutating func grant(_ credit: WireCredit) {
            granted.grant(items: credit.items, bytes: credit.bytes)
        }

        /// - Returns: whether nothing else was to be done, and no credit is exceeded.
        mutating func hear(_ actions: [QueryTable.Action]) throws -> Bool {
            var isRight = true
            for action in actions {
                guard case .toClient(_, let message) = action else {
                    isRight = false
                    continue
                }
                if case .done(let last) = message.command { done = last }
                guard case .found = message.command, let payload = message.payload else { continue }
                let batch = try HitBatchReader(payload)
                batchCount += 1
                hits += (0..<batch.count).map { (Array(batch.key($0)), Array(batch.body($0))) }
                isRight =
                    granted.use(items: UInt64(batch.count), bytes: UInt64(payload.count)) && isRight
            }
            return isRight
        }
    }

    /// Asks, and grants one hit more at a time, until all is told; workers answer at once.
    private func ask(
        _ asked: WireSearch, _ asker: inout KeptAnswersTests.Asker, isKept: Bool
    ) throws -> Ear {
        var ear = Ear(asked)
        if isKept {
            #expect(try ear.hear(asker.begin(asked, of: asker.shards)))
        } else {
            let told = try asker.start(asked).map { QueryTable.Action.toClient(SessionID(1), $0) }
            #expect(try ear.hear(told))
        }
        for step in 1...20 as ClosedRange<UInt64> where ear.done == nil {
            let before = ear.hits.count
            let credit = WireCredit.with(
                items: asked.creditItems + step, bytes: asked.creditBytes + 300 * step)
            ear.grant(credit)
            let actions = asker.table.grant(
                credit, to: request(asker.number).id, of: SessionID(1), at: at(1))
            #expect(try ear.hear(actions))
            #expect(ear.hits.count <= before + 2, "what was granted before was not told before")
        }
        return ear
    }

    @Test(
        "They are told as it grants, the same as workers' answers",
        arguments: [
            [(2, 4000), (1, 4000)], [(3, 4000), (1, 300)], [(4, 900), (2, 500)],
            [(4, 500), (4, 500)], [(4, 4000), (3, 300)],
        ] as [[(items: UInt64, bytes: UInt64)]],
        [(.found, 9), (.settled, 9), (.settled, 3)]
            as [(delivery: WireDelivery, limit: UInt64)])
    func told(
        credits: [(items: UInt64, bytes: UInt64)],
        asking: (delivery: WireDelivery, limit: UInt64)
    ) throws {
        var asker = KeptAnswersTests.Asker()
        asker.hitBytes = 200
        var asked = search(delivery: asking.delivery, limit: asking.limit)
        (asked.creditItems, asked.creditBytes) = credits[0]
        let first = try ask(asked, &asker, isKept: false)
        (asked.creditItems, asked.creditBytes) = credits[1]
        let again = try ask(asked, &asker, isKept: true)
        (asked.creditItems, asked.creditBytes) = (100, 100_000)
        let atOnce = try ask(asked, &asker, isKept: true)
        #expect(asker.table.count == 0 && asker.table.keptAnswerCount == 2)
        // How it was granted first is nothing to who grants all.
        #expect(atOnce.batchCount == 1)
        var expected = try #require(first.done)
        #expect(expected.complete && expected.delivered == min(4, asking.limit))
        #expect(!expected.kept)
        (expected.kept, expected.elapsedUs) = (true, 0)
        for ear in [again, atOnce] {
            #expect(ear.hits.map(\.key) == first.hits.map(\.key))
            #expect(ear.hits.map(\.body) == first.hits.map(\.body))
            var done = try #require(ear.done)
            done.elapsedUs = 0
            #expect(done == expected)
        }
    }

    @Test(
        "Q-71: hits that were told in too many batches that cannot be joined are not kept",
        arguments: [(256, true), (257, false)])
    func pieces(count: Int, isKept: Bool) throws {
        var asker = KeptAnswersTests.Asker()
        var asked = search(delivery: .found)
        asked.frontCoded = true
        var shards = part(of: "a", shards: [0])
        shards[0].settledSequence = SequenceNumber(5)
        var ear: [QueryTable.Action] = []
        for case .toWorker(let worker, let message) in try asker.begin(asked, of: shards) {
            var envelope = message.envelope
            for number in 0..<count {
                envelope.sequence = UInt64(number)
                let coded = try FrontCodedBatchTests.frontCoded(["hit \(number)"])
                // Of both versions in turns, as of documents with and without a domain.
                let whole = try HitBatch(coded, mayBeFrontCoded: true).whole.bytes
                var found = WireFound()
                (found.items, found.total) = (1, UInt64(number + 1))
                let payload = number.isMultiple(of: 2) ? coded : whole
                ear +=
                    asker.table.receive(
                        Message(envelope, .found(found), payload: payload), from: worker,
                        at: at(1)) ?? []
            }
            var done = WirePartDone()
            done.shards = [report(0, found: UInt64(count))]
            (done.shards[0].searched, done.shards[0].owned) = (1000, 1000)
            done.shards[0].sequence = 5
            ear +=
                asker.table.receive(
                    Message(message.envelope, .partDone(done)), from: worker, at: at(1)) ?? []
        }
        guard case .toClient(_, let last)? = ear.last, case .done(let done) = last.command else {
            Issue.record("no completion after \(ear.count) actions")
            return
        }
        #expect(done.complete && done.delivered == UInt64(count) && ear.count == count + 1)
        let isAsked = try asker.begin(asked, of: shards).contains { action in
            if case .toWorker = action { true } else { false }
        }
        #expect(isAsked != isKept)
    }

    /// A table that is telling one, of which one hit is told.
    private func telling(slot: String = "") throws -> KeptAnswersTests.Asker {
        var asker = KeptAnswersTests.Asker()
        asker.hitBytes = 200
        _ = try asker.start(search())
        var few = search()
        (few.creditItems, few.slot) = (1, slot)
        var ear = Ear(few)
        #expect(try ear.hear(asker.begin(few, of: asker.shards)))
        #expect(ear.hits.count == 1 && ear.done == nil)
        #expect(asker.table.count == 1 && asker.table.keptAnswerCount == 1)
        #expect((500..<8000).contains(asker.table.reservedBytes(of: SessionID(1))))
        return asker
    }

    private func end(_ actions: [QueryTable.Action]) throws -> WireDone {
        var ear = Ear(search())
        #expect(try ear.hear(actions), "workers were told of what they were not asked")
        #expect(ear.hits.isEmpty)
        return try #require(ear.done)
    }

    @Test("One that is cancelled, late, superseded or whose client is gone leaves nothing behind")
    func ended() throws {
        var asker = try telling()
        var done = try end(asker.table.cancel(request(2).id, of: SessionID(1), at: at(1)))
        #expect(done.status == "cancelled" && done.kept && done.delivered == 1)
        #expect(asker.table.count == 0)

        asker = try telling()
        #expect(asker.table.tick(at: at(9)).isEmpty)
        done = try end(asker.table.tick(at: at(11)))
        #expect(done.status == "deadline" && done.delivered == 1 && !done.complete)
        #expect(asker.table.count == 0)

        asker = try telling(slot: "page")
        var next = search("rating >= 9")
        next.slot = "page"
        _ = try asker.start(next)
        #expect(asker.table.count == 0)

        asker = try telling()
        _ = asker.table.lose(client: SessionID(1), at: at(1))
        #expect(asker.table.count == 0 && asker.table.rememberedBytes == 0)
        #expect(try self.done(asker.start(search())).kept)
    }

    @Test("Workers that are lost, or speak of it, change nothing")
    func workers() throws {
        var asker = try telling()
        #expect(asker.table.lose(worker: WorkerID("a"), at: at(1)).isEmpty)
        #expect(!asker.table.asks(WorkerID("b"), for: ShardKey(index: "items", shard: ShardID(2))))
        let envelope = Envelope(id: RequestID(high: 0, low: 2), part: 0)
        let lie = Message(envelope, .partDone(WirePartDone()))
        #expect(asker.table.receive(lie, from: WorkerID("a"), at: at(1)) == nil)
        var ear = Ear(search())
        let credit = WireCredit.with(items: 100, bytes: 100_000)
        #expect(
            try ear.hear(
                asker.table.grant(credit, to: request(2).id, of: SessionID(1), at: at(1))))
        #expect(ear.hits.count == 3 && ear.done?.complete == true && ear.done?.kept == true)
    }

    @Test("A client whose lane is full is told once it takes more, and no worker is asked")
    func held() throws {
        var asker = KeptAnswersTests.Asker()
        let first = try done(asker.start(search()))
        #expect(asker.table.hold(SessionID(1), at: at(1)).isEmpty)
        var ear = Ear(search())
        #expect(try ear.hear(asker.begin(search(), of: asker.shards)))
        #expect(ear.hits.isEmpty && ear.done == nil)
        #expect(try ear.hear(asker.table.resume(SessionID(1), at: at(1))))
        #expect(ear.hits.count == 4 && ear.done?.kept == true && ear.done?.digest == first.digest)
    }

    private func done(_ messages: [Message]) throws -> WireDone {
        try KeptAnswersTests().done(messages)
    }
}

extension WireCredit {
    fileprivate static func with(items: UInt64, bytes: UInt64) -> WireCredit {
        var credit = WireCredit()
        (credit.items, credit.bytes) = (items, bytes)
        return credit
    }
}
