import FresnelModel
import FresnelWire
import Testing

@Suite("Header")
struct HeaderTests {
    private let header = Header(verb: .query, flags: .control, envelope: Samples.envelope)

    @Test("H-1: a header is 48 bytes in network order")
    func layout() {
        let bytes = header.bytes
        #expect(bytes.count == 48)
        #expect(Array(bytes[..<8]) == [0xAA, 0xB7, 1, 16, 0, 1, 0, 48])
        #expect(Array(bytes[8..<12]) == [0x00, 0x11, 0x22, 0x33])
        #expect(Array(bytes[24..<28]) == [0, 0, 0, 3])
        #expect(Array(bytes[28..<36]) == [0, 0, 0, 0, 0, 0, 0, 5])
        #expect(Array(bytes[36..<40]) == [0, 0, 0, 1])
        #expect(Array(bytes[40..<44]) == [0, 0, 0, 7])
        #expect(Array(bytes[44..<48]) == [0, 0, 1, 0xF4])
    }

    @Test("H-2: every verb's header reads back as it was written", arguments: Verb.allCases)
    func roundTrip(verb: Verb) throws {
        let header = Header(verb: verb, flags: [.control, .payload], envelope: Samples.envelope)
        #expect(try Header(header.bytes) == header)
    }

    @Test(
        "H-3: an unbounded budget is all ones, and no budget becomes unbounded by size",
        arguments: [
            (nil, UInt32.max), (.zero, 0), (.microseconds(1999), 1), (.seconds(-1), 0),
            (.seconds(1 << 40), UInt32.max - 1),
        ] as [(Duration?, UInt32)])
    func budget(budget: Duration?, milliseconds: UInt32) throws {
        let envelope = Envelope(budget: budget)
        #expect(envelope.budgetMilliseconds == milliseconds)
        let header = try Header(Header(verb: .query, flags: [], envelope: envelope).bytes)
        #expect(header.envelope.budgetMilliseconds == milliseconds)
        #expect((header.envelope.budget == nil) == (budget == nil))
    }

    @Test(
        "H-4: every fault of a header is told apart",
        arguments: [
            (0, 0xAB, WireError.signature(0xABB7)), (2, 2, .version(2)), (3, 99, .unknownVerb(99)),
            (5, 5, .unknownFlags(5)), (4, 0x80, .unknownFlags(0x8001)),
            (7, 47, .headerLength(declared: 47, frame: 48)),
            (7, 49, .headerLength(declared: 49, frame: 48)),
        ] as [(Int, UInt8, WireError)])
    func faults(offset: Int, value: UInt8, error: WireError) {
        var bytes = header.bytes
        bytes[offset] = value
        #expect(throws: error) { try Header(bytes) }
    }

    @Test(
        "H-5: a frame that is too short or too long is refused before anything else",
        arguments: [0, 1, 47, 513])
    func size(count: Int) {
        var bytes = header.bytes + [UInt8](repeating: 0, count: 600)
        bytes.removeLast(bytes.count - count)
        #expect(throws: WireError.self) { try Header(bytes) }
    }

    @Test("H-6: an unknown extension is skipped unless it must be understood")
    func extensions() throws {
        #expect(try Header(extended([0, 9, 0, 2, 1, 2, 0, 8, 0, 0])) == header)
        #expect(throws: WireError.mustUnderstand(0x8009)) {
            try Header(extended([0x80, 9, 0, 0]))
        }
        #expect(throws: WireError.truncatedExtension(offset: 48)) {
            try Header(extended([0, 9, 0, 2, 1]))
        }
        #expect(throws: WireError.truncatedExtension(offset: 48)) { try Header(extended([0, 9])) }
    }

    private func extended(_ extensions: [UInt8]) -> [UInt8] {
        var bytes = header.bytes + extensions
        bytes[7] = UInt8(bytes.count)
        return bytes
    }
}
