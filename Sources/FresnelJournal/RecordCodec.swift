import FresnelKernels
import FresnelModel

/// Records to bytes and back.
enum RecordCodec {
    /// Why no record begins at an offset.
    enum Problem: Error, Equatable {
        /// The file ends inside the record.
        case incomplete
        /// The marker is missing, or the length cannot be.
        case notARecord
        /// The contents do not give the stored checksum.
        case checksumMismatch

        /// The word for it in errors.
        var damage: JournalDamage {
            switch self {
            case .incomplete: .length
            case .notARecord: .marker
            case .checksumMismatch: .checksum
            }
        }
    }

    /// Appends a record; `body` is within `JournalLimits.bodyBytes`.
    static func encode(_ record: JournalRecord, salt: UInt64, to writer: inout ByteWriter) {
        let start = writer.count
        writer.write(UInt64(0))
        writer.write(JournalFormat.recordMarker)
        writer.write(UInt32(record.body.count))
        writer.write(record.sequence.value)
        writer.write(record.previous.value)
        writer.write(UInt64(truncatingIfNeeded: record.client))
        writer.write(UInt64(truncatingIfNeeded: record.client >> 64))
        writer.write(record.batch)
        writer.write(UInt64(record.kind.rawValue))
        writer.writeRaw(record.body)
        writer.pad(to: JournalFormat.alignment)
        let covered = start + 8..<writer.count
        let checksum = Hash.checksum(of: writer.bytes.span.extracting(covered), seed: salt)
        writer.overwrite(checksum, at: start)
    }

    /// Reads the record at an offset of a file, and where it ends.
    static func decode(
        _ bytes: [UInt8], at offset: Int, salt: UInt64
    ) throws(Problem) -> (record: JournalRecord, end: Int) {
        let end = try checkedEnd(of: bytes, at: offset, salt: salt)
        do throws(KernelError) {
            var reader = try ByteReader(bytes, in: offset..<end)
            try reader.skip(12)
            let length = Int(try reader.readUInt32())
            let sequence = SequenceNumber(try reader.readUInt64())
            let previous = SequenceNumber(try reader.readUInt64())
            let low = try reader.readUInt64()
            let high = try reader.readUInt64()
            let batch = try reader.readUInt64()
            let kind = try reader.readUInt8()
            try reader.skip(7)
            let record = JournalRecord(
                sequence: sequence, previous: previous, kind: .init(rawValue: kind),
                client: UInt128(high) << 64 | UInt128(low), batch: batch,
                body: try reader.readBytes(count: length))
            return (record, end)
        } catch {
            throw .incomplete
        }
    }

    /// As `decode`, with the problem as a value.
    static func result(
        _ bytes: [UInt8], at offset: Int, salt: UInt64
    ) -> Result<(record: JournalRecord, end: Int), Problem> {
        do throws(Problem) {
            return .success(try decode(bytes, at: offset, salt: salt))
        } catch {
            return .failure(error)
        }
    }

    /// The end of the record at an offset, once its marker, length and checksum are right.
    private static func checkedEnd(
        of bytes: [UInt8], at offset: Int, salt: UInt64
    ) throws(Problem) -> Int {
        guard bytes.count - offset >= 16 else { throw .incomplete }
        guard littleEndian32(bytes, at: offset + 8) == JournalFormat.recordMarker else {
            throw .notARecord
        }
        let length = Int(littleEndian32(bytes, at: offset + 12))
        guard length <= JournalLimits.bodyBytes else { throw .notARecord }
        let end = offset + JournalFormat.recordBytes(bodyBytes: length)
        guard end <= bytes.count else { throw .incomplete }
        let low = UInt64(littleEndian32(bytes, at: offset))
        let stored = UInt64(littleEndian32(bytes, at: offset + 4)) << 32 | low
        let covered = bytes.span.extracting(offset + 8..<end)
        guard Hash.checksum(of: covered, seed: salt) == stored else { throw .checksumMismatch }
        return end
    }

    /// The first offset after `offset` where a record of this file with a sequence number above
    /// `last` begins, or nil: the difference between damage and a torn tail.
    static func nextRecord(
        in bytes: [UInt8], after offset: Int, salts: Set<UInt64>, above last: SequenceNumber
    ) -> Int? {
        let step = JournalFormat.alignment
        var candidate = (offset / step + 1) * step
        while candidate + JournalFormat.recordHeaderBytes <= bytes.count {
            if littleEndian32(bytes, at: candidate + 8) == JournalFormat.recordMarker {
                for salt in salts {
                    // Not being a record is the common answer here and says nothing more.
                    let found = try? decode(bytes, at: candidate, salt: salt)
                    if let found, found.record.sequence > last { return candidate }
                }
            }
            candidate += step
        }
        return nil
    }

    /// Four bytes that are known to be there.
    private static func littleEndian32(_ bytes: [UInt8], at offset: Int) -> UInt32 {
        UInt32(bytes[offset]) | UInt32(bytes[offset + 1]) << 8
            | UInt32(bytes[offset + 2]) << 16 | UInt32(bytes[offset + 3]) << 24
    }
}
