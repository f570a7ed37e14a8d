import FresnelModel
import FresnelWire
import TestChance
import Testing

@testable import FresnelCluster

@Suite("Facets of several workers")
struct FacetMergeTests {
    private func request(_ limit: UInt32) -> WireFacetRequest {
        var request = WireFacetRequest()
        request.attribute = "keywords"
        request.limit = limit
        return request
    }

    private func counts(_ texts: [String: UInt64], bound: UInt64 = 0) -> WireFacetCounts {
        var counts = WireFacetCounts()
        counts.attribute = "keywords"
        counts.values = texts.map { text, count in
            var value = WireFacetValue()
            value.text = text
            value.folded = text.lowercased()
            value.count = count
            return value
        }.sorted { $0.precedes($1) }
        counts.documents = 100
        counts.distinct = UInt64(texts.count) + (bound > 0 ? 5 : 0)
        counts.bound = bound
        return counts
    }

    private func merged(_ parts: [WireFacetCounts], limit: UInt32) -> WireFacetCounts {
        var merge = FacetMerge(request(limit))
        for part in parts { merge.add(part) }
        return merge.counts
    }

    @Test("are added up; equally frequent values ascend by folded key, then by their bytes")
    func sums() {
        let sum = merged(
            [counts(["b": 2, "a": 1, "B": 3]), counts(["b": 1, "A": 1, "c": 3])], limit: 4)
        #expect(sum.values.map(\.text) == ["B", "b", "c", "A"])
        #expect(sum.values.map(\.count) == [3, 3, 3, 1])
        #expect(sum.distinct == 5 && sum.bound == 0 && sum.documents == 200)
        #expect(merged([], limit: 0).distinct == 0)
    }

    @Test("are exact although values are left out, when those cannot come among the first")
    func provablyExact() {
        let parts = [counts(["a": 9, "b": 8], bound: 2), counts(["a": 7, "b": 6, "c": 1])]
        let first = merged(parts, limit: 2)
        #expect(first.bound == 0 && first.values.map(\.count) == [16, 14])
        #expect(!first.hasDistinct)
        // c may have 1 to 3, and is listed.
        #expect(merged(parts, limit: 3).bound == 2)
        // A value nobody named may be as frequent as the last, but comes behind it.
        let alone = counts(["a": 9, "b": 2], bound: 2)
        #expect(merged([alone], limit: 2).bound == 0)
        // Two workers together may have more of one.
        #expect(merged([alone, alone], limit: 2).bound == 0)
        #expect(merged([alone, counts(["a": 9], bound: 2)], limit: 2).bound == 4)
        // Of what comes earlier than its last value a worker left out nothing as frequent.
        let single = counts(["a": 9, "b": 1], bound: 1)
        #expect(merged([single, counts(["c": 1])], limit: 3).bound == 1)
        #expect(merged([single, counts(["aa": 1])], limit: 3).bound == 0)
        // One worker did not name b.
        let unnamed = [counts(["a": 9], bound: 2), counts(["a": 7, "b": 6])]
        #expect(merged(unnamed, limit: 1).bound == 0)
        #expect(merged(unnamed, limit: 2).bound == 2)
    }

    @Test("tell values apart that only their bytes tell apart")
    func bytes() {
        let (composed, decomposed) = ("caf\u{e9}", "cafe\u{301}")
        var list = counts([composed: 3])
        list.values += counts([decomposed: 2]).values
        list.distinct = 2
        let sum = merged([list, counts([decomposed: 2])], limit: 5)
        #expect(
            sum.values.map { Array($0.text.utf8) } == [decomposed, composed].map { Array($0.utf8) })
        #expect(sum.values.map(\.count) == [4, 3] && sum.distinct == 2)
    }

    @Test("never claim to be exact when they are not, whatever is left out", arguments: 0..<200)
    func random(seed: UInt64) {
        var random = SplitMix64(seed: seed)
        var total: [String: UInt64] = [:]
        var parts: [WireFacetCounts] = []
        for _ in 0..<1 + random.below(4) {
            var texts: [String: UInt64] = [:]
            for number in 0..<12 where random.chance(60) {
                let weight = random.chance(30) ? 40 : 4
                texts["v\(number)"] = UInt64(1 + random.below(weight))
            }
            total.merge(texts) { $0 + $1 }
            parts += [counts(texts)].fitted(to: 40 + random.below(250))
        }
        let limit = 1 + random.below(6)
        let answer = merged(parts, limit: UInt32(limit))
        let exact = Array(counts(total).values.prefix(limit))
        if answer.bound == 0 {
            #expect(answer.values == exact, "seed \(seed)")
        }
        let last = answer.values.count < limit ? 0 : answer.values.last?.count ?? 0
        for (text, count) in total {
            let listed = answer.values.first { $0.text == text }?.count
            #expect((listed ?? 0) <= count, "seed \(seed) \(text)")
            #expect(count <= (listed ?? last) + answer.bound, "seed \(seed) \(text)")
        }
    }

    @Test(
        "A worker whose facets contradict what it found is believed in all but those",
        arguments: ["none", "other documents", "more than all", "distinct", "true"])
    func honesty(lie: String) throws {
        var asking = search()
        asking.countOnly = true
        asking.facets = [request(3)]
        var harness = try StreamHarness(asking)
        var done = WirePartDone()
        done.shards = [report(0, found: 60), report(1, found: 40)]
        var facet = counts(["a": 100, "b": 3])
        switch lie {
        case "other documents": facet.documents = 99
        case "more than all": facet.values[0].count = 101
        case "distinct": facet.distinct = 1
        default: break
        }
        done.facets = lie == "none" ? [] : [facet]
        harness.receive(.partDone(done), part: 0)
        #expect(harness.stream.faultCount == (lie == "true" ? 0 : 1))
        var other = WirePartDone()
        other.shards = [report(2)]
        other.facets = [counts([:])]
        other.facets[0].documents = 0
        harness.receive(.partDone(other), part: 1)
        let answer = try #require(harness.completions.first)
        // Its documents are found; what values they have is not known.
        #expect(answer.complete && answer.facets.map(\.documents) == [100])
        #expect(answer.facets.map(\.bound) == [lie == "true" ? 0 : 100])
        #expect(answer.facets.map(\.values.isEmpty) == [lie != "true"])
        #expect(answer.facets[0].documents + answer.facets[0].missing == answer.found)
    }

    @Test(
        "Facets that cannot be counted are refused before any worker hears of them",
        arguments: ["textContent", "thumbnailData", ""])
    func refused(attribute: String) {
        var asking = search()
        asking.facets = [request(3)]
        asking.facets[0].attribute = attribute
        #expect(throws: PlanRefusal.self) { try StreamHarness(asking) }
        asking.facets[0] = request(3)
        asking.facets[0].attribute = "nosuch"
        #expect(throws: Never.self) { try StreamHarness(asking) }
        asking.strict = true
        #expect(throws: PlanRefusal.self) { try StreamHarness(asking) }
        asking.strict = false
        asking.facets[0] = request(1001)
        #expect(throws: PlanRefusal.self) { try StreamHarness(asking) }
        asking.facets = Array(repeating: request(3), count: Limits.facets + 1)
        #expect(throws: PlanRefusal.self) { try StreamHarness(asking) }
    }
}
