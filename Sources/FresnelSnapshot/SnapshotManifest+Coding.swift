import FresnelKernels
import FresnelModel

extension SnapshotManifest {
    static let magic: [UInt8] = Array("FRESNELS".utf8)
    static let format: UInt32 = 1
    /// Bytes that a manifest may have: a million files.
    static let limitBytes = 64 << 20

    /// As the object has it.
    package var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.writeRaw(Self.magic)
        writer.write(Self.format)
        writer.write(text: name)
        writer.write(createdAt.seconds)
        writer.write(text: software)
        writer.writeVarint(UInt64(indexes.count))
        for index in indexes { index.encode(into: &writer) }
        writer.write(Hash.checksum(of: writer.bytes))
        return writer.bytes
    }

    /// Reads a manifest.
    ///
    /// - Throws: `version` for one from the future, `damaged` for anything else that is wrong.
    package init(decoding bytes: [UInt8], object: String, store: String) throws(SnapshotError) {
        self = try Sealed.open(
            bytes, magic: Self.magic, formats: Self.format...Self.format, object: object,
            store: store
        ) { (reader, _) throws(KernelError) in
            let name = try reader.readString(limit: Limits.indexNameBytes)
            let createdAt = try reader.readTimestamp()
            let software = try reader.readString(limit: 1024)
            var indexes: [SnapshotIndex] = []
            for _ in 0..<(try reader.readCount(limit: Limits.indexes, bytesEach: 40)) {
                indexes.append(try SnapshotIndex(from: &reader))
            }
            return SnapshotManifest(
                name: name, createdAt: createdAt, software: software, indexes: indexes)
        }
        try requireSense(object: object, store: store)
    }

    /// Refuses what no program writes, so that nobody has to think of it later.
    private func requireSense(object: String, store: String) throws(SnapshotError) {
        for index in indexes {
            let numbers = index.shards.map(\.shard.number)
            guard IndexName.isValid(index.name), index.shardCount > 0,
                numbers == Array(0..<index.shardCount)
            else {
                throw .damaged(
                    object: object, store: store,
                    reason: "index \(index.name) has not every shard once")
            }
        }
        guard Set(indexes.map(\.name)).count == indexes.count else {
            throw .damaged(object: object, store: store, reason: "an index is named twice")
        }
    }
}

extension SnapshotIndex {
    func encode(into writer: inout ByteWriter) {
        writer.write(text: name)
        writer.write(identity.high)
        writer.write(identity.low)
        writer.write(shardCount)
        writer.write(replication)
        writer.write(defaultExpirationSeconds ?? 0)
        writer.write(UInt8(holdsRelated ? 1 : 0))
        writer.write(sequence.value)
        writer.write(UInt8(clientState == nil ? 0 : 1))
        writer.writeVarint(UInt64(clientState?.count ?? 0))
        writer.writeRaw(clientState ?? [])
        writer.writeVarint(UInt64(customKeys.count))
        for key in customKeys { key.encode(into: &writer) }
        writer.writeVarint(UInt64(shards.count))
        for shard in shards { shard.encode(into: &writer) }
    }

    init(from reader: inout ByteReader) throws(KernelError) {
        let name = try reader.readString(limit: Limits.indexNameBytes)
        let identity = Hash128(high: try reader.readUInt64(), low: try reader.readUInt64())
        self.init(name: name, shardCount: try reader.readUInt32())
        self.identity = identity
        replication = try reader.readUInt32()
        let expiration = try reader.readDouble()
        defaultExpirationSeconds = expiration > 0 ? expiration : nil
        holdsRelated = try reader.readUInt8() == 1
        sequence = SequenceNumber(try reader.readUInt64())
        let hasState = try reader.readUInt8() == 1
        let state = try reader.readBytes(limit: Limits.clientStateBytes)
        clientState = hasState ? state : nil
        for _ in 0..<(try reader.readCount(limit: Limits.customAttributeKeys, bytesEach: 9)) {
            customKeys.append(try CustomAttributeKey(from: &reader))
        }
        for _ in 0..<(try reader.readCount(limit: 1 << 16, bytesEach: 60)) {
            shards.append(try SnapshotShard(from: &reader))
        }
    }
}

extension SnapshotShard {
    func encode(into writer: inout ByteWriter) {
        writer.write(shard.number)
        writer.write(sequence.value)
        writer.write(documents)
        writer.write(digest.high)
        writer.write(digest.low)
        writer.write(digestAt.seconds)
        manifest.encode(into: &writer)
        writer.writeVarint(UInt64(segments.count))
        for segment in segments { segment.encode(into: &writer) }
    }

    init(from reader: inout ByteReader) throws(KernelError) {
        shard = ShardID(try reader.readUInt32())
        sequence = SequenceNumber(try reader.readUInt64())
        documents = try reader.readUInt64()
        digest = Hash128(high: try reader.readUInt64(), low: try reader.readUInt64())
        digestAt = try reader.readTimestamp()
        manifest = try StoredObject(.manifest, from: &reader)
        segments = []
        for _ in 0..<(try reader.readCount(limit: 1 << 20, bytesEach: 17)) {
            segments.append(try StoredObject(.segment, from: &reader))
        }
    }
}

extension StoredObject {
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(hash.high)
        writer.write(hash.low)
        writer.writeVarint(bytes)
    }

    fileprivate init(_ kind: Kind, from reader: inout ByteReader) throws(KernelError) {
        let hash = Hash128(high: try reader.readUInt64(), low: try reader.readUInt64())
        self.init(kind, hash: hash, bytes: try reader.readVarint())
    }
}

extension CustomAttributeKey {
    /// As a replica's manifest has it.
    fileprivate func encode(into writer: inout ByteWriter) {
        writer.write(text: name)
        writer.write(UInt32(valueType.rawValue))
        for flag in [isSearchable, isSearchableByDefault, isUnique, isMultiValued] {
            writer.write(UInt8(flag ? 1 : 0))
        }
    }

    fileprivate init(from reader: inout ByteReader) throws(KernelError) {
        let name = try reader.readString(limit: Limits.attributeNameBytes)
        let number = try reader.readUInt32()
        var flags: [Bool] = []
        for _ in 0..<4 { flags.append(try reader.readUInt8() == 1) }
        guard let type = UInt8(exactly: number).flatMap(AttributeType.init) else {
            throw .invalidByte(offset: 0, value: UInt8(truncatingIfNeeded: number))
        }
        do throws(SchemaError) {
            try self.init(
                name, type, isSearchable: flags[0], isSearchableByDefault: flags[1],
                isUnique: flags[2], isMultiValued: flags[3])
        } catch {
            throw .invalidText(offset: 0)
        }
    }
}

extension ByteWriter {
    fileprivate mutating func write(text: String) {
        writeVarint(UInt64(text.utf8.count))
        writeRaw(Array(text.utf8))
    }
}

extension ByteReader {
    fileprivate mutating func readTimestamp() throws(KernelError) -> Timestamp {
        guard let instant = Timestamp(seconds: try readDouble()) else {
            throw .invalidByte(offset: 0, value: 0)
        }
        return instant
    }
}
