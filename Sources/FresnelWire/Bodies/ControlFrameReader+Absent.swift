internal import SwiftProtobuf

#if canImport(FoundationEssentials)
internal import FoundationEssentials
#else
internal import Foundation
#endif

// The protocol asks for every kind of field that there is. Those below are in no message of the
// schema; should one come, the library reads it, more slowly.
extension ControlFrameReader {
    mutating func decodeSingularFloatField(value: inout Float) throws { throw Unusual() }

    mutating func decodeSingularFloatField(value: inout Float?) throws { throw Unusual() }

    mutating func decodeRepeatedFloatField(value: inout [Float]) throws { throw Unusual() }

    mutating func decodeSingularInt32Field(value: inout Int32) throws { throw Unusual() }

    mutating func decodeSingularInt32Field(value: inout Int32?) throws { throw Unusual() }

    mutating func decodeRepeatedInt32Field(value: inout [Int32]) throws { throw Unusual() }

    mutating func decodeSingularInt64Field(value: inout Int64) throws { throw Unusual() }

    mutating func decodeSingularInt64Field(value: inout Int64?) throws { throw Unusual() }

    mutating func decodeRepeatedInt64Field(value: inout [Int64]) throws { throw Unusual() }

    mutating func decodeSingularSInt64Field(value: inout Int64) throws { throw Unusual() }

    mutating func decodeSingularSInt64Field(value: inout Int64?) throws { throw Unusual() }

    mutating func decodeRepeatedSInt64Field(value: inout [Int64]) throws { throw Unusual() }

    mutating func decodeSingularFixed32Field(value: inout UInt32) throws { throw Unusual() }

    mutating func decodeSingularFixed32Field(value: inout UInt32?) throws { throw Unusual() }

    mutating func decodeRepeatedFixed32Field(value: inout [UInt32]) throws { throw Unusual() }

    mutating func decodeSingularSFixed32Field(value: inout Int32) throws { throw Unusual() }

    mutating func decodeSingularSFixed32Field(value: inout Int32?) throws { throw Unusual() }

    mutating func decodeRepeatedSFixed32Field(value: inout [Int32]) throws { throw Unusual() }

    mutating func decodeSingularSFixed64Field(value: inout Int64) throws { throw Unusual() }

    mutating func decodeSingularSFixed64Field(value: inout Int64?) throws { throw Unusual() }

    mutating func decodeRepeatedSFixed64Field(value: inout [Int64]) throws { throw Unusual() }

    mutating func decodeRepeatedDoubleField(value: inout [Double]) throws { throw Unusual() }

    mutating func decodeRepeatedSInt32Field(value: inout [Int32]) throws { throw Unusual() }

    mutating func decodeRepeatedBytesField(value: inout [Data]) throws { throw Unusual() }

    mutating func decodeRepeatedEnumField<E: Enum>(value: inout [E]) throws { throw Unusual() }

    mutating func decodeSingularGroupField<G: SwiftProtobuf.Message>(value: inout G?) throws {
        throw Unusual()
    }

    mutating func decodeRepeatedGroupField<G: SwiftProtobuf.Message>(value: inout [G]) throws {
        throw Unusual()
    }

    mutating func decodeMapField<KeyType, ValueType: MapValueType>(
        fieldType: _ProtobufMap<KeyType, ValueType>.Type,
        value: inout _ProtobufMap<KeyType, ValueType>.BaseType
    ) throws { throw Unusual() }

    mutating func decodeMapField<KeyType, ValueType>(
        fieldType: _ProtobufEnumMap<KeyType, ValueType>.Type,
        value: inout _ProtobufEnumMap<KeyType, ValueType>.BaseType
    ) throws where ValueType.RawValue == Int { throw Unusual() }

    mutating func decodeMapField<KeyType, ValueType>(
        fieldType: _ProtobufMessageMap<KeyType, ValueType>.Type,
        value: inout _ProtobufMessageMap<KeyType, ValueType>.BaseType
    ) throws { throw Unusual() }

    mutating func decodeExtensionField(
        values: inout ExtensionFieldValueSet, messageType: any SwiftProtobuf.Message.Type,
        fieldNumber: Int
    ) throws { throw Unusual() }
}
