import FresnelKernels
import Testing

/// Numbers met with lists as segments have them, against arrays.
@Suite("Numbers that are in a list, with their places")
struct PostingMeetTests {
    /// A list in its blocks.
    private struct Encoded {
        var blob: [UInt8] = [1, 2, 3]
        var offsets: [UInt32] = []
        var lasts: [UInt32] = []

        init(_ numbers: [UInt32]) throws {
            var floor: UInt32 = 0
            for start in stride(from: 0, to: numbers.count, by: 128) {
                offsets.append(UInt32(blob.count))
                let block = Array(numbers[start..<min(numbers.count, start + 128)])
                try DeltaBlock.encode(block.span, floor: floor, into: &blob)
                blob += [9, 9]  // what else a block has
                floor = (block.last ?? 0) + 1
                lasts.append(floor - 1)
            }
            offsets.append(UInt32(blob.count))
        }

        /// Meets numbers in two looks.
        func meeting(_ wanted: [UInt32], count: Int, limit: Int) -> (PostingMeeting, Bool) {
            var table = PlaceTable()
            return meeting(wanted, count: count, limit: limit, &table)
        }

        func meeting(
            _ wanted: [UInt32], count: Int, limit: Int, _ table: inout PlaceTable
        ) -> (PostingMeeting, Bool) {
            var meeting = PostingMeeting()
            var isWhole = true
            let half = wanted.count / 2
            for range in [0..<half, half..<wanted.count] where isWhole {
                let list = PostingBlocks.List(
                    blob: blob.span, offsets: offsets.span, count: count, limit: limit)
                isWhole = meeting.look(
                    for: wanted.span.extracting(range), in: list, lasts: lasts.span, &table)
            }
            return (meeting, isWhole)
        }
    }

    private static func numbers(_ share: Double, below limit: UInt32, seed: UInt64) -> [UInt32] {
        var generator = TestGenerator(seed: seed)
        return (0..<limit).filter { _ in Double.random(in: 0..<1, using: &generator) < share }
    }

    @Test(
        "are those of both arrays, and stand where they say",
        arguments: [
            (0.5, 0.5), (0.01, 0.4), (0.4, 0.01), (0.9, 0.003), (0, 0.5), (0.5, 0), (1, 1),
        ],
        [1, 2] as [UInt64])
    func agreement(shares: (Double, Double), seed: UInt64) throws {
        for limit: UInt32 in [1, 127, 128, 129, 5000, 70_000] {
            let wanted = Self.numbers(shares.0, below: limit, seed: seed)
            let listed = Self.numbers(shares.1, below: limit, seed: seed + 10)
            let (met, isWhole) = try Encoded(listed)
                .meeting(wanted, count: listed.count, limit: Int(limit))
            #expect(isWhole)
            let both = Set(wanted).intersection(listed).sorted()
            #expect(met.numbers == both, "seed \(seed), below \(limit)")
            #expect(met.origins.map { wanted[Int($0)] } == both)
            #expect(met.places.map { listed[Int($0)] } == both)
        }
    }

    /// Numbers whose gaps are below a limit.
    private static func numbers(count: Int, gaps: UInt32, seed: UInt64) -> [UInt32] {
        var generator = TestGenerator(seed: seed)
        var next: UInt32 = 0
        return (0..<count).map { _ in
            next += UInt32.random(in: 1...gaps, using: &generator)
            return next
        }
    }

    @Test(
        "are found where blocks are near together, far apart, and both",
        arguments: [2, 60, 250, 300, 3000] as [UInt32], [1, 40] as [UInt32])
    func distances(gaps: UInt32, wantedGaps: UInt32) throws {
        var listed = Self.numbers(count: 900, gaps: gaps, seed: 6)
        // A block of neighbours behind blocks that may be wide.
        let start = (listed.last ?? 0) + 1
        listed += (start..<start + 300)
        let limit = start + 1000
        let wanted = Self.numbers(
            count: Int(limit / (wantedGaps + 1) * 2), gaps: wantedGaps, seed: 7
        ).filter { $0 < limit }
        let (met, isWhole) = try Encoded(listed)
            .meeting(wanted, count: listed.count, limit: Int(limit))
        #expect(isWhole)
        let both = Set(wanted).intersection(listed).sorted()
        #expect(met.numbers == both && !both.isEmpty)
        #expect(met.origins.map { wanted[Int($0)] } == both)
        #expect(met.places.map { listed[Int($0)] } == both)
    }

