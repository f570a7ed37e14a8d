import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Answers that are told by heart")
struct RepeatedAnswersTests {
    /// A client (2) that asks, and a worker (1) that answers with one hit when it is asked.
    struct Asker {
        var broker: BrokerHarness
        var number: UInt64 = 100
        /// Of the shard, as the worker tells it.
        var sequence: UInt64 = 1
        var expiration = 0.0
        /// Of its hit.
        var title = "a"
        /// How often the worker was asked.
        var asked = 0

        init() throws { broker = try BrokerHarness.serving() }

        private var document: Document {
            var document = Document(uniqueIdentifier: "a")
            document.attributes["title"] = .string(title)
            return document
        }

        /// What the client is sent.
        mutating func ask(
            _ search: WireSearch, from client: UInt8 = 2, after seconds: Double = 0
        ) throws -> [Message] {
            number += 1
            let former = broker.messages(to: address(client, .client, .data)).count
            let subqueries = broker.messages(to: address(1, .worker)).count
            broker.receive(.query(search), request(number), from: address(client), after: seconds)
            let sent = broker.messages(to: address(1, .worker)).dropFirst(subqueries)
            for task in sent where task.verb == .subquery {
                asked += 1
                var writer = HitBatchWriter()
                let hit = HitBody(
                    index: "items", score: nil,
                    document: DocumentCoding.encode(document))
                writer.append(key: [1], body: hit.encode())
                var found = WireFound()
                (found.items, found.total) = (1, 1)
                let lane = address(1, .worker, .data)
                broker.receive(
                    .found(found), task.envelope, payload: writer.bytes(), from: lane,
                    after: seconds)
                var done = WirePartDone()
                done.shards = [report(0, found: 1)]
                done.shards[0].sequence = sequence
                done.shards[0].nextExpiration = expiration
                broker.receive(.partDone(done), task.envelope, from: lane, after: seconds)
            }
            return Array(
                broker.messages(to: address(client, .client, .data)).dropFirst(former))
        }

        /// The completion.
        mutating func done(
            _ search: WireSearch, from client: UInt8 = 2, after seconds: Double = 0
        ) throws -> WireDone {
            let messages = try ask(search, from: client, after: seconds)
            guard case .done(let done)? = messages.last?.command else { throw Nothing() }
            return done
        }

        struct Nothing: Error {}

        /// What is known by heart as the broker sees it.
        func knows(_ search: WireSearch, after seconds: Double = 0) -> Bool {
            let standing = broker.core.standings.number(of: search.indexes)
            return standing != nil
                && broker.core.repeated.entry(for: search, at: moment(seconds))?.standing
                    == standing
        }
    }

    @Test("Q-71: what is told by heart is what was told, under the new request")
    func again() throws {
        var asker = try Asker()
        asker.broker.connect("d", 3)
        _ = try asker.ask(search())
        #expect(!asker.knows(search()), "a worker was asked")
        let kept = try asker.ask(search())
        #expect(asker.knows(search()) && asker.asked == 1)
        let told = try asker.ask(search(), from: 3)
        #expect(asker.asked == 1 && told.count == 1 && kept.count == 2)
        #expect(told.allSatisfy { $0.envelope.id == request(asker.number).id })
        guard case .done(let old)? = kept.last?.command, case .done(var new)? = told.last?.command
        else { throw Asker.Nothing() }
        // By heart the last hits come with the completion.
        #expect(told.last?.payload == kept.first?.payload && new.last.items == 1)
        new.clearLast()
        #expect(new == old && new.kept)
        let counters = asker.broker.core.counters
        #expect(counters.keptAnswers == 2 && counters.completions == 3)
        #expect(counters.deliveredHits == 3 && counters.acceptedQueries == 3)
    }

    /// After what an answer must be found again.
    enum Change: CaseIterable {
        case written, onItsWay, workerGoes, otherCredit, otherLimit, slot, aSecond, stalled
    }

    @Test("Q-71: another request, or another state, is looked at again", arguments: Change.allCases)
    func misses(change: Change) throws {
        var asker = try Asker()
        var search = search()
        for _ in 0..<2 { _ = try asker.ask(search) }
        #expect(asker.knows(search))
        var seconds = 0.0
        switch change {
        case .written:
            try asker.broker.put(2, batch: 2)
            for part in asker.broker.takeParts(1) { asker.broker.answer(part, from: 1) }
            asker.sequence = 2
        case .onItsWay: try asker.broker.put(2, batch: 2)
        case .workerGoes: asker.broker.decide(.unreachable(address(1, .worker)))
        case .otherCredit: search.creditItems += 1
        case .otherLimit: search.limit = 9
        case .slot: search.slot = "typing"
        case .aSecond: seconds = 1
        case .stalled: asker.broker.decide(.stalled(address(2, .client, .data)))
        }
        let known = asker.broker.core.counters.keptAnswers
        #expect(change == .stalled || !asker.knows(search, after: seconds))
        _ = try asker.ask(search, after: seconds)
        #expect(change != .slot || !asker.knows(search), "it takes another one's place")
        switch change {
        case .written, .onItsWay, .workerGoes, .otherLimit:
            #expect(asker.broker.core.counters.keptAnswers == known)
        case .otherCredit, .slot, .aSecond, .stalled:
            // Still true, and told with what this request needs, or once it is taken.
            #expect(asker.broker.core.counters.keptAnswers == known + 1 && asker.asked == 1)
        }
        let isAsked = [.written, .otherLimit].contains(change)
        #expect(asker.asked == (isAsked ? 2 : 1) || change == .onItsWay)
    }

