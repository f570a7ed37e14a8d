import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Answers that the broker keeps")
struct KeptAnswersTests {
    /// Asks a table, and answers for its workers: shards 0 and 1 on a, 2 on b.
    struct Asker {
        var table = QueryTable(keptAnswerBytes: 1 << 20)
        var number: UInt64 = 0
        /// The newest part of each shard.
        var settled: [UInt64?] = [5, 6, 7]
        var expiration = 0.0
        /// Bytes of each hit's text.
        var hitBytes = 0
        /// What workers say that they read of shards, where that is another part than believed.
        var told: [UInt32: UInt64] = [:]
        var schema = AttributeSchema()

        var shards: [SearchableShard] {
            var shards = part(of: "a", shards: [0, 1]) + part(of: "b", shards: [2])
            for number in shards.indices {
                shards[number].settledSequence = settled[number].map { SequenceNumber($0) }
            }
            return shards
        }

        mutating func start(_ search: WireSearch, after seconds: Double = 0) throws -> [Message] {
            try start(search, of: shards, after: seconds)
        }

        /// What the client is sent; workers that are asked say that they found two hits each.
        mutating func start(
            _ search: WireSearch, of shards: [SearchableShard], after seconds: Double = 0
        ) throws -> [Message] {
            var actions = try begin(search, of: shards, after: seconds)
            for case .toWorker(let worker, let message) in actions {
                actions += answer(message.envelope, worker, shards, search)
            }
            return actions.compactMap { action in
                if case .toClient(_, let message) = action { message } else { nil }
            }
        }

        /// What comes of a question, before a worker answers.
        mutating func begin(
            _ search: WireSearch, of shards: [SearchableShard], after seconds: Double = 0
        ) throws -> [QueryTable.Action] {
            number += 1
            var plan = try QueryPlan(
                search, shards: shards, schema: schema, at: moment(seconds))
            plan.texts = PlanMemory.Question(search, schemaVersion: 3)
            return table.start(
                plan, request: request(number), client: SessionID(1), at: at(seconds),
                deadline: at(seconds) + .seconds(10))
        }

        private func document(_ name: String) -> Document {
            var document = Document(uniqueIdentifier: name)
            if hitBytes > 0 {
                document.attributes["title"] = .string(String(repeating: "x", count: hitBytes))
            }
            return document
        }

        private mutating func answer(
            _ envelope: Envelope, _ worker: WorkerID, _ shards: [SearchableShard],
            _ search: WireSearch
        ) -> [QueryTable.Action] {
            var writer = HitBatchWriter()
            for text in ["\(worker.name)1", "\(worker.name)2"] {
                let hit = HitBody(
                    index: "items", score: nil,
                    document: DocumentCoding.encode(document(text)))
                writer.append(key: Array(text.utf8), body: hit.encode())
            }
            var found = WireFound()
            found.items = search.countOnly ? 0 : 2
            found.total = found.items
            var actions: [QueryTable.Action] = []
            if !search.countOnly {
                actions +=
                    table.receive(
                        Message(envelope, .found(found), payload: writer.bytes()), from: worker,
                        at: at(1)) ?? []
            }
            var done = WirePartDone()
            done.shards = shards.filter { $0.worker == worker }.map { shard in
                var told = report(shard.shard.number)
                told.sequence =
                    self.told[shard.shard.number]
                    ?? shard.settledSequence?.value ?? shard.snapshot.value
                told.nextExpiration = expiration
                return told
            }
            done.shards[0].found = 2
            actions +=
                table.receive(
                    Message(envelope, .partDone(done)), from: worker, at: at(1)) ?? []
            return actions
        }
    }

    func done(_ messages: [Message]) throws -> WireDone {
        guard case .done(let done)? = messages.last?.command else {
            throw Missing(verbs: messages.map(\.verb))
        }
        return done
    }

    struct Missing: Error { let verbs: [Verb] }

    @Test("Q-71: what was asked before is told again, hit by hit, and says so", arguments: [2, 9])
    func again(limit: UInt64) throws {
        var asker = Asker()
        let first = try asker.start(search(limit: limit))
        let again = try asker.start(search(limit: limit), after: 3)
        #expect(first.map(\.verb) == again.map(\.verb) || first.count > again.count)
        #expect(try !done(first).kept && done(again).kept)
        let hits = [first, again].map { $0.compactMap(\.payload).joined().count }
        #expect(hits[0] == hits[1] && hits[0] > 0)
        #expect(asker.table.keptAnswerCount == 1 && asker.table.count == 0)
        var (old, new) = (try done(first), try done(again))
        #expect(new.delivered == min(limit, 4) && new.digest == old.digest)
        // A cursor names the instant of its own query.
        #expect(old.nextBytes.isEmpty == new.nextBytes.isEmpty)
        #expect(old.nextBytes.isEmpty == (limit == 9))
        (old.nextBytes, new.nextBytes) = ([], [])
        (old.elapsedUs, new.elapsedUs, new.kept) = (0, 0, false)
        #expect(old == new)
        #expect(again.allSatisfy { $0.envelope.id == request(2).id })
    }

