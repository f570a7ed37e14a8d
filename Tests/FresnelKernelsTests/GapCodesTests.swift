import FresnelKernels
import Testing

/// Short and full blocks of packed lists, against plain twins.
@Suite("Codes of gaps")
struct GapCodesTests {
    /// A run of bits, one by one: what the kernel takes eight bytes at a time.
    private struct PlainBits {
        let bytes: [UInt8]
        var bit: Int

        mutating func next() -> UInt32 {
            defer { bit += 1 }
            return UInt32(bytes[bit / 8] >> UInt8(bit % 8) & 1)
        }

        mutating func number(order: Int) -> UInt32 {
            var zeros = 0
            while next() == 0 { zeros += 1 }
            var sum: UInt32 = 1 << UInt32(zeros + order)
            for place in 0..<zeros + order { sum |= next() << UInt32(place) }
            return sum - 1 << UInt32(order)
        }
    }

    private static func gaps(_ count: Int, seed: UInt64) -> [UInt32] {
        var generator = TestGenerator(seed: seed)
        return (0..<count).map { _ in
            let shift = UInt32.random(in: 8...31, using: &generator)
            return UInt32.random(in: 0...(.max), using: &generator) >> shift
        }
    }

    @Test("Codes of every order say what was written", arguments: [0, 6, 11, 16])
    func codes(order: Int) throws {
        let numbers = Self.gaps(500, seed: UInt64(order)) + [0, 1, GapCodes.limit - 1]
        var run = BitRunWriter()
        run.append(5, width: 3)
        for number in numbers { GapCodes.append(number, order: order, to: &run) }
        #expect(
            (numbers.reduce(3) { $0 + GapCodes.bitCount($1, order: order) } + 7) / 8
                == run.bytes.count)
        var plain = PlainBits(bytes: run.bytes, bit: 3)
        #expect(numbers.map { _ in plain.number(order: order) } == numbers)
        let bytes = run.bytes + [UInt8](repeating: 0, count: BitRuns.padding)
        var bit = 3
        #expect(
            GapCodes.numbers(bytes.span, at: &bit, count: numbers.count, order: order) == numbers)
        #expect(bit == plain.bit)
        var end = 3
        let isMissing =
            GapCodes.numbers(run.bytes.span, at: &end, count: numbers.count, order: order) == nil
        #expect(isMissing && end == 3)
    }

    @Test("The choice is the shortest", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func choice(seed: UInt64) {
        let gaps = Self.gaps(40, seed: seed).map { $0 >> UInt32(4 * seed) }
        func count(_ choice: UInt8) -> Int {
            gaps.reduce(0) { $0 + GapCodes.bitCount($1, order: GapCodes.order(ofChoice: choice)) }
        }
        let choice = GapCodes.choice(for: gaps)
        #expect((0..<4).allSatisfy { count(choice) <= count($0) })
    }

    @Test(
        "A list of codes ends where its bytes end, and is what it was up to where it is damaged",
        arguments: [1, 2, 3, 100], [1, 2] as [UInt64])
    func lists(count: Int, seed: UInt64) {
        let gaps = Self.gaps(count, seed: seed).map { $0 >> 6 }
        var bytes: [UInt8] = [7, 7]
        GapCodes.appendList(gaps, to: &bytes)
        let end = bytes.count
        bytes += [UInt8](repeating: 0xFF, count: 3) + [UInt8](repeating: 0, count: 8)
        var numbers: [UInt32] = []
        for gap in gaps { numbers.append(gap + (numbers.last.map { $0 + 1 } ?? 0)) }
        #expect(GapCodes.list(bytes.span, in: 2..<end) == numbers)
        #expect(GapCodes.list(bytes.span, in: 2..<end, atMost: 2) == Array(numbers.prefix(2)))
        let order = GapCodes.order(ofChoice: bytes[2])
        var otherCount = 0
        for offset in bytes.indices {
            var damaged = bytes
            damaged[offset] ^= 0x5A
            let found = GapCodes.list(damaged.span, in: 2..<end)
            if found != numbers { otherCount += 1 }
            // The codes that end before the damaged byte; with another order there are none.
            var (bit, whole) = (8 * 2 + 2, 0)
            while whole < gaps.count, offset != 2 {
                bit += GapCodes.bitCount(gaps[whole], order: order)
                guard bit <= 8 * offset || offset < 2 else { break }
                whole += 1
            }
            #expect(found.prefix(whole) == numbers.prefix(whole), "byte \(offset)")
            #expect(whole < gaps.count || found == numbers, "byte \(offset)")
            // A code has one bit more than its order, and eight bytes behind the list are no codes.
            let least = GapCodes.order(ofChoice: damaged[2]) + 1
            let all = GapCodes.list(damaged.span, in: 2..<bytes.count)
            let bits = 8 * (bytes.count - 2 - BitRuns.padding) - 2
            #expect(found.count <= (8 * (end - 2) - 2 + least - 1) / least, "byte \(offset)")
            #expect(all.count <= (bits + least - 1) / least, "byte \(offset)")
            #expect(all.starts(with: found), "byte \(offset)")
        }
        #expect(otherCount > 0)
    }

    /// A list in the blocks of packed segments.
    private struct Encoded {
        var blob: [UInt8] = [1, 2, 3]
        var offsets: [UInt32] = []

        init(_ numbers: [UInt32]) {
            var floor: UInt32 = 0
            for start in stride(from: 0, to: numbers.count, by: 128) {
                offsets.append(UInt32(blob.count))
                let block = Array(numbers[start..<min(numbers.count, start + 128)])
                let gaps = GapBlock.gaps(block.span, floor: floor)
                if gaps.count == 128 {
                    GapBlock.appendFull(gaps, to: &blob)
                } else {
                    let choice = GapCodes.choice(for: gaps)
                    blob.append(choice | 0xFC)
                    var run = BitRunWriter()
                    for gap in gaps {
                        GapCodes.append(gap, order: GapCodes.order(ofChoice: choice), to: &run)
                    }
                    blob += run.bytes
                }
                floor = (block.last ?? 0) + 1
            }
            blob += [UInt8](repeating: 0, count: BitRuns.padding)
            offsets.append(UInt32(blob.count))
        }
    }

    /// Numbers of which few are far from the others, as in a sorted catalogue.
    private static func numbers(_ count: Int, seed: UInt64) -> [UInt32] {
        var generator = TestGenerator(seed: seed)
        var numbers: [UInt32] = []
        var next: UInt32 = 0
        for _ in 0..<count {
            let isFar = UInt32.random(in: 0..<16, using: &generator) == 0
            next += .random(in: 0..<(isFar ? 3000 : 9), using: &generator)
            numbers.append(next)
            next += 1
        }
        return numbers
    }

    @Test(
        "Coded lists give what arrays give", arguments: [1, 5, 127, 128, 129, 700],
        [1, 2, 3] as [UInt64])
    func agreement(count: Int, seed: UInt64) throws {
        let numbers = Self.numbers(count, seed: seed)
        let encoded = Encoded(numbers)
        let limit = Int(numbers[count - 1]) + 1
        let list = PostingBlocks.List(
            blob: encoded.blob.span, offsets: encoded.offsets.span, count: count, limit: limit,
            isCoded: true)
        var appended: [UInt32] = []
        #expect(PostingBlocks.append(list, to: &appended))
        #expect(appended == numbers)
        for block in 0..<encoded.offsets.count - 1 {
            let place = Int(encoded.offsets[block])..<Int(encoded.offsets[block + 1])
            let size = min(128, count - 128 * block)
            var values = [UInt32](repeating: 0, count: 128)
            var target = values.mutableSpan
            let floor = block == 0 ? 0 : numbers[128 * block - 1] + 1
            let end = PostingBlocks.decode(
                list, place, count: size, floor: floor, into: &target)
            #expect(Array(values.prefix(size)) == Array(numbers[128 * block..<128 * block + size]))
            let skipped = PostingBlocks.documentsEnd(
                encoded.blob.span, place, count: size, isCoded: true)
            #expect(end != nil && end == skipped)
        }
        guard count < 128 else { return }
        var set = Bitset(count: limit)
        #expect(
            PostingBlocks.insertShort(
                encoded.blob.span.extracting(3..<encoded.blob.count), count: count, limit: limit,
                isCoded: true, into: &set))
        var found: [UInt32] = []
        set.append(to: &found)
        #expect(found == numbers)
    }

    @Test("A damaged coded list ends early and touches nothing outside")
    func damage() {
        let numbers = Self.numbers(300, seed: 9)
        let encoded = Encoded(numbers)
        var (refused, others) = (0, 0)
        for offset in encoded.blob.indices {
            for value: UInt8 in [0, 0x41, 0x7F, 0x80, 0xFF] {
                var blob = encoded.blob
                blob[offset] = value
                let list = PostingBlocks.List(
                    blob: blob.span, offsets: encoded.offsets.span, count: 300, limit: 90_000,
                    isCoded: true)
                var appended: [UInt32] = []
                if !PostingBlocks.append(list, to: &appended) {
                    refused += 1
                } else if appended != numbers {
                    others += 1
                }
                #expect(appended.allSatisfy { $0 < 90_000 })
                #expect(appended.count <= numbers.count)
                var set = Bitset(count: 90_000)
                PostingBlocks.insertShort(
                    blob.span, count: 127, limit: 90_000, isCoded: true, into: &set)
                for count in [1, 127, 128] {
                    _ = PostingBlocks.documentsEnd(
                        blob.span, offset..<blob.count, count: count, isCoded: true)
                }
            }
        }
        #expect(refused > 0 && others > 0, "\(refused) refused, \(others) other numbers")
    }

    @Test("One number is met where it stands")
    func onlyNumber() {
        var meeting = PostingMeeting()
        let wanted: [UInt32] = [1, 5, 9]
        meeting.look(for: wanted.span, only: 5)
        meeting.look(for: wanted.span, only: 4)
        #expect(meeting.numbers == [5] && meeting.origins == [1] && meeting.places == [0])
        #expect(meeting.asked == 6)
    }

    @Test("Numbers of all widths stand in a run of bits")
    func runs() {
        var generator = TestGenerator(seed: 3)
        let numbers = (0...56).map { width in
            UInt64.random(in: 0...(.max), using: &generator) & ((1 << UInt64(width)) - 1)
        }
        var run = BitRunWriter()
        for (width, number) in numbers.enumerated() { run.append(number, width: width) }
        run.align()
        run.append(1, width: 1)
        let bytes = run.bytes + [UInt8](repeating: 0, count: BitRuns.padding)
        var bit = 0
        for (width, number) in numbers.enumerated() {
            #expect(BitRuns.number(bytes.span, at: bit, width: width) == number)
            bit += width
        }
        #expect(BitRuns.number(bytes.span, at: (bit + 7) / 8 * 8, width: 1) == 1)
        #expect(BitRuns.number(bytes.span, at: bytes.count * 8 - 56, width: 1) == nil)
        #expect(BitRuns.number(bytes.span, at: -1, width: 1) == nil)
    }
}
