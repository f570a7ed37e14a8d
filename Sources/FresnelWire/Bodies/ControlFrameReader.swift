internal import SwiftProtobuf

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// As for the writer: SwiftProtobuf's own reader stands behind a module border, so that every field
// is a call through a table of witnesses. This one is compiled together with the messages. It reads
// what programs of this version write and nothing else: at the first thing that is unknown, unusual
// or damaged it gives up, and the library reads the frame from the beginning and says what is
// wrong. So it has to be right about what it accepts only; the tests compare both.

/// Reads Protocol Buffers messages of this schema that are as `ControlFrameWriter` writes them.
struct ControlFrameReader: Decoder {
    /// Something that is left to the library.
    struct Unusual: Error {}

    private enum WireType: UInt8 {
        case varint = 0
        case fixed64 = 1
        case delimited = 2
    }

    private let bytes: [UInt8]
    private var place = 0
    /// Where the message ends that is read.
    private var end: Int
    private var type = WireType.varint
    /// Whether a field begins at `place` whose value nobody has taken.
    private var isPending = false
    /// Messages that may still begin inside this one.
    private var depthLeft = Command.depthLimit - 1

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        end = bytes.count
    }

    /// The message of these bytes; nil when the library has to look at them.
    static func read<Body: SwiftProtobuf.Message>(
        _ type: Body.Type, _ bytes: [UInt8]
    ) -> Body? {
        var reader = ControlFrameReader(bytes)
        var body = Body()
        do {
            try body.decodeMessage(decoder: &reader)
        } catch {
            return nil
        }
        return body
    }

    mutating func handleConflictingOneOf() {}

    mutating func nextFieldNumber() throws -> Int? {
        // A field that the message does not know, or of another type.
        guard !isPending else { throw Unusual() }
        guard place < end else { return nil }
        var tag = Int(bytes[place])
        place += 1
        if tag >= 0x80 {
            guard place < end, bytes[place] < 0x80 else { throw Unusual() }
            tag = tag & 0x7F | Int(bytes[place]) << 7
            place += 1
        }
        guard let type = WireType(rawValue: UInt8(tag & 7)), tag >= 8 else { throw Unusual() }
        self.type = type
        isPending = true
        return tag >> 3
    }

    // What the schema's fields are made of.

    private mutating func varint() throws -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while place < end, shift < 64 {
            let byte = bytes[place]
            place += 1
            value |= UInt64(byte & 0x7F) &<< shift
            if byte < 0x80 { return value }
            shift += 7
        }
        throw Unusual()
    }

    private mutating func fixed64() throws -> UInt64 {
        guard end - place >= 8 else { throw Unusual() }
        var value: UInt64 = 0
        for offset in 0..<8 { value |= UInt64(bytes[place + offset]) &<< UInt64(8 * offset) }
        place += 8
        return value
    }

    /// The place of as many bytes as a number before them says.
    private mutating func delimited() throws -> Range<Int> {
        let length = try varint()
        guard length <= UInt64(end - place) else { throw Unusual() }
        let start = place
        place += Int(length)
        return start..<place
    }

    private mutating func text() throws -> String {
        let range = try delimited()
        // What is no UTF-8 is the library's to refuse.
        guard let text = try? UTF8Span(validating: bytes.span.extracting(range)) else {
            throw Unusual()
        }
        return String(copying: text)
    }

    /// Takes the value of a field that must be of a type.
    private mutating func take<Value>(
        _ expected: WireType, _ value: (inout ControlFrameReader) throws -> Value
    ) throws -> Value {
        guard type == expected else { throw Unusual() }
        isPending = false
        return try value(&self)
    }

    /// Takes the numbers of a packed field.
    private mutating func takePacked(_ number: (inout ControlFrameReader) throws -> Void) throws {
        try take(.delimited) { reader in
            let range = try reader.delimited()
            let outer = reader.end
            reader.place = range.lowerBound
            reader.end = range.upperBound
            while reader.place < reader.end { try number(&reader) }
            reader.end = outer
        }
    }

    private mutating func takeMessage(into message: inout some SwiftProtobuf.Message) throws {
        guard type == .delimited, depthLeft > 0 else { throw Unusual() }
        isPending = false
        depthLeft -= 1
        defer { depthLeft += 1 }
        let range = try delimited()
        let outer = end
        place = range.lowerBound
        end = range.upperBound
        try message.decodeMessage(decoder: &self)
        end = outer
    }
}

