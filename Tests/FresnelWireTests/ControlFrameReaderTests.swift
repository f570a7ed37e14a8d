import SwiftProtobuf
import Testing

@testable import FresnelWire

@Suite("Reading control frames")
struct ControlFrameReaderTests {
    @Test("F-2: what this version writes is read without the library", arguments: Verb.allCases)
    func plain(verb: Verb) throws {
        for command in [Samples.message(of: verb).command, Largest.command(of: verb, text: "ä")] {
            guard let body = command?.body else { continue }
            let isRead = try compare(body, try body.serializedBytes())
            #expect(isRead, "\(verb)")
        }
    }

    @Test(
        "F-7: what is damaged is read as by the library, or left to it",
        arguments: 1...60 as ClosedRange<UInt64>)
    func damaged(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var read = 0
        for body in Samples.messages.compactMap(\.command.body) {
            let bytes: [UInt8] = try body.serializedBytes()
            for _ in 0..<4 {
                let damaged = chance.damaged(bytes)
                if try compare(body, damaged), !damaged.isEmpty { read += 1 }
            }
        }
        // Else nothing would have been compared.
        #expect(read > 5)
    }

    @Test(
        "F-7: fields in any order, of any type, twice and inside each other",
        arguments: 1...60 as ClosedRange<UInt64>)
    func strange(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var read = 0
        for body in Samples.messages.compactMap(\.command.body) {
            for _ in 0..<20 {
                let fields = chance.fields(depth: 3)
                if try compare(body, fields), !fields.isEmpty { read += 1 }
            }
        }
        #expect(read > 5)
    }

    @Test("Packed numbers are read, and those one by one are left to the library")
    func packed() throws {
        // shards, epochs, identities and in_sync of an index.
        let numbers: [UInt8] = [
            0x1A, 3, 1, 0x80, 1, 0x3A, 2, 5, 6, 0xA2, 1, 8, 1, 2, 3, 4, 5, 6, 7, 8, 0xAA, 1, 3, 1,
            0, 2,
        ]
        #expect(try compare(WireIndexAssignment(), numbers))
        let body = try #require(ControlFrameReader.read(WireIndexAssignment.self, numbers))
        #expect(body.shards == [1, 128] && body.epochs == [5, 6])
        #expect(body.identities == [0x0807_0605_0403_0201] && body.inSync == [true, false, true])
        for single in [[0x18, 1], [0x38, 1], [0xA8, 1, 1], [0xA1, 1, 1, 2, 3, 4, 5, 6, 7, 8]] {
            #expect(try !compare(WireIndexAssignment(), single.map { UInt8($0) }))
        }
        #expect(try !compare(WireIndexAssignment(), [0xA2, 1, 7, 1, 2, 3, 4, 5, 6, 7]))
    }

    @Test(
        "What a later version might write is left to the library",
        arguments: [
            [0xF8, 0x07, 0x01], [0x0B, 0x0C], [0x0D, 1, 2, 3, 4], [0x80, 0x80, 0x01], [0x00],
            [0x80],
            [0x0A, 0x05, 0x61], [0x0A, 0x02, 0xC3, 0x28], [0x08, 0x01],
            [0x0A, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x01],
            [0x18] + Array(repeating: 0xFF, count: 10) + [0x01],
        ])
    func later(bytes: [UInt8]) throws {
        #expect(try !compare(WirePut(), bytes))
    }

    /// Whether the reader takes the bytes: the library must then take them alike.
    private func compare<Body: SwiftProtobuf.Message>(
        _ sample: Body, _ bytes: [UInt8]
    ) throws -> Bool {
        guard let read = ControlFrameReader.read(Body.self, bytes) else { return false }
        var options = BinaryDecodingOptions()
        options.messageDepthLimit = Command.depthLimit
        options.discardUnknownFields = true
        let expected = try Body(serializedBytes: bytes, options: options)
        // As bytes: a number that is none equals nothing.
        let (found, wanted): ([UInt8], [UInt8]) = (
            try read.serializedBytes(), try expected.serializedBytes()
        )
        #expect(found == wanted, "\(Body.self) of \(bytes)")
        return true
    }
}

extension Chance {
    /// Bytes that are Protocol Buffers, of whatever schema, mostly.
    fileprivate mutating func fields(depth: Int) -> [UInt8] {
        (0..<1 + below(3)).flatMap { _ in field(depth: depth) }
    }

    private mutating func field(depth: Int) -> [UInt8] {
        let number = 1 + below(25)
        switch below(10) {
        case 0...3: return tag(number, 0) + varint()
        case 4: return tag(number, 1) + (0..<8).map { _ in UInt8(below(256)) }
        case 5: return tag(number, 5) + (0..<4).map { _ in UInt8(below(256)) }
        case 6: return tag(number, 2) + delimited((0..<below(4)).flatMap { _ in varint() })
        case 7: return tag(number, 2) + delimited(Array(text(90).utf8))
        case 8 where depth > 0: return tag(number, 2) + delimited(fields(depth: depth - 1))
        default: return tag(number, 2) + delimited(bytes(9))
        }
    }

    /// A field's number and type, now and then in more bytes than it needs.
    private mutating func tag(_ number: Int, _ type: Int) -> [UInt8] {
        let tag = number << 3 | type
        guard tag > 0x7F || below(8) == 0 else { return [UInt8(tag)] }
        return [UInt8(tag & 0x7F | 0x80), UInt8(tag >> 7)]
    }

    private mutating func varint() -> [UInt8] {
        var bytes = (0..<[0, 0, 1, 4, 8, 9, 10][below(7)]).map { _ in UInt8(128 + below(128)) }
        bytes.append(UInt8(below(128)))
        return bytes
    }

    private func delimited(_ bytes: [UInt8]) -> [UInt8] {
        let length =
            bytes.count < 0x80
            ? [UInt8(bytes.count)]
            : [UInt8(bytes.count & 0x7F | 0x80), UInt8(bytes.count >> 7)]
        return length + bytes
    }
}