    @Test("A large answer is kept, and not told by heart", arguments: [60, 70])
    func large(kibibytes: Int) throws {
        var asker = try Asker()
        asker.title = String(repeating: "a", count: kibibytes << 10)
        for _ in 0..<3 { _ = try asker.ask(search()) }
        #expect(asker.asked == 1 && asker.broker.core.counters.keptAnswers == 2)
        #expect(asker.knows(search()) == (kibibytes < 64))
    }

    @Test("Q-71: a document that expires ends what is known by heart, without any event")
    func expires() throws {
        var asker = try Asker()
        asker.expiration = moment(5).wall.seconds
        for _ in 0..<2 { _ = try asker.ask(search(), after: 4.4) }
        #expect(asker.knows(search(), after: 4.9) && !asker.knows(search(), after: 5))
        _ = try asker.ask(search(), after: 5)
        #expect(asker.asked == 2)
    }

    @Test("Q-71: whoever wants all attributes is not told what was told of attributes called *")
    func allAttributes() throws {
        var asker = try Asker()
        var (stars, all) = (search(), search())
        stars.attributes = ["*", "*"]
        all.allAttributes = true
        for search in [stars, stars, all] { _ = try asker.ask(search) }
        #expect(asker.asked == 2)
    }

    @Test("Q-71: an equivalent spelling is another request: its cursors have a digest of its own")
    func spellings() throws {
        var asker = try Asker()
        let (one, two) = ("title == \"\u{E9}\"", "title == \"e\u{301}\"")
        var spelled = (search(), search())
        (spelled.0.query, spelled.1.query) = (one, two)
        #expect(spelled.0 == spelled.1, "as messages are compared")
        for _ in 0..<2 { _ = try asker.ask(spelled.0) }
        #expect(asker.knows(spelled.0) && !asker.knows(spelled.1))
        for _ in 0..<2 { _ = try asker.ask(spelled.1) }
        #expect(asker.knows(spelled.0) && asker.knows(spelled.1) && asker.asked == 2)
    }

    @Test("Nobody looks twice where shards stand for what was never told")
    func unknown() throws {
        var asker = try Asker()
        _ = try asker.ask(search())
        #expect(asker.broker.core.standings.number(of: []) == nil)
    }

    @Test("An event that moves no shard leaves what is known")
    func quietEvents() throws {
        var asker = try Asker()
        for _ in 0..<2 { _ = try asker.ask(search()) }
        asker.broker.decide(.tick, after: 0.1)
        asker.broker.pong([1], after: 0.1)
        #expect(!asker.knows(search(), after: 0.2), "where the shards stand has to be looked at")
        let before = asker.broker.core.counters.keptAnswers
        _ = try asker.ask(search(), after: 0.2)
        #expect(asker.knows(search(), after: 0.2))
        #expect(asker.broker.core.counters.keptAnswers == before + 1 && asker.asked == 1)
    }

    @Test("What is known is bounded")
    func bounded() throws {
        var standings = ShardStandings()
        let shards = part(of: "a", shards: [0])
        let one = standings.note(.init(shards, structureVersion: 1), of: [])
        var repeated = RepeatedAnswers()
        var writer = HitBatchWriter()
        writer.append(key: [], body: Array(repeating: 0, count: 60 << 10))
        let answer = KeptAnswers.Answer(
            batches: [try HitBatch(writer.bytes(), mayBeFrontCoded: false)], done: WireDone(),
            page: PageEnds(), now: 0, validUntil: .infinity)
        for number in 1...100 as ClosedRange<UInt64> {
            repeated.note(
                .init(
                    messages: [], answer: answer, standing: one, toldAt: start,
                    requestBytes: 100),
                for: search(limit: number))
        }
        let known = (1...100 as ClosedRange<UInt64>).filter {
            repeated.entry(for: search(limit: $0), at: moment(0.1)) != nil
        }
        #expect(known.last == 100 && known.count <= 68)
        repeated.note(
            .init(
                messages: [], answer: answer, standing: one, toldAt: start,
                requestBytes: Limits.repeatedRequestBytes + 1),
            for: search(limit: 101))
        #expect(repeated.entry(for: search(limit: 101), at: moment(0.1)) == nil)
        // The same request again and again is one request.
        for _ in 0..<50 {
            repeated.note(
                .init(
                    messages: [], answer: answer, standing: one, toldAt: start,
                    requestBytes: 100),
                for: search(limit: 100))
        }
        #expect(repeated.entry(for: search(limit: known[0]), at: moment(0.1)) != nil)
        let limit = Limits.rememberedStandings
        let numbers = (0..<limit + 40).map {
            standings.note(.init(shards, structureVersion: 1), of: ["\($0)"])
        }
        #expect(Set(numbers).count == limit + 40)
        // None but the newest are known once they are too many.
        #expect((0..<limit + 40).count { standings.number(of: ["\($0)"]) != nil } <= 41)
        #expect(standings.number(of: ["\(limit + 39)"]) == numbers.last)
    }
}
