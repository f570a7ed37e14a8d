import FresnelKernels

extension BatchCoding {
    /// What a batch asks for, as one number: the same for every resend of it, and never 0.
    ///
    /// Its operations with their bodies, the keys that it declares and the client state that it
    /// sets. Left out is under which condition and by which clock: the context and the expected
    /// client state.
    package static func digest(of put: WirePut, payload: [UInt8]) -> UInt64 {
        var writer = ByteWriter(capacity: 64 + put.operations.count * 48)
        for operation in put.operations {
            writer.writeVarint(UInt64(truncatingIfNeeded: operation.kind.rawValue))
            writer.write(operation.routingHash)
            writer.write(UInt8(operation.routedByRelation ? 1 : 0))
            writer.writeVarint(UInt64(operation.identifier.utf8.count))
            writer.bytes.append(copying: operation.identifier.utf8.span)
            writer.writeVarint(UInt64(operation.bodyOffset))
            writer.writeVarint(UInt64(operation.bodyLength))
        }
        for key in put.customKeys {
            writer.writeVarint(UInt64(key.name.utf8.count))
            writer.bytes.append(copying: key.name.utf8.span)
            writer.writeVarint(UInt64(key.valueType))
            for isSet in [key.searchable, key.searchableByDefault, key.unique, key.multiValued] {
                writer.write(UInt8(isSet ? 1 : 0))
            }
        }
        writer.write(UInt8(put.clientStateBytes == nil ? 0 : 1))
        writer.writeRaw(put.clientStateBytes ?? [])
        return max(1, Hash.checksum(of: writer.bytes, seed: Hash.checksum(of: payload)))
    }
}
