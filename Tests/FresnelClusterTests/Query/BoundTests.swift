import FresnelModel
import FresnelWire
import TestChance
import Testing

@testable import FresnelCluster

@Suite("Bounds")
struct BoundTests {
    @Test("Q-51: A hit is released while another part shows none, once that part's bound allows")
    func release() throws {
        var harness = try StreamHarness(search())
        harness.find(["b", "d"], part: 0)
        harness.find(["a"], part: 1, bound: "c")
        #expect(try harness.delivered == ["a", "b"])
        harness.find([], part: 1, sequence: 1, bound: "e")
        #expect(try harness.delivered == ["a", "b", "d"])
        #expect(harness.stream.faultCount == 0)
    }

    @Test("Q-51: Where a bound equals a hit, the lower part is waited for and the higher is not")
    func ties() throws {
        var lower = try StreamHarness(search())
        lower.find(["b"], part: 1)
        lower.find([], part: 0, bound: "b")
        #expect(try lower.delivered == [])
        var higher = try StreamHarness(search())
        higher.find(["b"], part: 0)
        higher.find([], part: 1, bound: "b")
        #expect(try higher.delivered == ["b"])
    }

    @Test("Q-50: A bound that comes before the last key says less than the key, and is no fault")
    func low() throws {
        var harness = try StreamHarness(search())
        harness.find(["b", "c"], part: 0, bound: "a")
        harness.find([], part: 0, sequence: 1, bound: "b")
        harness.find(["b", "c"], part: 1)
        #expect(harness.stream.parts[0].floor == Array("c".utf8))
        #expect(harness.stream.faultCount == 0)
    }

    @Test("Q-50: Unordered delivery looks at no bounds")
    func unordered() throws {
        var harness = try StreamHarness(search(delivery: .found))
        harness.find(["b"], part: 0, bound: "x")
        harness.find(["a"], part: 0, sequence: 1, bound: "b")
        #expect(try harness.delivered == ["b", "a"] && harness.stream.faultCount == 0)
    }

    @Test("Q-53: Any number of bounds without hits costs no memory and no credit")
    func flood() throws {
        var harness = try StreamHarness(search())
        for number in 0..<5000 {
            harness.find([], part: 0, sequence: UInt64(number), bound: "\(10_000 + number)")
        }
        let part = harness.stream.parts[0]
        #expect(part.hits.isEmpty && part.bound.count == 5 && part.isOpen)
        #expect(part.window.usedBytes == part.hits.consumedBytes && part.window.usedItems == 0)
        #expect(part.window.items > 0 && part.window.bytes >= Limits.hitBatchBytes)
        #expect(harness.toClient.map(\.verb) == [.accepted])
    }

    @Test("Q-53: A bound without hits has its place in the sequence")
    func gap() throws {
        var harness = try StreamHarness(search())
        harness.find([], part: 0, sequence: 0, bound: "a")
        harness.find([], part: 0, sequence: 0, bound: "b")
        #expect(harness.stream.violations[.sequenceUnbroken] == 1)
    }

    @Test("Q-22: A bound confirms remembered statistics only in its place, and not out of turn")
    func confirmation() throws {
        var asked = search("title == \"lens*\"")
        asked.context.now = 100
        let shards = part(of: "a", shards: [0]) + part(of: "b", shards: [1])
        let plan = try QueryPlan(asked, shards: shards, schema: AttributeSchema(), at: moment())
        var harness = try StreamHarness(asked, shards: shards)
        harness.stream = QueryStream(
            plan, request: request(1), workerID: RequestID(high: 0, low: 1), at: start,
            deadline: start + .seconds(10),
            cached: StatisticsCache.Counts(
                documents: 1, leafDocuments: [1], sequences: [7, 7], now: 100, validUntil: 0))
        harness.take(harness.stream.begin(at: start))
        harness.find(["a"], part: 0)
        #expect(try harness.delivered == [])
        harness.find([], part: 1, bound: "b")
        #expect(try harness.delivered == ["a"])
        harness.find([], part: 1, sequence: 5, bound: "c")
        #expect(harness.stream.violations[.sequenceUnbroken] == 1)
    }

    @Test(
        "Q-51: However parts are cut and bounded, the merged order is the same", arguments: 1...40)
    func equivalence(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        let parts = random.number(in: 1...4)
        var keys: [[String]] = Array(repeating: [], count: parts)
        for _ in 0..<random.number(in: 0...60) {
            keys[random.below(parts)].append(String(100 + random.below(60)))
        }
        for part in keys.indices { keys[part].sort() }
        let shards = (0..<parts).flatMap { part(of: "w\($0)", shards: [UInt32($0)]) }
        var harness = try StreamHarness(search(), shards: shards)
        let whole = keys.joined().sorted()
        var sent = Array(repeating: 0, count: parts)
        var sequence = Array(repeating: UInt64(0), count: parts)
        var open = Array(0..<parts)
        while !open.isEmpty {
            let part = random.element(of: open)
            let rest = keys[part][sent[part]...]
            if rest.isEmpty {
                harness.finish(part: part, [report(UInt32(part))])
                open.removeAll { $0 == part }
                continue
            }
            let batch = Array(rest.prefix(random.below(5)))
            let next = rest.dropFirst(batch.count).first ?? "999"
            let bound = random.element(of: ["", next, String(next.prefix(1)), next])
            let isLower = bound.utf8.lexicographicallyPrecedes(
                String(decoding: harness.stream.parts[part].bound, as: UTF8.self).utf8)
            harness.find(
                batch, part: part, sequence: sequence[part], bound: isLower ? "" : bound)
            sent[part] += batch.count
            sequence[part] += 1
            #expect(try harness.delivered == Array(whole.prefix(harness.delivered.count)))
        }
        #expect(try harness.delivered == whole && harness.stream.faultCount == 0)
        #expect(harness.completions.first?.complete == true, "seed \(seed)")
    }
}
