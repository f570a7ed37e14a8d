import FresnelModel
import FresnelWire
import TestChance
import Testing

@testable import FresnelCluster

@Suite("Thresholds")
struct ThresholdTests {
    /// What ends the hits of a worker.
    private var enough: WireCredit {
        var credit = WireCredit()
        credit.enough = true
        return credit
    }

    @Test("Q-54: Once as many hits are known as are wanted, workers hear the last of them, once")
    func told() throws {
        var harness = try StreamHarness(search(limit: 3))
        harness.find(["d", "f"], part: 0, counted: [report(0, found: 9), report(1)])
        #expect(harness.thresholds(of: "a") == [])
        harness.find(["b"], part: 1)
        #expect(harness.thresholds(of: "a") == ["f"] && harness.thresholds(of: "b") == ["f"])
        harness.find(["c"], part: 1, sequence: 1)
        #expect(harness.thresholds(of: "a") == ["f", "d"])
        #expect(try harness.delivered == ["b", "c"])
        // Behind the threshold nothing changes it.
        harness.find(["g"], part: 0, sequence: 1)
        #expect(harness.thresholds(of: "a") == ["f", "d"])
        #expect(harness.thresholds(of: "b") == ["f", "d"])
    }

    @Test("Q-54: A threshold comes with the totals of credit, which do not fall")
    func totals() throws {
        var harness = try StreamHarness(search(limit: 2))
        harness.find(["d", "f"], part: 0)
        guard case .credit(let credit)? = harness.commands(to: "b").last else {
            Issue.record("no threshold")
            return
        }
        #expect(credit.thresholdBytes == Array("f".utf8) && !credit.enough)
        let window = harness.stream.parts[1].window
        #expect(credit.items == window.grantedItems && credit.bytes == window.grantedBytes)
    }

    @Test("Q-54: A worker that has sent all it found is told nothing")
    func sentAll() throws {
        var harness = try StreamHarness(search(limit: 2))
        harness.find(["d", "f"], part: 0, counted: [report(0, found: 2), report(1)])
        #expect(harness.thresholds(of: "a") == [] && harness.thresholds(of: "b") == ["f"])
    }

    @Test("Q-54: Counts, unordered answers, pages backwards and answers without a limit have none")
    func useless() throws {
        var counting = search(limit: 1)
        counting.countOnly = true
        for search in [search(), search(delivery: .found, limit: 1), counting] {
            #expect(try StreamHarness(search).stream.best == nil)
        }
        let plan = try StreamHarness(search(limit: 1)).stream.plan
        var back = search(limit: 1)
        back.afterBytes = plan.cursor(at: [1]).bytes
        back.backwards = true
        #expect(try StreamHarness(back).stream.best == nil)
        back.backwards = false
        #expect(try StreamHarness(back).stream.best != nil)
    }

    @Test("Q-55: A worker may leave out what lies behind its threshold; the count stays whole")
    func leftOut() throws {
        var harness = try StreamHarness(search(limit: 2))
        harness.find(["d", "f"], part: 0)
        var second = report(2, found: 7)
        second.skipped = 6
        harness.find(["e"], part: 1)
        harness.finish(part: 1, [second])
        harness.finish(part: 0, [report(0, found: 5), report(1)])
        let done = try #require(harness.completions.first)
        #expect(try harness.delivered == ["d", "e"])
        #expect(done.complete && done.found == 12 && done.shards.map(\.skipped) == [0, 0, 6])
        #expect(harness.stream.faultCount == 0)
    }

    @Test("Q-34: A page whose other hits were left out has a next cursor")
    func nextPage() throws {
        var asked = search(limit: 1)
        asked.afterBytes = try StreamHarness(asked).stream.plan.cursor(at: Array("a".utf8)).bytes
        var harness = try StreamHarness(asked)
        var found = WireFound()
        (found.items, found.beyond) = (1, 1)
        harness.receive(.found(found), part: 0, payload: hitBatch(["b"]))
        harness.finish(part: 0, [report(0, found: 3), report(1)])
        #expect(harness.thresholds(of: "b") == ["b"])
        (found.items, found.beyond) = (0, 4)
        harness.receive(.found(found), part: 1, payload: hitBatch([]))
        harness.finish(part: 1, [report(2, found: 6)])
        let done = try #require(harness.completions.first)
        #expect(done.complete && !done.nextBytes.isEmpty && harness.stream.faultCount == 0)
    }

    @Test("Q-55: A worker that was told no threshold may leave nothing out")
    func untold() throws {
        var harness = try StreamHarness(search(limit: 2))
        harness.find(["d"], part: 0)
        harness.finish(part: 0, [report(0, found: 5), report(1)])
        #expect(harness.stream.violations[.countsTrue] == 1)
    }

    @Test("Q-55: When a part fails whose hits made the threshold, the answer ends there")
    func failure() throws {
        var broken = try StreamHarness(search(limit: 3))
        broken.find(["c", "d", "e"], part: 0)
        #expect(broken.thresholds(of: "b") == ["e"])
        broken.receive(.error(WireFailure(.internalError, "broken")), part: 0)
        // The other worker knew nothing of it yet and sends more than it has to.
        broken.find(["d", "f", "g"], part: 1)
        #expect(try broken.delivered == ["d"])
        #expect(broken.commands(to: "b").last == .credit(enough))
        broken.finish(part: 1, [report(2, found: 9)])
        let done = try #require(broken.completions.first)
        #expect(broken.completions.count == 1 && !done.complete)
        #expect(try broken.delivered == ["d"])
        #expect(String(decoding: try Cursor(done.nextBytes).key, as: UTF8.self) == "d")
    }

    @Test("Q-54: The threshold is the k-th best of all hits that came", arguments: 1...60)
    func best(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let limit = random.number(in: 1...12)
        let parts = random.number(in: 1...4)
        let shards = (0..<parts).flatMap { part(of: "w\($0)", shards: [UInt32($0)]) }
        var harness = try StreamHarness(search(limit: UInt64(limit)), shards: shards)
        var known: [String] = []
        var last = Array(repeating: 100, count: parts)
        var sequence = Array(repeating: UInt64(0), count: parts)
        for _ in 0..<random.number(in: 1...20) {
            let part = random.below(parts)
            var batch: [String] = []
            for _ in 0..<random.below(4) where last[part] < 990 {
                last[part] += random.below(20)
                batch.append("\(last[part])")
            }
            guard Int(harness.stream.parts[part].window.items) >= batch.count else { continue }
            harness.find(batch, part: part, sequence: sequence[part])
            sequence[part] += 1
            known = (known + batch).sorted()
            guard !harness.stream.hasEnough else { break }
            let expected = known.count < limit ? nil : known[limit - 1]
            let told = harness.stream.threshold.map { String(decoding: $0, as: UTF8.self) }
            #expect(told == expected, "seed \(seed)")
        }
        #expect(try harness.delivered == Array(known.prefix(harness.delivered.count)))
        #expect(harness.stream.faultCount == 0)
    }
}
