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
        arguments: 1...200 as ClosedRange<UInt64>)
    func damaged(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var read = 0
        for body in Samples.messages.compactMap(\.command.body) {
            let bytes: [UInt8] = try body.serializedBytes()
            for _ in 0..<4 where try compare(body, chance.damaged(bytes)) { read += 1 }
        }
        // Else nothing would have been compared.
        #expect(read > 0)
    }

    @Test(
        "F-7: fields in any order, of any type, twice and inside each other",
        arguments: 1...200 as ClosedRange<UInt64>)
    func strange(seed: UInt64) throws {
        var chance = Chance(seed: seed)
        var read = 0
        for body in Samples.messages.compactMap(\.command.body) {
            for _ in 0..<20 where try compare(body, chance.fields(depth: 3)) {
                read += 1
            }
        }
        #expect(read > 0)
    }

    @Test(
        "What a later version might write is left to the library",
        arguments: [
            [0xF8, 0x07, 0x01], [0x0B, 0x0C], [0x0D, 1, 2, 3, 4], [0x80, 0x80, 0x01], [0x00],
            [0x80],
            [0x0A, 0x05, 0x61], [0x0A, 0x02, 0xC3, 0x28], [0x08, 0x01],
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
        (0..<below(5)).flatMap { _ in field(depth: depth) }
    }

    private mutating func field(depth: Int) -> [UInt8] {
        let tag = UInt8(1 + below(15)) << 3
        switch below(10) {
        case 0...3: return [tag] + varint()
        case 4: return [tag | 1] + (0..<8).map { _ in UInt8(below(256)) }
        case 5: return [tag | 5] + (0..<4).map { _ in UInt8(below(256)) }
        case 6: return [tag | 2] + delimited((0..<below(4)).flatMap { _ in varint() })
        case 7: return [tag | 2] + delimited(Array(text().utf8))
        case 8 where depth > 0: return [tag | 2] + delimited(fields(depth: depth - 1))
        default: return [tag | 2] + delimited(bytes(9))
        }
    }

    private mutating func varint() -> [UInt8] {
        var bytes = (0..<[0, 0, 1, 4, 8, 9, 10][below(7)]).map { _ in UInt8(128 + below(128)) }
        bytes.append(UInt8(below(128)))
        return bytes
    }

    private func delimited(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count & 0x7F)] + bytes }
}
