import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Followed queries")
struct LiveTailTests {
    @Test("Q-65: nothing is asked, and nothing told, while nothing changes")
    func quiet() throws {
        var harness = try TailHarness()
        harness.probe()
        #expect(harness.changes.isEmpty)
        let asked = harness.sent.count
        for second in 1..<100 { #expect(harness.advance(Double(second)).isEmpty) }
        #expect(harness.sent.count == asked)
    }

    @Test("Q-65: only shards with a newer part are asked for what changed")
    func touched() throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [7, 9, 7])
        let asked = harness.advance(1)
        #expect(asked.count == 1)
        #expect(asked.first?.targets.map(\.shard) == [1])
        #expect(asked.first?.targets.map(\.since) == [7])
        #expect(asked.first?.targets.map(\.snapshot) == [9])
        harness.done([1], part: 0)
        #expect(harness.changes.map(\.reached.to) == [[snapshot(9)]])
        #expect(harness.changes.map(\.reached.from) == [[snapshot(7)]])
        // The others are at 9 as well: what changes there next is asked from there.
        (harness.readable, harness.settled) = (12, [12, 9, 7])
        #expect(harness.advance(2).first?.targets.map(\.since) == [9])
    }

    @Test("Q-67: the next round begins 250 ms after the last, whatever is written")
    func pause() throws {
        var harness = try TailHarness()
        harness.probe()
        var rounds = 0
        for tick in 1...200 {
            harness.readable += 1
            harness.settled[0] = harness.readable
            guard !harness.advance(Double(tick) / 20).isEmpty else { continue }
            rounds += 1
            harness.done([0], part: 0)
        }
        #expect(rounds == 40)
        #expect(harness.changes.count(where: \.hasReached) == 40)
    }

    @Test("Q-63: what was written to no shard is told without asking any")
    func untouched() throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [7, 7, 7])
        #expect(harness.advance(1).isEmpty)
        #expect(harness.changes.map(\.reached.from) == [[snapshot(7)]])
        #expect(harness.changes.map(\.reached.to) == [[snapshot(9)]])
        #expect(harness.changes.map(\.round) == [1])
        #expect(harness.advance(2).isEmpty && harness.changes.count == 1)
    }

    @Test("Q-63: a round in which only time passed is not told, and has no number")
    func untold() throws {
        var harness = try TailHarness()
        harness.probe(next: 1005)
        #expect(harness.advance(5).count == 2)
        harness.done([0, 1], part: 0)
        harness.done([2], part: 1)
        #expect(harness.changes.isEmpty)
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        #expect(harness.advance(6).count == 1)
        harness.done([0], part: 0)
        #expect(harness.changes.map(\.round) == [1])
    }

    private func snapshot(_ sequence: UInt64) -> WireIndexSnapshot {
        var snapshot = WireIndexSnapshot()
        snapshot.index = "items"
        snapshot.sequence = sequence
        return snapshot
    }

    @Test("Q-65: a round begins when a document expires, and not before")
    func expiry() throws {
        var harness = try TailHarness()
        harness.probe(next: 1005)
        #expect(harness.advance(4).isEmpty)
        let asked = harness.advance(5)
        #expect(asked.count == 2)
        #expect(asked.allSatisfy { $0.changes.fromNow < 1005 && $0.changes.toNow == 1005 })
    }

    @Test("Q-62: with an instant that the client chose nothing expires")
    func pinned() throws {
        var harness = try TailHarness(now: 400)
        #expect(harness.advance(0).isEmpty, "there is nothing to wait for")
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        let asked = harness.advance(100)
        #expect(asked.map(\.changes.fromNow) == [400])
        #expect(asked.map(\.changes.toNow) == [400])
    }

    @Test("Q-66: a round that loses a worker goes on behind the last change that was sent")
    func resumed() throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 9])
        #expect(harness.advance(1).count == 2)
        harness.found(["\u{0}b", "\u{1}c"], part: 0)
        harness.found(["\u{0}a", "\u{1}b"], part: 1)
        #expect(harness.keys == ["\u{0}a", "\u{0}b", "\u{1}b"])
        harness.take(harness.tail.drive(at: at(1)) { $0.lose(WorkerID("b"), at: at(1)) })
        #expect(harness.keys.count == 3, "what follows may come behind a change of b")
        #expect(harness.changes.allSatisfy { !$0.hasReached && !$0.hasEnd })
        harness.isAway = true
        #expect(harness.advance(2).isEmpty)
        harness.isAway = false
        let again = harness.advance(3)
        let key = Array("\u{1}b".utf8) + ChangeKeys.ending(of: ShardID(2))
        #expect(again.map { $0.afterKeyBytes } == [key, key])
        #expect(again.flatMap { $0.targets.map(\.snapshot) } == [9, 9])
        var found = WireFound()
        (found.items, found.beyond) = (1, 1)
        harness.answer(.found(found), part: 0, ["\u{1}c"])
        harness.done([0], part: 0, found: 2, removed: 1)
        harness.done([2], part: 1, found: 2, removed: 1)
        #expect(harness.keys == ["\u{0}a", "\u{0}b", "\u{1}b", "\u{1}c"])
        let reached = try #require(harness.changes.last?.reached)
        #expect((reached.added, reached.removed) == (2, 2))
        let sequences = harness.told.map(\.envelope.sequence)
        #expect(sequences == Array(0..<UInt64(sequences.count)))
    }

    @Test("Q-67: no round begins without credit, and one that has none stands still")
    func credit() throws {
        var harness = try TailHarness(credit: 2)
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        #expect(harness.advance(1).count == 1)
        harness.found(["\u{0}a", "\u{1}a"], part: 0)
        #expect(harness.keys.count == 2)
        let asked = harness.sent.count
        harness.take(harness.tail.grant(items: 2, bytes: 1 << 24, at: at(2)))
        #expect(harness.sent.count == asked, "the worker is granted nothing more")
        harness.take(harness.tail.grant(items: 3, bytes: 1 << 24, at: at(2)))
        #expect(harness.sent.last?.message.verb == .credit)
        harness.found(["\u{1}b"], part: 0, sequence: 1)
        harness.done([0], part: 0, found: 3, removed: 1)
        #expect(harness.keys.count == 3)
        #expect(harness.changes.last?.hasReached == true)
        (harness.readable, harness.settled) = (10, [10, 7, 7])
        #expect(harness.advance(3).isEmpty)
        harness.take(harness.tail.grant(items: 4, bytes: 1 << 25, at: at(3)))
        #expect(harness.advance(4).count == 1)
    }

    @Test("Q-64: versions that are merged away end it with 414, once")
    func expired() throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 9, 9])
        _ = harness.advance(1)
        var done = WirePartDone()
        done.shards = [report(0, .failed), report(1)]
        done.error = WireFailure(.cursorExpired, "merged away")
        harness.answer(.partDone(done), part: 0)
        #expect(harness.tail.isOver)
        #expect(harness.changes.filter(\.hasEnd).map(\.end.code) == [414])
        #expect(harness.sent.last?.message.verb == .cancel, "the other worker need not go on")
        #expect(harness.advance(2).isEmpty)
    }

    @Test("Q-64: a shard that cannot be read ends it after some tries, not for ever")
    func broken() throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        for number in 0..<Limits.followTries {
            #expect(!harness.tail.isOver, "try \(number)")
            #expect(harness.advance(10 + 10 * Double(number)).count == 1)
            harness.answer(.error(WireFailure(.internalError, "damaged")), part: 0)
        }
        #expect(harness.changes.map(\.end.code) == [-2001])
    }

    @Test("Q-60: what has no changes of its own cannot be followed")
    func refused() throws {
        let changes: [(String, @Sendable (inout WireSearch) -> Void)] = [
            ("limit", { $0.limit = 3 }),
            ("cursor", { $0.afterBytes = [1] }),
            ("facets", { $0.facets = [WireFacetRequest()] }),
            ("relevance", { $0.sort = [] }),
            ("scores", { $0.explain = true }),
        ]
        for (word, change) in changes {
            var search = search()
            search.follow = true
            change(&search)
            let error = #expect(throws: PlanRefusal.self) {
                _ = try QueryPlan(
                    search, shards: part(of: "a", shards: [0]), schema: AttributeSchema(),
                    at: moment())
            }
            #expect(error?.description.contains(word) == true, "\(String(describing: error))")
        }
        var byRelevance = search("title == \"a\"", delivery: .found)
        byRelevance.follow = true
        _ = try QueryPlan(
            byRelevance, shards: part(of: "a", shards: [0]), schema: AttributeSchema(),
            at: moment())
    }
}
