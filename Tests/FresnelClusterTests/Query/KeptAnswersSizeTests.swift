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
        // Four of a quarter fill the memory, and three small ones are there beside.
        let running = asker.table.rememberedBytes
        #expect(running == (4 << 20) + 3 * 64 << 10)
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
}
