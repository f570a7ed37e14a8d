import FresnelKernels
import FresnelModel
import FresnelWire

extension Manifest {
    var encoded: [UInt8] {
        var writer = ByteWriter()
        writer.writeRaw(Self.magic)
        writer.write(Self.format)
        writer.write(identity.value)
        writer.writeVarint(UInt64(index.utf8.count))
        writer.writeRaw(Array(index.utf8))
        writer.write(shard.number)
        writer.write(shardCount)
        writer.write(checkpoint.value)
        writer.write(UInt8(holdsRelated ? 1 : 0))
        let keys = schema.sortedCustomKeys
        writer.writeVarint(UInt64(keys.count))
        for key in keys { WireCustomKey(key).encode(into: &writer) }
        writer.writeVarint(UInt64(entries.count))
        for entry in entries {
            writer.write(entry.name.hash.high)
            writer.write(entry.name.hash.low)
            entry.deletions.encode(into: &writer)
        }
        applied.encode(into: &writer)
        writer.write(oldestReadable.value)
        writer.write(oldestInstant)
        writer.write(UInt64(truncatingIfNeeded: indexIdentity >> 64))
        writer.write(UInt64(truncatingIfNeeded: indexIdentity))
        writer.write(born?.value ?? .max)
        writer.write(Hash.checksum(of: writer.bytes))
        return writer.bytes
    }

    /// Reads a manifest; the error text says what is wrong with the bytes.
    init(decoding bytes: [UInt8], path: String) throws(IndexError) {
        guard bytes.starts(with: Self.magic), bytes.count >= Self.magic.count + 12 else {
            throw .notAManifest(path: path)
        }
        do {
            let body = Array(bytes.dropLast(8))
            var tail = ByteReader(Array(bytes.suffix(8)))
            guard try tail.readUInt64() == Hash.checksum(of: body) else {
                throw IndexError.damagedManifest(path: path, reason: "the checksum does not fit")
            }
            var reader = ByteReader(Array(body.dropFirst(Self.magic.count)))
            let format = try reader.readUInt32()
            guard (Self.oldestFormat...Self.format).contains(format) else {
                throw IndexError.manifestVersion(path: path, format)
            }
            self = try Manifest(from: &reader, format: format)
            try reader.requireEnd()
            guard identity != .unknown else {
                throw IndexError.damagedManifest(path: path, reason: "its identity is 0")
            }
        } catch let error as IndexError {
            throw error
        } catch {
            throw .damagedManifest(path: path, reason: "\(error)")
        }
    }

    private init(from reader: inout ByteReader, format: UInt32) throws {
        identity = ReplicaIdentity(try reader.readUInt64())
        index = try reader.readString(limit: Limits.indexNameBytes)
        shard = ShardID(try reader.readUInt32())
        shardCount = try reader.readUInt32()
        checkpoint = SequenceNumber(try reader.readUInt64())
        holdsRelated = try reader.readUInt8() == 1
        schema = AttributeSchema()
        for _ in 0..<(try reader.readCount(limit: Limits.customAttributeKeys, bytesEach: 9)) {
            try schema.declare(CustomAttributeKey(WireCustomKey(from: &reader)))
        }
        entries = []
        for _ in 0..<(try reader.readCount(limit: 1 << 20, bytesEach: 17)) {
            let hash = Hash128(high: try reader.readUInt64(), low: try reader.readUInt64())
            entries.append(
                Entry(name: SegmentName(hash), deletions: try Deletions(from: &reader)))
        }
        applied = try AppliedBatches(from: &reader)
        guard format >= 3 else {
            // At most what merges of that time could drop.
            oldestReadable = Retention.standard.floor(of: checkpoint)
            born = nil
            return
        }
        oldestReadable = SequenceNumber(try reader.readUInt64())
        oldestInstant = try reader.readDouble()
        guard format >= 4 else {
            born = nil
            return
        }
        let high = UInt128(try reader.readUInt64())
        indexIdentity = high << 64 | UInt128(try reader.readUInt64())
        let begun = try reader.readUInt64()
        born = begun == .max ? nil : SequenceNumber(begun)
    }
}

extension Deletions {
    func encode(into writer: inout ByteWriter) {
        writer.writeVarint(UInt64(count))
        for (document, sequence) in sorted {
            writer.writeVarint(UInt64(document))
            writer.writeVarint(sequence)
        }
    }

    init(from reader: inout ByteReader) throws(KernelError) {
        self.init()
        for _ in 0..<(try reader.readCount(limit: Int(UInt32.max), bytesEach: 2)) {
            insert(try reader.readVarint32(), at: try reader.readVarint())
        }
    }
}

extension AppliedBatches {
    func encode(into writer: inout ByteWriter) {
        let clients = byClient.sorted { $0.value.usedAt < $1.value.usedAt }
        writer.writeVarint(UInt64(clients.count))
        for (client, entry) in clients {
            writer.write(UInt64(truncatingIfNeeded: client >> 64))
            writer.write(UInt64(truncatingIfNeeded: client))
            let outcomes = entry.outcomes.sorted { $0.key < $1.key }
            writer.writeVarint(UInt64(outcomes.count))
            for (number, outcome) in outcomes {
                writer.writeVarint(number)
                writer.write(outcome.contentHash)
                outcome.encode(into: &writer)
            }
        }
    }

    init(from reader: inout ByteReader) throws(KernelError) {
        self.init()
        for _ in 0..<(try reader.readCount(limit: Self.clients, bytesEach: 17)) {
            let high = try reader.readUInt64()
            let low = try reader.readUInt64()
            let client = UInt128(high) << 64 | UInt128(low)
            for _ in 0..<(try reader.readCount(limit: Self.batchesPerClient, bytesEach: 12)) {
                let batch = BatchIdentity(client: client, number: try reader.readVarint())
                let hash = try reader.readUInt64()
                var outcome = try PartOutcome(from: &reader)
                outcome.contentHash = hash
                record(outcome, of: batch)
            }
        }
    }
}

extension PartOutcome {
    func encode(into writer: inout ByteWriter) {
        writer.writeVarint(sequence.value)
        writer.writeVarint(deleted)
        writer.writeVarint(UInt64(refusals.count))
        for refusal in refusals {
            writer.writeVarint(UInt64(refusal.position))
            writer.writeZigzag(Int64(refusal.code))
            writer.writeVarint(UInt64(refusal.message.utf8.count))
            writer.writeRaw(Array(refusal.message.utf8))
        }
    }

    init(from reader: inout ByteReader) throws(KernelError) {
        self.init()
        wasApplied = false
        sequence = SequenceNumber(try reader.readVarint())
        deleted = try reader.readVarint()
        for _ in 0..<(try reader.readCount(limit: Limits.operationsPerBatch, bytesEach: 3)) {
            var refusal = WireItemResult()
            refusal.position = try reader.readVarint32()
            refusal.code = Int32(truncatingIfNeeded: try reader.readZigzag())
            refusal.message = try reader.readString(limit: 1 << 16)
            refusals.append(refusal)
        }
    }
}
