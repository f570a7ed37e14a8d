internal import SwiftProtobuf

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// SwiftProtobuf's own writer stands behind a module border, so that every field is a call through
// a table of witnesses, twice: once for the size, once for the bytes. This one is compiled together
// with the messages and writes once; the length of a nested message is put before it afterwards.
// Both write the same bytes, which the tests compare.

/// Writes a Protocol Buffers message of this schema.
struct ControlFrameWriter: Visitor {
    private(set) var bytes: [UInt8] = []

    /// The bytes of a message.
    static func bytes(of message: some SwiftProtobuf.Message) throws -> [UInt8] {
        var writer = ControlFrameWriter()
        writer.bytes.reserveCapacity(256)
        try message.traverse(visitor: &writer)
        return writer.bytes
    }

    private enum WireType: UInt64 {
        case varint = 0
        case fixed64 = 1
        case delimited = 2
        case fixed32 = 5
    }

    private mutating func tag(_ field: Int, _ type: WireType) {
        varint(UInt64(field) << 3 | type.rawValue)
    }

    private mutating func varint(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private mutating func fixed(_ value: some FixedWidthInteger & UnsignedInteger) {
        var rest = value
        for _ in 0..<value.bitWidth / 8 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    /// Writes what `body` appends, after its length.
    private mutating func delimited(
        _ field: Int, _ body: (inout ControlFrameWriter) throws -> Void
    ) rethrows {
        tag(field, .delimited)
        let place = bytes.count
        bytes.append(0)
        try body(&self)
        let length = bytes.count - place - 1
        guard length >= 0x80 else { return bytes[place] = UInt8(length) }
        var prefix = ControlFrameWriter()
        prefix.varint(UInt64(length))
        bytes.replaceSubrange(place...place, with: prefix.bytes)
    }

    mutating func visitSingularFloatField(value: Float, fieldNumber: Int) {
        tag(fieldNumber, .fixed32)
        fixed(value.bitPattern)
    }

    mutating func visitSingularDoubleField(value: Double, fieldNumber: Int) {
        tag(fieldNumber, .fixed64)
        fixed(value.bitPattern)
    }

    mutating func visitSingularInt64Field(value: Int64, fieldNumber: Int) {
        visitSingularUInt64Field(value: UInt64(bitPattern: value), fieldNumber: fieldNumber)
    }

    mutating func visitSingularUInt32Field(value: UInt32, fieldNumber: Int) {
        visitSingularUInt64Field(value: UInt64(value), fieldNumber: fieldNumber)
    }

    mutating func visitSingularUInt64Field(value: UInt64, fieldNumber: Int) {
        tag(fieldNumber, .varint)
        varint(value)
    }

    mutating func visitSingularSInt32Field(value: Int32, fieldNumber: Int) {
        visitSingularSInt64Field(value: Int64(value), fieldNumber: fieldNumber)
    }

    mutating func visitSingularSInt64Field(value: Int64, fieldNumber: Int) {
        tag(fieldNumber, .varint)
        varint(UInt64(bitPattern: value << 1 ^ value >> 63))
    }

    mutating func visitSingularFixed64Field(value: UInt64, fieldNumber: Int) {
        tag(fieldNumber, .fixed64)
        fixed(value)
    }

    mutating func visitSingularFixed32Field(value: UInt32, fieldNumber: Int) {
        tag(fieldNumber, .fixed32)
        fixed(value)
    }

    mutating func visitSingularBoolField(value: Bool, fieldNumber: Int) {
        visitSingularUInt64Field(value: value ? 1 : 0, fieldNumber: fieldNumber)
    }

    mutating func visitSingularStringField(value: String, fieldNumber: Int) {
        delimited(fieldNumber) { $0.bytes.append(contentsOf: value.utf8) }
    }

    mutating func visitSingularBytesField(value: Data, fieldNumber: Int) {
        delimited(fieldNumber) { $0.bytes.append(contentsOf: value) }
    }

    mutating func visitSingularEnumField<E: Enum>(value: E, fieldNumber: Int) {
        visitSingularInt64Field(value: Int64(value.rawValue), fieldNumber: fieldNumber)
    }

    mutating func visitSingularMessageField<M: SwiftProtobuf.Message>(
        value: M, fieldNumber: Int
    ) throws {
        try delimited(fieldNumber) { try value.traverse(visitor: &$0) }
    }

    mutating func visitRepeatedStringField(value: [String], fieldNumber: Int) {
        for text in value { visitSingularStringField(value: text, fieldNumber: fieldNumber) }
    }

    mutating func visitRepeatedMessageField<M: SwiftProtobuf.Message>(
        value: [M], fieldNumber: Int
    ) throws {
        for message in value {
            try visitSingularMessageField(value: message, fieldNumber: fieldNumber)
        }
    }

    mutating func visitPackedUInt32Field(value: [UInt32], fieldNumber: Int) {
        delimited(fieldNumber) { for number in value { $0.varint(UInt64(number)) } }
    }

    mutating func visitPackedUInt64Field(value: [UInt64], fieldNumber: Int) {
        delimited(fieldNumber) { for number in value { $0.varint(number) } }
    }

    mutating func visitPackedFixed64Field(value: [UInt64], fieldNumber: Int) {
        delimited(fieldNumber) { for number in value { $0.fixed(number) } }
    }

    mutating func visitUnknown(bytes: Data) {
        self.bytes.append(contentsOf: bytes)
    }
}

// The schema has no maps; the protocol asks for them without a default.
extension ControlFrameWriter {
    mutating func visitMapField<KeyType, ValueType: MapValueType>(
        fieldType: _ProtobufMap<KeyType, ValueType>.Type,
        value: _ProtobufMap<KeyType, ValueType>.BaseType, fieldNumber: Int
    ) {
        preconditionFailure("field \(fieldNumber) is a map, which this writer cannot write")
    }

    mutating func visitMapField<KeyType, ValueType>(
        fieldType: _ProtobufEnumMap<KeyType, ValueType>.Type,
        value: _ProtobufEnumMap<KeyType, ValueType>.BaseType, fieldNumber: Int
    ) where ValueType.RawValue == Int {
        preconditionFailure("field \(fieldNumber) is a map, which this writer cannot write")
    }

    mutating func visitMapField<KeyType, ValueType>(
        fieldType: _ProtobufMessageMap<KeyType, ValueType>.Type,
        value: _ProtobufMessageMap<KeyType, ValueType>.BaseType, fieldNumber: Int
    ) {
        preconditionFailure("field \(fieldNumber) is a map, which this writer cannot write")
    }
}
