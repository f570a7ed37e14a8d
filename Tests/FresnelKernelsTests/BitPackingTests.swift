import FresnelKernels
import Testing

/// The definition of the format, bit by bit, as slow as it is plain.
private func plainUnpack(_ packed: [UInt8], width: Int) -> [UInt32] {
    (0..<128).map { index in
        let lane = index % 4
        var value: UInt32 = 0
        for bit in 0..<width {
            let streamBit = (index / 4) * width + bit
            let byte = 16 * (streamBit / 32) + 4 * lane + (streamBit % 32) / 8
            value |= UInt32(packed[byte] >> UInt8(streamBit % 8) & 1) << UInt32(bit)
        }
        return value
    }
}

private func unpack(_ packed: [UInt8], at offset: Int = 0, width: Int) throws -> [UInt32] {
    var values = [UInt32](repeating: 0xAAAA_AAAA, count: 130)
    var target = values.mutableSpan
    try BitPacking.unpack(packed.span, at: offset, width: width, into: &target)
    #expect(values[128...] == [0xAAAA_AAAA, 0xAAAA_AAAA], "wrote beyond the block")
    return Array(values[..<128])
}

@Suite("Bit packing")
struct BitPackingTests {
    private static func block(width: Int) -> [UInt32] {
        var generator = TestGenerator(seed: UInt64(width))
        let limit = width == 32 ? UInt32.max : (1 << UInt32(width)) - 1
        var values = (0..<128).map { _ in UInt32.random(in: 0...limit, using: &generator) }
        values[127] = limit
        return values
    }

    @Test("Blocks of every width come back and match the plain definition", arguments: 0...32)
    func roundTrip(width: Int) throws {
        let values = Self.block(width: width)
        #expect(BitPacking.width(of: values.span) == width)
        var packed: [UInt8] = []
        BitPacking.pack(values.span, width: width, into: &packed)
        #expect(packed.count == BitPacking.byteCount(width: width))
        #expect(plainUnpack(packed, width: width) == values)
        #expect(try unpack(packed, width: width) == values)
        #expect(try unpack([1, 2, 3] + packed + [4], at: 3, width: width) == values)
    }

    @Test("Each number is read alone, and sums of the first, as with all others", arguments: 0...32)
    func alone(width: Int) {
        let values = Self.block(width: width)
        var packed: [UInt8] = [7]
        BitPacking.pack(values.span, width: width, into: &packed)
        for index in values.indices {
            let number = BitPacking.number(packed.span, at: 1, width: width, index: index)
            #expect(number == values[index])
            let cut = packed.dropLast()
            if width > 0 {
                #expect(
                    BitPacking.number(Array(cut).span, at: 1, width: width, index: index) == nil)
            }
        }
        var sum: UInt32 = 0
        for count in values.indices {
            #expect(
                BitPacking.sum(packed.span, at: 1, width: width, first: count) == sum)
            sum &+= values[count]
        }
        #expect(BitPacking.sum(packed.span, at: 2, width: width, first: 1) == nil)
        #expect(BitPacking.number(packed.span, at: 0, width: 33, index: 0) == nil)
        #expect(BitPacking.number(packed.span, at: -1, width: width, index: 0) == nil)
    }

    @Test("A block that is cut short, or of impossible width, is refused", arguments: 1...32)
    func truncated(width: Int) {
        let packed = [UInt8](repeating: 0, count: 16 * width - 1)
        #expect(throws: KernelError.truncated(offset: packed.count, needed: 1)) {
            try unpack(packed, width: width)
        }
        #expect(throws: KernelError.self) { try unpack(packed, at: .max, width: width) }
        #expect(throws: KernelError.self) { try unpack(packed, at: -1, width: width) }
        #expect(throws: KernelError.self) { try unpack(packed, width: 32 + width) }
    }
}

@Suite("Blocks of ascending numbers")
struct DeltaBlockTests {
    private static func decode(
        _ bytes: [UInt8], count: Int, floor: UInt32
    ) throws -> (numbers: [UInt32], next: UInt64, offset: Int) {
        var numbers = [UInt32](repeating: 0, count: 128)
        var target = numbers.mutableSpan
        var offset = 0
        let next = try DeltaBlock.decode(
            bytes.span, at: &offset, count: count, floor: floor, into: &target)
        return (Array(numbers[..<count]), next, offset)
    }

