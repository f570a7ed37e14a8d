import FresnelKernels
import Testing

@Suite("Reading and writing bytes")
struct ByteReaderTests {
    /// One of each thing a writer can write.
    private static func sample() -> [UInt8] {
        var writer = ByteWriter()
        writer.write(UInt8(7))
        writer.write(UInt16(0xABCD))
        writer.write(UInt32(0xDEAD_BEEF))
        writer.write(UInt64(0x0123_4567_89AB_CDEF))
        writer.write(Int64(-5))
        writer.write(-0.5)
        writer.writeVarint(300)
        writer.writeZigzag(-300)
        for bytes in [[1, 2, 3], Array("Häuser".utf8)] {
            writer.writeVarint(UInt64(bytes.count))
            writer.writeRaw(bytes)
        }
        return writer.bytes
    }

    private static func readSample(
        _ reader: inout some ReadsBytes & ~Escapable
    ) throws(KernelError) {
        #expect(try reader.readUInt8() == 7)
        #expect(try reader.readUInt16() == 0xABCD)
        #expect(try reader.readUInt32() == 0xDEAD_BEEF)
        #expect(try reader.readUInt64() == 0x0123_4567_89AB_CDEF)
        #expect(try reader.readInt64() == -5)
        #expect(try reader.readDouble() == -0.5)
        #expect(try reader.readVarint() == 300)
        #expect(try reader.readZigzag() == -300)
        #expect(try reader.readBytes(limit: 3) == [1, 2, 3])
        #expect(try reader.readString(limit: 16) == "Häuser")
        try reader.requireEnd()
    }

    private static func discardSample(
        _ reader: inout some ReadsBytes & ~Escapable
    ) throws(KernelError) {
        try reader.skip(1 + 2 + 4 + 8 + 8 + 8)
        _ = try reader.readVarint()
        _ = try reader.readZigzag()
        _ = try reader.readBytes(limit: 3)
        _ = try reader.readString(limit: 16)
        try reader.requireEnd()
    }

    @Test("What was written is read back, from an array and from a span")
    func roundTrip() throws {
        let bytes = Self.sample()
        var reader = ByteReader(bytes)
        try Self.readSample(&reader)
        var spanReader = SpanReader(bytes.span)
        try Self.readSample(&spanReader)
    }

    @Test("Fixed integers are little endian, varints LEB128")
    func layout() {
        var writer = ByteWriter()
        writer.write(UInt32(0x0102_0304))
        writer.writeVarint(300)
        writer.writeZigzag(-1)
        #expect(writer.bytes == [4, 3, 2, 1, 0xAC, 0x02, 0x01])
    }

    @Test("Every proper prefix is refused as truncated at its end")
    func prefixes() throws {
        let bytes = Self.sample()
        for length in 0..<bytes.count {
            let prefix = Array(bytes[..<length])
            let error = #expect(throws: KernelError.self) {
                var reader = ByteReader(prefix)
                try Self.discardSample(&reader)
            }
            guard case .truncated(let offset, let needed) = error else {
                Issue.record("prefix of \(length): \(String(describing: error))")
                continue
            }
            #expect(offset == length)
            #expect(needed > 0)
        }
    }

    @Test("A reader of a part ends where the part ends")
    func part() throws {
        var reader = try ByteReader([1, 2, 3, 4], in: 1..<3)
        #expect(try reader.readUInt16() == 0x0302)
        #expect(throws: KernelError.truncated(offset: 3, needed: 1)) { try reader.readUInt8() }
        #expect(throws: KernelError.truncated(offset: 4, needed: 2)) {
            try ByteReader([1, 2, 3, 4], in: 3..<6)
        }
    }

    @Test(
        "Varints keep every bit",
        arguments: [0, 1, 127, 128, 16_383, 16_384, UInt64.max / 2, UInt64.max])
    func varint(value: UInt64) throws {
        var writer = ByteWriter()
        writer.writeVarint(value)
        writer.writeZigzag(Int64(bitPattern: value))
        var reader = ByteReader(writer.bytes)
        #expect(try reader.readVarint() == value)
        #expect(try reader.readZigzag() == Int64(bitPattern: value))
    }

    @Test("A varint above its type is refused at its first byte and not passed")
    func oversizedVarint() {
        var reader = ByteReader([UInt8](repeating: 0xFF, count: 9) + [0x02])
        #expect(throws: KernelError.oversizedInteger(offset: 0)) { try reader.readVarint() }
        #expect(reader.offset == 0)
        var narrow = ByteReader([0xFF, 0xFF, 0xFF, 0xFF, 0x1F])
        #expect(throws: KernelError.oversizedInteger(offset: 0)) { try narrow.readVarint32() }
    }

    @Test("A length above the limit is refused before anything is allocated")
    func limits() {
        var writer = ByteWriter()
        writer.writeVarint(UInt64.max)
        var reader = ByteReader(writer.bytes)
        #expect(throws: KernelError.overLimit(offset: 0, length: .max, limit: 1 << 40)) {
            try reader.readBytes(limit: 1 << 40)
        }
        reader = ByteReader(writer.bytes)
        #expect(throws: KernelError.self) { try reader.readCount(limit: .max, bytesEach: 8) }
        var many = ByteReader([200, 1, 0])
        #expect(throws: KernelError.truncated(offset: 3, needed: 199)) {
            try many.readCount(limit: 1000)
        }
    }

    @Test("Text that is not UTF-8 is refused", arguments: [[0xFF], [0xC3], [0xED, 0xA0, 0x80]])
    func invalidText(bytes: [UInt8]) {
        let encoded = [UInt8(bytes.count)] + bytes
        #expect(throws: KernelError.invalidText(offset: 1)) {
            var reader = ByteReader(encoded)
            return try reader.readString(limit: 9)
        }
        #expect(throws: KernelError.invalidText(offset: 1)) {
            var reader = SpanReader(encoded.span)
            return try reader.readString(limit: 9)
        }
    }

    @Test("Random bytes are read or refused, and both readers agree", arguments: 1...50)
    func randomBytes(seed: UInt64) {
        var generator = TestGenerator(seed: seed)
        let bytes = generator.bytes(count: Int.random(in: 0...64, using: &generator))
        let choices = (0..<32).map { _ in Int.random(in: 0..<9, using: &generator) }
        var reader = ByteReader(bytes)
        let first = Self.outcomes(choices, &reader)
        var spanReader = SpanReader(bytes.span)
        #expect(first == Self.outcomes(choices, &spanReader))
    }

    private static func outcomes(
        _ choices: [Int], _ reader: inout some ReadsBytes & ~Escapable
    ) -> [String] {
        choices.map { choice in
            let start = reader.offset
            do throws(KernelError) {
                return "\(start) " + (try read(choice, from: &reader))
            } catch {
                // A refused read moves nothing, so the next one begins where it did.
                #expect(reader.offset == start)
                return "\(reader.offset) \(error)"
            }
        }
    }

    private static func read(
        _ choice: Int, from reader: inout some ReadsBytes & ~Escapable
    ) throws(KernelError) -> String {
        switch choice {
        case 0: "\(try reader.readUInt16())"
        case 1: "\(try reader.readVarint())"
        case 2: "\(try reader.readZigzag())"
        case 3: "\(try reader.readBytes(limit: 8))"
        case 4: try reader.readString(limit: 8)
        case 5: "\(try reader.readDouble().bitPattern)"
        case 6: "\(try reader.readVarint32())"
        case 7: "\(try reader.readBytes(count: 3))"
        default: "\(try reader.readCount(limit: 20, bytesEach: 2))"
        }
    }
}
