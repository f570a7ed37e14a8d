import FresnelKernels
import FresnelModel

/// The first 64 bytes of a journal file.
struct JournalHeader: Hashable {
    let identity: JournalIdentity
    /// The sequence number of the first record.
    let first: SequenceNumber
    /// The sequence number before the first record, in the file before or in the segments.
    let previous: SequenceNumber
    let createdUnixSeconds: Double
    /// Random, so that nobody can make bytes that pass for records of this file.
    let nonce: UInt64

    /// The header's checksum, which seeds that of the records.
    var salt: UInt64 { Hash.checksum(of: unsealedBytes()) }

    func encoded() -> [UInt8] {
        var writer = ByteWriter(capacity: JournalFormat.headerBytes)
        writer.writeRaw(unsealedBytes())
        writer.write(salt)
        return writer.bytes
    }

    /// Why bytes are not a header.
    enum Problem: Error, Equatable {
        case incomplete
        case damaged
        case unknownVersion(UInt32)
    }

    init(
        identity: JournalIdentity, first: SequenceNumber, previous: SequenceNumber,
        createdUnixSeconds: Double, nonce: UInt64
    ) {
        self.identity = identity
        self.first = first
        self.previous = previous
        self.createdUnixSeconds = createdUnixSeconds
        self.nonce = nonce
    }

    /// Reads the header at the front of a file.
    init(decoding bytes: [UInt8]) throws(Problem) {
        guard bytes.count >= JournalFormat.headerBytes else { throw .incomplete }
        guard Self.salts(of: bytes).count == 1 else { throw .damaged }
        var reader = ByteReader(bytes)
        let problem: Problem
        do throws(KernelError) {
            let magic = try reader.readUInt64()
            let version = try reader.readUInt32()
            if magic == JournalFormat.magic, version == JournalFormat.version {
                try self.init(fields: &reader)
                return
            }
            problem = magic == JournalFormat.magic ? .unknownVersion(version) : .damaged
        } catch {
            problem = .incomplete
        }
        throw problem
    }

    /// Reads what follows the version.
    private init(fields reader: inout ByteReader) throws(KernelError) {
        let shard = ShardID(try reader.readUInt32())
        self.init(
            identity: JournalIdentity(indexHash: try reader.readUInt64(), shard: shard),
            first: SequenceNumber(try reader.readUInt64()),
            previous: SequenceNumber(try reader.readUInt64()),
            createdUnixSeconds: try reader.readDouble(), nonce: try reader.readUInt64())
    }

    /// The salts the records of a file may have: one when the header's checksum is right, else the
    /// stored and the computed one, as either may be the damaged part.
    static func salts(of bytes: [UInt8]) -> Set<UInt64> {
        guard bytes.count >= JournalFormat.headerBytes else { return [] }
        let covered = bytes.span.extracting(first: JournalFormat.headerChecksumOffset)
        var stored: UInt64 = 0
        for position in 0..<8 {
            let byte = bytes[JournalFormat.headerChecksumOffset + position]
            stored |= UInt64(byte) << UInt64(8 * position)
        }
        return [stored, Hash.checksum(of: covered)]
    }

    private func unsealedBytes() -> [UInt8] {
        var writer = ByteWriter(capacity: JournalFormat.headerBytes)
        writer.write(JournalFormat.magic)
        writer.write(JournalFormat.version)
        writer.write(identity.shard.number)
        writer.write(identity.indexHash)
        writer.write(first.value)
        writer.write(previous.value)
        writer.write(createdUnixSeconds)
        writer.write(nonce)
        return writer.bytes
    }
}