    private static func ascending(
        count: Int, step: UInt32, floor: UInt32, seed: UInt64
    ) -> [UInt32] {
        var generator = TestGenerator(seed: seed)
        var next = UInt64(floor)
        return (0..<count).map { _ in
            next += UInt64(UInt32.random(in: 0...step, using: &generator))
            defer { next += 1 }
            return UInt32(next)
        }
    }

    @Test(
        "Ascending numbers come back, whole blocks and tails",
        arguments: [0, 1, 2, 50, 127, 128], [0, 1, 100, 70_000, 33_000_000])
    func roundTrip(count: Int, step: UInt32) throws {
        let numbers = Self.ascending(count: count, step: step, floor: 9, seed: UInt64(count))
        var bytes: [UInt8] = []
        try DeltaBlock.encode(numbers.span, floor: 9, into: &bytes)
        let decoded = try Self.decode(bytes + [0xEE], count: count, floor: 9)
        #expect(decoded.numbers == numbers)
        #expect(decoded.next == numbers.last.map { UInt64($0) + 1 } ?? 9)
        #expect(decoded.offset == bytes.count)
    }

    @Test("128 neighbours take one byte")
    func run() throws {
        let numbers = (0..<128).map { UInt32($0) + 1000 }
        var bytes: [UInt8] = []
        try DeltaBlock.encode(numbers.span, floor: 1000, into: &bytes)
        #expect(bytes == [0])
    }

    @Test("The largest numbers fit", arguments: [1, 127, 128])
    func largest(count: Int) throws {
        let numbers = (0..<count).map { UInt32.max - UInt32(count - 1 - $0) }
        var bytes: [UInt8] = []
        try DeltaBlock.encode(numbers.span, floor: 0, into: &bytes)
        let decoded = try Self.decode(bytes, count: count, floor: 0)
        #expect(decoded.numbers == numbers)
        #expect(decoded.next == 1 << 32)
    }

    @Test("Numbers that do not ascend from the floor are refused and nothing is written")
    func notAscending() {
        var bytes: [UInt8] = []
        #expect(throws: KernelError.notAscending(offset: 1)) {
            try DeltaBlock.encode(([5, 5] as [UInt32]).span, floor: 0, into: &bytes)
        }
        #expect(throws: KernelError.notAscending(offset: 0)) {
            try DeltaBlock.encode(([5] as [UInt32]).span, floor: 6, into: &bytes)
        }
        #expect(bytes.isEmpty)
    }

    @Test("Gaps that leave 32 bits are refused", arguments: [1, 24, 25, 32])
    func overflow(width: Int) {
        let gaps = [UInt32](repeating: UInt32.max >> UInt32(32 - width), count: 128)
        var bytes: [UInt8] = []
        ValueBlock.encode(gaps.span, into: &bytes)
        #expect(throws: KernelError.notAscending(offset: 0)) {
            try Self.decode(bytes, count: 128, floor: .max - 100)
        }
    }

    @Test("Every prefix of a block is refused", arguments: [3, 128])
    func prefixes(count: Int) throws {
        let numbers = Self.ascending(count: count, step: 1000, floor: 0, seed: 1)
        var bytes: [UInt8] = []
        try DeltaBlock.encode(numbers.span, floor: 0, into: &bytes)
        for length in 0..<bytes.count {
            #expect(throws: KernelError.self) {
                try Self.decode(Array(bytes[..<length]), count: count, floor: 0)
            }
        }
    }

    @Test("Random bytes give ascending numbers or an error, and some of both", arguments: 1...4)
    func randomBytes(seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        var (accepted, refused) = ([0, 0], [0, 0])
        for round in 0..<200 {
            let (count, kind) =
                round % 2 == 0 ? (128, 0) : (Int.random(in: 1..<128, using: &generator), 1)
            var bytes = generator.bytes(count: 600)
            if kind == 0 { bytes[0] = UInt8.random(in: 0...34, using: &generator) }
            let floor = UInt32.random(in: 0...(.max), using: &generator)
            // An error is as good an answer here as numbers are.
            guard let decoded = try? Self.decode(bytes, count: count, floor: floor) else {
                refused[kind] += 1
                continue
            }
            accepted[kind] += 1
            #expect(zip(decoded.numbers, decoded.numbers.dropFirst()).allSatisfy { $0 < $1 })
            #expect(decoded.numbers.allSatisfy { $0 >= floor }, "seed \(seed)")
            #expect(decoded.next == decoded.numbers.last.map { UInt64($0) + 1 }, "seed \(seed)")
        }
        let note = "seed \(seed): \(accepted) accepted, \(refused) refused"
        #expect((accepted + refused).allSatisfy { $0 > 0 }, "\(note)")
    }
}
