import FresnelModel
import FresnelSystem

/// What opening a journal will do to its files, decided from reading alone.
struct RecoveryPlan {
    typealias File = JournalDirectory.Entry

    /// The files that stay, oldest first.
    let kept: [File]
    /// The last of `kept`, read to its last whole record; nil when nothing stays.
    let active: JournalFileCursor?
    /// A last file without a whole record, which goes.
    let removed: File?
    let tornTail: TornTail?
    /// The bytes of the torn tail; all of the file when it goes, as its header has the salt.
    let tornBytes: [UInt8]
    /// Whether the header of `removed` is whole.
    private let isStartKnown: Bool
    /// Where the journal ends once the plan is carried out; nil for a directory without files.
    let last: SequenceNumber?

    /// Reads the last file, and the one before it where needed.
    init(_ location: JournalLocation, storage: any Storage) throws(JournalError) {
        var entries = try JournalDirectory(location.directory, in: storage).entries
        guard let newest = entries.last else {
            self.init(kept: [], active: nil, removed: nil, torn: nil, last: nil)
            return
        }
        let found = try Self.scan(newest, of: location, isLastFile: true, storage: storage)
        guard found.cursor.recordCount == 0 else {
            self.init(
                kept: entries, active: found.cursor, removed: nil, torn: found,
                last: found.cursor.last)
            return
        }
        entries.removeLast()
        // Judge the file before this one first: when it is damaged, nothing is removed.
        var older: JournalFileCursor?
        if let entry = entries.last {
            older = try Self.scan(entry, of: location, isLastFile: false, storage: storage).cursor
        }
        self.init(
            kept: entries, active: older, removed: newest, torn: found,
            last: older?.last ?? Self.start(of: newest, found.cursor))
    }

    private init(
        kept: [File], active: JournalFileCursor?, removed: File?, torn: Scanned?,
        last: SequenceNumber?
    ) {
        self.kept = kept
        self.active = active
        self.removed = removed
        tornTail = torn?.tail
        tornBytes =
            torn.map { found in
                found.tail.map { Array(found.cursor.bytes[(removed == nil ? $0.offset : 0)...]) }
                    ?? []
            } ?? []
        isStartKnown = removed != nil && torn?.cursor.header != nil
        self.last = last
    }

    /// Refuses to go on with a journal that cannot hold what lies behind a checkpoint.
    func require(
        _ checkpoint: SequenceNumber, of location: JournalLocation
    ) throws(JournalError) {
        guard let last else { return }
        guard last >= checkpoint else {
            throw .behind(
                directory: location.directory, last: last, checkpoint: checkpoint,
                unreadableBytes: tornTail?.bytes ?? 0)
        }
        // A first file without a record: what its header continues must be in the segments.
        if active == nil, isStartKnown, last > checkpoint {
            throw .notHeld(
                directory: location.directory, after: checkpoint, oldest: last)
        }
    }

    /// The sequence number before a file without a record and without a file before it.
    private static func start(
        of entry: JournalDirectory.Entry, _ cursor: JournalFileCursor
    ) -> SequenceNumber {
        if let header = cursor.header { return header.previous }
        return SequenceNumber(max(1, entry.first.value) - 1)
    }

    /// A file read to its end, and how it ends.
    private typealias Scanned = (cursor: JournalFileCursor, tail: TornTail?)

    /// Reads a file to its end.
    private static func scan(
        _ entry: JournalDirectory.Entry, of location: JournalLocation, isLastFile: Bool,
        storage: any Storage
    ) throws(JournalError) -> Scanned {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try storage.read(entry.path)
        } catch {
            throw .storage(error)
        }
        var cursor = try JournalFileCursor(
            entry, bytes: bytes, identity: location.identity, isLastFile: isLastFile)
        while true {
            switch try cursor.next() {
            case .record: continue
            case .end: return (cursor, nil)
            case .tornTail(let tail): return (cursor, tail)
            }
        }
    }
}
