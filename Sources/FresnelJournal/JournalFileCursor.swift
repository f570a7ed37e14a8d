import FresnelModel
import FresnelSystem

/// Walks the records of one journal file and judges how it ends.
///
/// Whether bad bytes are a torn tail or damage depends on two things: only the last file may have
/// a torn tail, and nothing valid may follow it.
struct JournalFileCursor {
    enum Step {
        case record(JournalRecord)
        case end
        case tornTail(TornTail)
    }

    let path: String
    /// Nil when the header itself is a torn tail.
    let header: JournalHeader?
    /// Where the next record begins, and the last one ended.
    private(set) var offset: Int
    /// The sequence number of the last record, or of the one before the file.
    private(set) var last: SequenceNumber
    /// How many records have been read.
    private(set) var recordCount = 0
    let bytes: [UInt8]
    private let isLastFile: Bool

    /// Opens a file and checks its header.
    ///
    /// - Parameter expected: the sequence number the file must continue; nil for the first one.
    init(
        _ entry: JournalDirectory.Entry, bytes: [UInt8], identity: JournalIdentity,
        isLastFile: Bool, continuing expected: SequenceNumber? = nil
    ) throws(JournalError) {
        path = entry.path
        self.bytes = bytes
        self.isLastFile = isLastFile
        header = try Self.header(of: bytes, entry: entry, isLastFile: isLastFile)
        offset = header == nil ? 0 : JournalFormat.headerBytes
        last = header?.previous ?? expected ?? .zero
        guard let header else { return }
        guard header.identity == identity else {
            throw .foreign(file: path, expected: identity, found: header.identity)
        }
        guard header.first == entry.first, header.previous < header.first else {
            throw .damaged(file: path, offset: 24, .name)
        }
        if let expected, header.previous != expected {
            throw .gap(file: path, offset: 32, expected: expected, found: header.previous)
        }
    }

    /// The next record, or how the file ends.
    mutating func next() throws(JournalError) -> Step {
        guard let header else {
            return .tornTail(TornTail(file: path, offset: 0, bytes: bytes.count, cause: .header))
        }
        guard offset < bytes.count else {
            // The header and the first record are written together; only a crash parts them.
            guard recordCount > 0 || isLastFile else {
                throw .damaged(file: path, offset: offset, .length)
            }
            return .end
        }
        switch RecordCodec.result(bytes, at: offset, salt: header.salt) {
        case .success(let found):
            try requireChain(found.record, header: header)
            offset = found.end
            last = found.record.sequence
            recordCount += 1
            return .record(found.record)
        case .failure(let problem):
            return .tornTail(try tail(problem.damage, salt: header.salt))
        }
    }

    private func requireChain(
        _ record: JournalRecord, header: JournalHeader
    ) throws(JournalError) {
        guard record.previous == last, record.sequence > last else {
            throw .gap(file: path, offset: offset, expected: last, found: record.previous)
        }
        guard recordCount > 0 || record.sequence == header.first else {
            throw .damaged(file: path, offset: offset, .name)
        }
    }

    /// The torn tail that begins here, unless it is damage.
    private func tail(_ damage: JournalDamage, salt: UInt64) throws(JournalError) -> TornTail {
        let follower = RecordCodec.nextRecord(in: bytes, after: offset, salts: [salt], above: last)
        guard isLastFile, follower == nil else {
            throw .damaged(file: path, offset: offset, damage)
        }
        return TornTail(file: path, offset: offset, bytes: bytes.count - offset, cause: damage)
    }

    private static func header(
        of bytes: [UInt8], entry: JournalDirectory.Entry, isLastFile: Bool
    ) throws(JournalError) -> JournalHeader? {
        do throws(JournalHeader.Problem) {
            return try JournalHeader(decoding: bytes)
        } catch {
            if case .unknownVersion(let version) = error {
                throw .unsupportedVersion(file: entry.path, version: version)
            }
        }
        let follower = RecordCodec.nextRecord(
            in: bytes, after: JournalFormat.headerBytes - JournalFormat.alignment,
            salts: JournalHeader.salts(of: bytes), above: .zero)
        guard isLastFile, follower == nil else {
            throw .damaged(file: entry.path, offset: 0, .header)
        }
        return nil
    }
}
