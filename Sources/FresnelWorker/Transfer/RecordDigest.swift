import FresnelJournal
import FresnelKernels
import FresnelModel
import FresnelSystem

/// What one record of a journal is, as one number: replicas that have the same part under a number
/// have the same record.
enum RecordDigest {
    /// The digest of a record; 0 where the journal does not hold it, or cannot be read.
    ///
    /// Reads the journal's files from the one that holds it on.
    static func digest(
        of sequence: SequenceNumber, in location: JournalLocation, storage: any Storage
    ) -> UInt64 {
        guard sequence > .zero else { return 0 }
        do throws(JournalError) {
            var reader = try JournalReader(
                location, storage: storage, after: SequenceNumber(sequence.value - 1))
            guard let record = try reader.next(), record.sequence == sequence else { return 0 }
            return max(1, Hash.checksum(of: record.portableBytes))
        } catch {
            // What cannot be read is not compared: whoever reads the journal itself says why.
            return 0
        }
    }
}
