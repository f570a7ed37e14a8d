import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("How large the answers are that the broker keeps")
struct KeptAnswersSizeTests {
    private typealias Asker = KeptAnswersTests.Asker

    private func done(_ messages: [Message]) throws -> WireDone {
        try KeptAnswersTests().done(messages)
    }

    @Test("An answer of four hits is kept up to 2 MiB", arguments: [(500, true), (514, false)])
    func large(kibibytes: Int, isKept: Bool) throws {
        var asker = Asker(table: QueryTable(keptAnswerBytes: 16 << 20))
        asker.hitBytes = kibibytes << 10
        _ = try asker.start(search())
        #expect(try done(asker.start(search())).kept == isKept)
    }

    @Test("What running queries remember for it is no more than what is kept, but for small ones")
    func remembered() throws {
        var asker = Asker(table: QueryTable(keptAnswerBytes: 4 << 20))
        for number in 0..<7 {
            let asked = search("rating >= \(number)")
            var plan = try QueryPlan(
                asked, shards: asker.shards, schema: AttributeSchema(), at: moment())
            plan.texts = PlanMemory.Question(asked, schemaVersion: 3)
            _ = asker.table.start(
                plan, request: request(UInt64(100 + number)), client: SessionID(1), at: at(0),
                deadline: at(10))
        }
        // Two of 2 MiB fill the memory, and five small ones are there beside.
        let running = asker.table.rememberedBytes
        #expect(running == (4 << 20) + 5 * 64 << 10)
        for (kibibytes, isKept) in [(20, false), (15, true)] {
            asker.hitBytes = kibibytes << 10
            let asked = search("rating >= 1\(kibibytes)")
            _ = try asker.start(asked)
            #expect(try done(asker.start(asked)).kept == isKept)
        }
        #expect(asker.table.rememberedBytes == running)
        _ = asker.table.lose(client: SessionID(1), at: at(1))
        #expect(asker.table.rememberedBytes == 0 && asker.table.count == 0)
    }

    /// The hits that a client is sent, and the completion where it came.
    private func heard(_ messages: [Message]) throws -> (hits: [[UInt8]], done: WireDone?) {
        var (hits, done): ([[UInt8]], WireDone?) = ([], nil)
        for message in messages {
            if case .done(let last) = message.command { done = last }
            guard let payload = message.payload, !payload.isEmpty else { continue }
            let batch = try HitBatch(payload, mayBeFrontCoded: true).whole
            hits += (0..<batch.count).map { Array(batch.body($0)) }
        }
        return (hits, done)
    }

    @Test(
        "What goes beyond a client's credit is kept as well, and told as that grants",
        arguments: [(4, 4000), (3, 4000), (2, 4000), (4, 900), (4, 500)],
        [WireDelivery.found, .settled])
    func beyondCredit(credit: (items: Int, bytes: Int), delivery: WireDelivery) throws {
        var asker = Asker()
        asker.hitBytes = 200
        var asked = search(delivery: delivery)
        (asked.creditItems, asked.creditBytes) = (UInt64(credit.items), UInt64(credit.bytes))
        var answers: [(hits: [[UInt8]], done: WireDone)] = []
        for number in 1...3 as ClosedRange<UInt64> {
            // The third is asked by a client that may be sent all of it.
            if number == 3 { (asked.creditItems, asked.creditBytes) = (100, 100_000) }
            var messages = try asker.start(asked)
            for items in 1...20 as ClosedRange<UInt64> where try heard(messages).done == nil {
                let hits = try heard(messages).hits
                #expect(hits.count <= max(credit.items, Int(items)))
                let grant = WireCredit.with(items: items + 1, bytes: 4000 + 500 * items)
                for action in asker.table.grant(
                    grant, to: request(number).id, of: SessionID(1), at: at(1))
                {
                    if case .toClient(_, let message) = action { messages.append(message) }
                }
            }
            let (hits, done) = try heard(messages)
            answers.append((hits, try #require(done)))
        }
        #expect(answers.map(\.done.kept) == [false, true, true])
        #expect(answers.allSatisfy { $0.hits == answers[0].hits && $0.hits.count == 4 })
        #expect(answers.allSatisfy { $0.done.digest == answers[0].done.digest })
        #expect(answers.allSatisfy { $0.done.complete && $0.done.delivered == 4 })
        #expect(asker.table.count == 0 && asker.table.keptAnswerCount == 2)
    }

    @Test("A client that goes, or cancels, while it is told a kept answer leaves nothing behind")
    func cancelled() throws {
        var asker = Asker()
        asker.hitBytes = 200
        _ = try asker.start(search())
        var few = search()
        few.creditItems = 1
        _ = try asker.start(few)
        #expect(asker.table.count == 1)
        let actions = asker.table.cancel(request(2).id, of: SessionID(1), at: at(1))
        let sent = actions.compactMap { action in
            if case .toClient(_, let message) = action { message } else { nil }
        }
        #expect(sent.count == actions.count, "workers were told of what they were not asked")
        #expect(try heard(sent).done?.status == "cancelled")
        _ = try asker.start(few)
        _ = asker.table.lose(client: SessionID(1), at: at(1))
        #expect(asker.table.count == 0 && asker.table.rememberedBytes == 0)
    }
}

extension WireCredit {
    fileprivate static func with(items: UInt64, bytes: UInt64) -> WireCredit {
        var credit = WireCredit()
        (credit.items, credit.bytes) = (items, bytes)
        return credit
    }
}