    @Test("Q-71: counts are kept, too")
    func counts() throws {
        var asker = Asker()
        var count = search()
        count.countOnly = true
        _ = try asker.start(count)
        let again = try done(asker.start(count))
        #expect(again.kept && again.found == 4)
    }

    /// What makes the second of two queries another one.
    enum Change: CaseIterable {
        case query, limit, delivery, order, filter, attributes, highlight, coverage, strict
        case frontCoded, explain, follow, pinned, facet, time, written, onItsWay, away, epoch
        case identity
    }

    @Test("Q-71: another question, or another state, is asked", arguments: Change.allCases)
    func misses(change: Change) throws {
        var asker = Asker()
        var search = search()
        _ = try asker.start(search)
        var shards = asker.shards
        switch change {
        case .query: search.query = "rating >= 2"
        case .limit: search.limit = 3
        case .delivery: search.delivery = .final
        case .order: search.sort[0].descending = true
        case .filter: search.filters = ["rating >= 0"]
        case .attributes: search.attributes = ["title"]
        case .highlight: search.highlight = true
        case .coverage: search.coverage = 0.5
        case .strict: search.strict = true
        case .frontCoded: search.frontCoded = true
        case .explain: search.explain = true
        case .follow: search.follow = true
        case .pinned: search.context.now = 1000
        case .facet:
            search.facets = [WireFacetRequest()]
            search.facets[0].attribute = "title"
        case .time: search.query = "rating >= 1 && contentCreationDate < $time.now"
        case .written: shards[1].settledSequence = SequenceNumber(7)
        case .onItsWay: shards[1].settledSequence = nil
        case .away: shards[1].worker = nil
        case .epoch: shards[1].shardEpoch = Epoch(2)
        case .identity: shards[1].identity = IndexIdentity(high: 1, low: 2)
        }
        if case .done(let done)? = try asker.start(search, of: shards).last?.command {
            #expect(!done.kept)
        }
        #expect(asker.table.keptAnswerCount == 0)
    }

    @Test("Q-71: an answer is told until the next document expires, and not before its own instant")
    func expiring() throws {
        var asker = Asker()
        asker.expiration = moment(100).wall.seconds
        _ = try asker.start(search(), after: 50)
        #expect(try !done(asker.start(search(), after: 40)).kept)
        #expect(try done(asker.start(search(), after: 99)).kept)
        #expect(try !done(asker.start(search(), after: 100)).kept)
        // Something has expired already; nobody has looked when the next one does.
        asker.expiration = moment(200).wall.seconds
        _ = try asker.start(search(), after: 200)
        #expect(try !done(asker.start(search(), after: 200)).kept)
    }

    @Test("Q-71: what was read elsewhere than where the broker believed a shard to be is not kept")
    func readElsewhere() throws {
        for sequence: UInt64 in [6, 8] {
            var asker = Asker()
            // The broker believes 7.
            asker.told[2] = sequence
            _ = try asker.start(search())
            #expect(asker.table.keptAnswerCount == 0)
            #expect(try !done(asker.start(search())).kept)
            asker.told = [:]
            #expect(try !done(asker.start(search())).kept)
            #expect(try done(asker.start(search())).kept)
        }
    }

    @Test("Memory is bounded: what is not asked for goes, and nothing is kept without memory")
    func bounded() throws {
        var asker = Asker(table: QueryTable(keptAnswerBytes: 40_000))
        for value in 0..<100 { _ = try asker.start(search("rating >= \(value)")) }
        #expect(try done(asker.start(search("rating >= 99"))).kept)
        #expect(try !done(asker.start(search("rating >= 0"))).kept)
        var none = Asker(table: QueryTable(keptAnswerBytes: 0))
        _ = try none.start(search())
        #expect(try !done(none.start(search())).kept)
    }

    @Test("What is asked counts in what an answer takes")
    func longQuestions() throws {
        let least = try ["a", String(repeating: "a", count: 1900)].map { word in
            try stride(from: 1000, to: 20_000, by: 100).first { quarter in
                var asker = Asker(table: QueryTable(keptAnswerBytes: 4 * quarter))
                var asked = search()
                asked.filters = ["title == \"\(word)\""]
                _ = try asker.start(asked)
                return try done(asker.start(asked)).kept
            }
        }
        let (short, long) = (try #require(least[0]), try #require(least[1]))
        #expect(abs(long - short - 1900) <= 100, "\(short) and \(long) bytes")
    }

    @Test("A kept answer takes the slot of the query before it, as any other does")
    func slot() throws {
        var asker = Asker()
        var kept = search()
        kept.slot = "typing"
        _ = try asker.start(kept)
        var slow = search("rating >= 7")
        slow.slot = "typing"
        let plan = try QueryPlan(
            slow, shards: asker.shards, schema: AttributeSchema(), at: moment())
        _ = asker.table.start(
            plan, request: request(77), client: SessionID(1), at: at(0), deadline: at(10))
        #expect(asker.table.count == 1)
        let messages = try asker.start(kept)
        #expect(try done(messages).kept && asker.table.count == 0)
        #expect(messages.contains { $0.envelope.id == request(77).id && $0.verb == .done })
    }
}
