@testable import FresnelCluster
import FresnelModel
import FresnelSystem
import FresnelWire
import Testing

@Suite("Term statistics of an earlier query")
struct CachedStatisticsTests {
    /// How often each way was taken.
    private struct Tally {
        var cached = 0
        var objections = 0
    }

    @Test(
        "Q-20, Q-22: scores, order and digest are those of a query that asks, bit for bit",
        arguments: 0..<12 as Range<UInt64>)
    func property(seed: UInt64) throws {
        var random = SeededRandom(seed: seed)
        var cluster = try CountedCluster()
        var table = QueryTable()
        var now = 1_000.0
        var known = cluster.sequences
        var tally = Tally()
        for step in 0..<120 {
            switch random.next() % 10 {
            case 0, 1:
                try cluster.apply(Self.operations(&random, now), at: Self.instant(now))
            case 2: now += Double(random.next() % 40)
            case 3: if random.next() % 3 == 0 { try cluster.merge(at: Self.instant(now)) }
            default:
                // What the broker knows of the shards may be a while old.
                if random.next() % 3 > 0 { known = cluster.sequences }
                let back = random.next() % 8 == 0 ? min(1, cluster.sequence.value) : 0
                let snapshot = SequenceNumber(cluster.sequence.value - back)
                let search = Self.search(&random, now)
                // Those who keep what they matched while counting must find what others find.
                cluster.keepsMatches = true
                let answer = try cluster.ask(search, at: snapshot, known: known, through: &table)
                cluster.keepsMatches = false
                var cold = QueryTable()
                let asked = try cluster.ask(search, at: snapshot, known: known, through: &cold)
                let note = "seed \(seed) step \(step) \(search.query)"
                #expect(asked.done.statistics == "asked" && !asked.hadObjection, "\(note)")
                #expect(answer.keys == asked.keys, "\(note)")
                #expect(answer.bodies == asked.bodies, "\(note)")
                #expect(answer.done.digest == asked.done.digest, "\(note)")
                #expect(answer.done.complete == asked.done.complete, "\(note)")
                if answer.done.statistics == "cached" { tally.cached += 1 }
                if answer.hadObjection {
                    tally.objections += 1
                    #expect(answer.done.statistics == "asked", "\(note)")
                }
            }
        }
        #expect(tally.cached > 5, "seed \(seed) never met what it tests")
        if seed == 0 { print("seed 0: \(tally)") }
    }

    private static func instant(_ seconds: Double) -> Timestamp {
        Timestamp(seconds: seconds) ?? Timestamp(wholeSeconds: 0)
    }

    private static func search(_ random: inout SeededRandom, _ now: Double) -> WireSearch {
        let queries = [
            "title == \"red\"w", "title == \"re*\"", "** == \"apple\"cdw",
            "title == \"red\"w || textContent == \"blue\"", "!(title == \"*e*\") && ** == \"b*\"",
        ]
        var search = WireSearch()
        search.query = queries[Int(random.next() % UInt64(queries.count))]
        search.delivery = random.next() % 5 == 0 ? .found : .settled
        search.coverage = 1
        search.creditItems = 100_000
        search.creditBytes = 1 << 30
        if random.next() % 3 == 0 { search.limit = 3 }
        search.context.now = random.next() % 10 == 0 ? now - 15 : now
        return search
    }

    private static func operations(
        _ random: inout SeededRandom, _ now: Double
    ) -> [BatchOperation] {
        (0..<1 + random.next() % 5).map { _ in
            let identifier = "d\(random.next() % 30)"
            if random.next() % 6 == 0 { return .deleteIdentifier(identifier) }
            var document = Document(uniqueIdentifier: identifier)
            let words = ["red", "blue", "apple", "reed", "bed", "red red"]
            let title = (0...random.next() % 3).map { _ in
                words[Int(random.next() % UInt64(words.count))]
            }
            document.attributes["title"] = .string(title.joined(separator: " "))
            if random.next() % 2 == 0 { document.attributes["textContent"] = .string("blue sky") }
            if random.next() % 3 == 0 {
                document.expirationDate = instant(now + Double(random.next() % 60) - 10)
            }
            if random.next() % 6 == 0 {
                document.attributes["relatedUniqueIdentifier"] =
                    .string("d\(random.next() % 30)")
            }
            return .index(document)
        }
    }
}
