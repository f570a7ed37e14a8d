import FresnelKernels
import FresnelModel

// A record outside of a file, on its way to another replica of the shard: as a file has it, but
// its checksum is seeded with 0, since a salt belongs to one file. The receiver's journal gives it
// the salt of its own.

extension JournalRecord {
    /// The bytes of the record with a checksum of their own.
    package var portableBytes: [UInt8] {
        var writer = ByteWriter()
        RecordCodec.encode(self, salt: 0, to: &writer)
        return writer.bytes
    }

    /// Reads what `portableBytes` wrote; nil when it is damaged, or more than one record.
    package init?(portable bytes: [UInt8]) {
        guard case .success(let found) = RecordCodec.result(bytes, at: 0, salt: 0),
            found.end == bytes.count
        else { return nil }
        self = found.record
    }
}