// Fields as the generated code asks for them.
extension ControlFrameReader {
    mutating func decodeSingularDoubleField(value: inout Double) throws {
        value = try take(.fixed64) { Double(bitPattern: try $0.fixed64()) }
    }

    mutating func decodeSingularDoubleField(value: inout Double?) throws {
        value = try take(.fixed64) { Double(bitPattern: try $0.fixed64()) }
    }

    mutating func decodeSingularUInt32Field(value: inout UInt32) throws {
        value = try take(.varint) { UInt32(truncatingIfNeeded: try $0.varint()) }
    }

    mutating func decodeSingularUInt32Field(value: inout UInt32?) throws {
        value = try take(.varint) { UInt32(truncatingIfNeeded: try $0.varint()) }
    }

    mutating func decodeRepeatedUInt32Field(value: inout [UInt32]) throws {
        try takePacked { value.append(UInt32(truncatingIfNeeded: try $0.varint())) }
    }

    mutating func decodeSingularUInt64Field(value: inout UInt64) throws {
        value = try take(.varint) { try $0.varint() }
    }

    mutating func decodeSingularUInt64Field(value: inout UInt64?) throws {
        value = try take(.varint) { try $0.varint() }
    }

    mutating func decodeRepeatedUInt64Field(value: inout [UInt64]) throws {
        try takePacked { value.append(try $0.varint()) }
    }

    mutating func decodeSingularSInt32Field(value: inout Int32) throws {
        value = try take(.varint) {
            let folded = UInt32(truncatingIfNeeded: try $0.varint())
            return Int32(bitPattern: folded >> 1) ^ -Int32(folded & 1)
        }
    }

    mutating func decodeSingularSInt32Field(value: inout Int32?) throws {
        var number: Int32 = 0
        try decodeSingularSInt32Field(value: &number)
        value = number
    }

    mutating func decodeSingularFixed64Field(value: inout UInt64) throws {
        value = try take(.fixed64) { try $0.fixed64() }
    }

    mutating func decodeSingularFixed64Field(value: inout UInt64?) throws {
        value = try take(.fixed64) { try $0.fixed64() }
    }

    mutating func decodeRepeatedFixed64Field(value: inout [UInt64]) throws {
        try takePacked { value.append(try $0.fixed64()) }
    }

    mutating func decodeSingularBoolField(value: inout Bool) throws {
        value = try take(.varint) { try $0.varint() != 0 }
    }

    mutating func decodeSingularBoolField(value: inout Bool?) throws {
        value = try take(.varint) { try $0.varint() != 0 }
    }

    mutating func decodeRepeatedBoolField(value: inout [Bool]) throws {
        try takePacked { value.append(try $0.varint() != 0) }
    }

    mutating func decodeSingularStringField(value: inout String) throws {
        value = try take(.delimited) { try $0.text() }
    }

    mutating func decodeSingularStringField(value: inout String?) throws {
        value = try take(.delimited) { try $0.text() }
    }

    mutating func decodeRepeatedStringField(value: inout [String]) throws {
        value.append(try take(.delimited) { try $0.text() })
    }

    mutating func decodeSingularBytesField(value: inout Data) throws {
        value = try take(.delimited) { Data($0.bytes[try $0.delimited()]) }
    }

    mutating func decodeSingularBytesField(value: inout Data?) throws {
        value = try take(.delimited) { Data($0.bytes[try $0.delimited()]) }
    }

    mutating func decodeSingularEnumField<E: Enum>(value: inout E) throws where E.RawValue == Int {
        let number = try take(.varint) { Int(Int32(truncatingIfNeeded: try $0.varint())) }
        guard let known = E(rawValue: number) else { throw Unusual() }
        value = known
    }

    mutating func decodeSingularEnumField<E: Enum>(value: inout E?) throws where E.RawValue == Int {
        var known = E()
        try decodeSingularEnumField(value: &known)
        value = known
    }

    mutating func decodeSingularMessageField<M: SwiftProtobuf.Message>(value: inout M?) throws {
        var message = value.take() ?? M()
        try takeMessage(into: &message)
        value = message
    }

    mutating func decodeRepeatedMessageField<M: SwiftProtobuf.Message>(
        value: inout [M]
    ) throws {
        var message = M()
        try takeMessage(into: &message)
        value.append(message)
    }
}
