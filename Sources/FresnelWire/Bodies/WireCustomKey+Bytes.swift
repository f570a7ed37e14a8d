package import FresnelKernels
import FresnelModel

extension WireCustomKey {
    /// Appends the key: name, type number, four flags (file-formats.md, "Custom keys").
    package func encode(into writer: inout ByteWriter) {
        writer.writeVarint(UInt64(name.utf8.count))
        writer.writeRaw(Array(name.utf8))
        writer.write(valueType)
        for flag in [searchable, searchableByDefault, unique, multiValued] {
            writer.write(UInt8(flag ? 1 : 0))
        }
    }

    /// Reads a key that `encode` wrote.
    ///
    /// - Throws: `KernelError` where the bytes end early or a length is beyond its limit.
    package init(from reader: inout ByteReader) throws(KernelError) {
        self.init()
        name = try reader.readString(limit: Limits.attributeNameBytes)
        valueType = try reader.readUInt32()
        searchable = try reader.readUInt8() == 1
        searchableByDefault = try reader.readUInt8() == 1
        unique = try reader.readUInt8() == 1
        multiValued = try reader.readUInt8() == 1
    }
}