    @Test("are found with a table that other lists have filled", arguments: [8, 9] as [UInt64])
    func sharedTable(seed: UInt64) throws {
        var table = PlaceTable()
        for gaps: UInt32 in [2, 100, 3, 220, 7, 1, 40] {
            let listed = Self.numbers(count: 500, gaps: gaps, seed: seed)
            let wanted = Self.numbers(count: 900, gaps: gaps, seed: seed + 1)
            let limit = Int(max(listed.last ?? 0, wanted.last ?? 0)) + 1
            let (met, isWhole) = try Encoded(listed)
                .meeting(wanted, count: listed.count, limit: limit, &table)
            #expect(isWhole)
            let both = Set(wanted).intersection(listed).sorted()
            #expect(met.numbers == both, "seed \(seed), gaps \(gaps)")
            #expect(met.origins.map { wanted[Int($0)] } == both)
            #expect(met.places.map { listed[Int($0)] } == both)
        }
    }

    @Test("of damaged lists are fewer or others, and nothing outside is touched")
    func damage() throws {
        let damaging = try Damaging()
        let encoded = damaging.encoded
        for offset in encoded.blob.indices {
            for value: UInt8 in [0, 0x7F, 0x80, 0xFF] {
                var damaged = encoded
                damaged.blob[offset] = value
                damaging.check(damaged)
            }
        }
        damaging.expectBoth("bytes")
    }

    @Test("of lists whose tables are damaged are fewer or others, too")
    func damagedTables() throws {
        let lasts = try Damaging()
        for place in lasts.encoded.lasts.indices {
            for value: UInt32 in [0, 7, .max] {
                var damaged = lasts.encoded
                damaged.lasts[place] = value
                lasts.check(damaged)
            }
        }
        #expect(lasts.others > 0)
        let offsets = try Damaging()
        for place in offsets.encoded.offsets.indices {
            for value: UInt32 in [0, 5, .max] {
                var damaged = offsets.encoded
                damaged.offsets[place] = value
                offsets.check(damaged)
            }
        }
        offsets.expectBoth("offsets")
    }

    /// A list that is damaged in one place after the other, and what became of it.
    private final class Damaging {
        let listed = PostingMeetTests.numbers(0.1, below: 4000, seed: 3)
        let wanted = PostingMeetTests.numbers(0.3, below: 4000, seed: 4)
        let encoded: Encoded
        private let whole: [UInt32]
        /// Lists that are said to be damaged, and those of which other numbers were met.
        private(set) var (refused, others) = (0, 0)

        init() throws {
            encoded = try Encoded(listed)
            whole = encoded.meeting(wanted, count: listed.count, limit: 4000).0.numbers
        }

        func check(_ damaged: Encoded) {
            let (met, isWhole) = damaged.meeting(wanted, count: listed.count, limit: 4000)
            if !isWhole { refused += 1 } else if met.numbers != whole { others += 1 }
            #expect(met.places.allSatisfy { Int($0) < listed.count })
            #expect(met.places.count == met.numbers.count)
            #expect(zip(met.origins, met.origins.dropFirst()).allSatisfy { $0 < $1 })
            guard met.origins.allSatisfy({ Int($0) < wanted.count }) else {
                Issue.record("\(met.origins) of \(wanted.count)")
                return
            }
            // Whatever is met was looked for.
            #expect(met.origins.map { wanted[Int($0)] } == met.numbers)
        }

        func expectBoth(_ what: String) {
            #expect(refused > 0 && others > 0, "\(what): \(refused) refused, \(others) other")
        }
    }

    @Test("Running sums of a block are those of a loop", arguments: [0, 1] as [UInt32])
    func sums(step: UInt32) {
        var generator = TestGenerator(seed: 5)
        for greatest: UInt32 in [0, 1, 200, .max] {
            let block = (0..<128).map { _ in UInt32.random(in: 0...greatest, using: &generator) }
            let base = UInt32.random(in: 0...1000, using: &generator)
            var expected: [UInt32] = []
            var sum = base &- step
            for number in block {
                sum = sum &+ number &+ step
                expected.append(sum)
            }
            var sums = block
            var span = sums.mutableSpan
            PrefixSum.block(&span, from: base, step: step)
            #expect(sums == expected)
        }
    }

    @Test("Bits are counted as one by one", arguments: [0, 1, 31, 32, 33, 63, 64, 200, 1000])
    func population(words: Int) {
        var generator = TestGenerator(seed: UInt64(words) + 1)
        let words = (0..<words).map { _ in generator.next() }
        #expect(WordLoops.population(words) == words.reduce(0) { $0 + $1.nonzeroBitCount })
    }
}
