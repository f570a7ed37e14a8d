import FresnelKernels
import FresnelModel
import FresnelWire
import TestChance
import Testing

@testable import FresnelCluster

/// The merge in runs beside its plain twin: sort everything, hit by hit.
@Suite("Merging beside its twin")
struct MergeTwinTests {
    /// Hits of a few workers, each in its order, cut into batches.
    private struct Scene {
        var dice: SplitMix64
        var batches: [[[String]]] = []

        init(seed: UInt64) {
            dice = SplitMix64(seed: seed)
            for worker in 0..<1 + dice.below(4) {
                // Documents that move between shards are with two workers, under one key.
                let count = dice.below(40)
                let own = (0..<count).map { _ in
                    text(dice.below(200)) + (dice.chance(20) ? "" : "-\(worker)")
                }
                var rest = Set(own).sorted()[...]
                var cut: [[String]] = []
                while !rest.isEmpty {
                    let size = 1 + dice.below(12)
                    cut.append(Array(rest.prefix(size)))
                    rest = rest.dropFirst(size)
                }
                batches.append(cut)
            }
        }

        /// All hits by key, those of one key by worker.
        var merged: [String] {
            var hits: [(key: String, worker: Int)] = []
            for (worker, cut) in batches.enumerated() {
                for key in cut.joined() { hits.append((key, worker)) }
            }
            hits.sort { one, other in
                if one.key == other.key { return one.worker < other.worker }
                return one.key.utf8.lexicographicallyPrecedes(other.key.utf8)
            }
            return hits.map(\.key)
        }

        private func text(_ number: Int) -> String {
            String(repeating: "k", count: number % 7 * 9) + String(number)
        }
    }

    @Test(
        "Whatever comes when, and whatever credit there is, it is the order of all hits",
        arguments: 1...300 as ClosedRange<UInt64>)
    func order(seed: UInt64) throws {
        var scene = Scene(seed: seed)
        let limit = scene.dice.chance(50) ? UInt64(scene.dice.below(60)) + 1 : nil
        let merged = scene.merged
        let expected = Array(merged.prefix(Int(clamping: limit ?? .max)))
        let shards = scene.batches.indices.flatMap { part(of: "w\($0)", shards: [UInt32($0)]) }
        var wanted = search(limit: limit)
        var bytes = UInt64(1 + scene.dice.below(300))
        wanted.creditBytes = bytes
        var harness = try StreamHarness(wanted, shards: shards)
        var sent = scene.batches.map { _ in 0 }
        var open = Array(scene.batches.indices)
        while !open.isEmpty {
            if scene.dice.chance(30) {
                bytes += UInt64(scene.dice.below(500))
                harness.take(harness.stream.grant(items: 1000, bytes: bytes, at: at(1)))
            }
            let place = scene.dice.below(open.count)
            let worker = open[place]
            if sent[worker] < scene.batches[worker].count {
                harness.find(
                    scene.batches[worker][sent[worker]], part: worker,
                    sequence: UInt64(sent[worker]))
                sent[worker] += 1
            } else {
                harness.finish(part: worker, [report(UInt32(worker))])
                open.remove(at: place)
            }
            let delivered = try harness.delivered
            #expect(delivered.elementsEqual(expected.prefix(delivered.count)), "seed \(seed)")
            let payloads = harness.toClient.compactMap(\.payload).map { UInt64($0.count) }
            #expect(payloads.reduce(0, +) <= bytes, "seed \(seed)")
        }
        harness.take(harness.stream.grant(items: 1000, bytes: 1 << 24, at: at(2)))
        #expect(try harness.delivered == expected, "seed \(seed)")
        let done = try #require(harness.completions.first)
        #expect(done.complete && done.delivered == UInt64(expected.count), "seed \(seed)")
        #expect(done.digest == Self.digest(of: expected), "seed \(seed)")
    }

    /// O-1, from the sentence in protocol.md.
    private static func digest(of keys: [String]) -> String {
        var value = Hash128(high: 0, low: 0)
        for key in keys {
            let halves = [value.high, value.low].flatMap { half in
                (0..<8).reversed().map { UInt8(truncatingIfNeeded: half >> (8 * UInt64($0))) }
            }
            value = Hash.digest(of: halves + Array(key.utf8))
        }
        return value.description
    }
}
