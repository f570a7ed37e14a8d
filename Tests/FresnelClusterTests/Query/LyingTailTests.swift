import FresnelModel
import FresnelWire
import Testing

@testable import FresnelCluster

@Suite("Workers that lie in rounds of changes")
struct LyingTailTests {
    /// What a worker may say of shard 0 that cannot be: found, removed, next expiration.
    struct Lie {
        var found: UInt64 = 0
        var removed: UInt64 = 0
        var next = 0.0
    }

    @Test(
        "Q-65: a round is not believed more removed hits than changes, nor an expiry in the past",
        arguments: [
            Lie(removed: 1), Lie(removed: .max), Lie(next: 1001), Lie(next: -1), Lie(next: .nan),
        ])
    func lies(lie: Lie) throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        #expect(harness.advance(1).map(\.changes.toNow) == [1001])
        harness.done([0], part: 0, found: lie.found, removed: lie.removed, next: lie.next)
        #expect(harness.changes.isEmpty && !harness.tail.isOver)
        #expect(harness.tail.violations[.countsTrue] == 1 && harness.tail.violations.total == 1)
        #expect(harness.advance(2).count == 1, "it is asked again")
        harness.done([0], part: 0, next: 1002.5)
        #expect(harness.changes.map(\.hasReached) == [true])
        #expect(harness.tail.violations.total == 1)
    }

    /// Keys of shard 0 that cannot come, and the promise that they break.
    struct Keys {
        let batches: [[String]]
        let broken: StreamInvariant
    }

    @Test(
        "Q-65: keys of changes that cannot be are not passed on",
        arguments: [
            Keys(batches: [["a"]], broken: .changesApply),
            Keys(batches: [["\u{2}a"]], broken: .changesApply),
            Keys(batches: [["\u{1}a", "\u{0}b"]], broken: .orderAscending),
            Keys(batches: [["\u{1}a", "\u{1}a"]], broken: .orderAscending),
            Keys(batches: [["\u{0}a"], ["\u{0}a"]], broken: .orderAscending),
        ])
    func keys(lie: Keys) throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 9])
        #expect(harness.advance(1).count == 2)
        for (number, keys) in lie.batches.enumerated() {
            harness.found(keys, part: 0, sequence: UInt64(number))
        }
        #expect(harness.tail.violations[lie.broken] == 1)
        #expect(harness.tail.violations.total == 1)
        #expect(harness.keys.isEmpty, "the other shard could have changes before these")
        #expect(!harness.tail.isOver)
    }

    @Test("Q-65: a change of a shard that was not asked for is not passed on")
    func foreignShard() throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        #expect(harness.advance(1).count == 1)
        var found = WireFound()
        found.items = 1
        let ending = String(decoding: ChangeKeys.ending(of: ShardID(1)), as: UTF8.self)
        harness.answer(.found(found), part: 0, payload: hitBatch(["\u{0}a" + ending]))
        #expect(harness.tail.violations[.changesApply] == 1)
        #expect(harness.keys.isEmpty)
    }

    @Test(
        "Q-65: as many hits of each kind come as are counted, or the worker is not believed",
        arguments: [(2, 0), (2, 2), (1, 1), (3, 1)] as [(UInt64, UInt64)], [true, false])
    func sums(counts: (found: UInt64, removed: UInt64), isEarly: Bool) throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        #expect(harness.advance(1).count == 1)
        var found = WireFound()
        found.items = 2
        if isEarly {
            var counted = report(0, found: counts.found)
            counted.removed = counts.removed
            found.shards = [counted]
        }
        harness.answer(.found(found), part: 0, ["\u{0}a", "\u{1}b"])
        harness.done([0], part: 0, found: counts.found, removed: counts.removed)
        #expect(harness.tail.violations[.countsTrue] == 1)
        #expect(!harness.changes.contains { $0.hasReached })
    }

    @Test("Q-66: tries that contradict each other end the following")
    func contradiction() throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        #expect(harness.advance(1).count == 1)
        harness.found(["\u{0}a", "\u{1}b"], part: 0)
        harness.take(harness.tail.drive(at: at(1)) { $0.lose(WorkerID("a"), at: at(1)) })
        #expect(harness.advance(2).count == 1)
        harness.done([0], part: 0, found: 1)
        #expect(harness.tail.violations[.changesApply] == 1)
        #expect(harness.changes.filter(\.hasEnd).map(\.end.code) == [-2001])
    }

    /// How a worker ends a try after it invented a change.
    enum Ending: CaseIterable {
        case error
        case busy
        case isLate
        case isCancelled
        case isUnreachable
        case isUnknown

        /// What its last report says, where there is one.
        var status: WireShardStatus {
            switch self {
            case .error, .busy, .isCancelled: .cancelled
            case .isLate: .deadline
            case .isUnreachable: .unreachable
            case .isUnknown: .UNRECOGNIZED(77)
            }
        }
    }

    @Test(
        "Q-64: a worker that invents a change in every try and breaks it does not go on for ever",
        arguments: Ending.allCases)
    func endless(ending: Ending) throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        for number in 0..<Limits.followTries {
            #expect(!harness.tail.isOver, "try \(number)")
            #expect(harness.advance(10 + 10 * Double(number)).count == 1)
            harness.found(["\u{0}\(number)"], part: 0)
            #expect(harness.keys.count == number + 1)
            var done = WirePartDone()
            done.shards = [report(0, ending.status, found: 100)]
            done.shards[0].removed = 100
            switch ending {
            case .error: harness.answer(.error(WireFailure(.internalError, "damaged")), part: 0)
            case .busy: harness.answer(.busy(WireFailure(.busy, "later")), part: 0)
            case .isLate, .isCancelled, .isUnreachable, .isUnknown:
                harness.answer(.partDone(done), part: 0)
            }
        }
        #expect(harness.changes.filter(\.hasEnd).map(\.end.code) == [-2001])
    }

    @Test("Q-66: workers that are lost, and clients that read slowly, do not end the following")
    func patience() throws {
        var harness = try TailHarness()
        harness.probe()
        (harness.readable, harness.settled) = (9, [9, 7, 7])
        for number in 0..<3 * Limits.followTries {
            let second = 100 * Double(number + 1)
            #expect(harness.advance(second).count == 1)
            let end = at(second + 60)
            let actions =
                number % 2 == 0
                ? harness.tail.drive(at: end) { $0.lose(WorkerID("a"), at: end) }
                : harness.tail.drive(at: end) { $0.tick(at: end) }
            harness.take(actions)
        }
        #expect(!harness.tail.isOver && harness.changes.isEmpty)
    }
}
