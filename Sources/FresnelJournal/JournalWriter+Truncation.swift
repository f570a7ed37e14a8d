package import FresnelModel
import FresnelSystem

extension JournalWriter {
    /// Removes the files that hold nothing above a checkpoint; the newest file stays.
    ///
    /// Needs no free space. Oldest first, so that a crash in between leaves a whole journal.
    ///
    /// - Parameter checkpoint: the sequence number up to which the segments are durable.
    /// - Returns: how many files were removed.
    @discardableResult
    package func truncate(through checkpoint: SequenceNumber) throws(JournalError) -> Int {
        try requireUsable()
        var removed = 0
        while entries.count > 1, try start(of: entries[1]) <= checkpoint {
            try remove(entries[0])
            entries.removeFirst()
            removed += 1
        }
        if removed > 0 { try syncNames() }
        return removed
    }

    /// Removes all files where every record is at or below a sequence number: the next record
    /// begins a new file.
    ///
    /// Until then the journal is empty and opens at the checkpoint of the segments, which must be
    /// durable.
    ///
    /// - Returns: whether it did.
    package func truncateWhole(through checkpoint: SequenceNumber) throws(JournalError) -> Bool {
        try requireUsable()
        guard pendingRecords == 0, syncedSequence <= checkpoint, !entries.isEmpty else {
            return false
        }
        // Oldest first: a crash in between leaves the journal's end.
        while let oldest = entries.first {
            if entries.count == 1 { active = nil }
            try remove(oldest)
            entries.removeFirst()
        }
        try syncNames()
        return true
    }

    /// Forgets every record above a sequence number, synced or not: a replica that comes back
    /// drops what the cluster never acknowledged.
    ///
    /// - Throws: `notHeld` when the journal begins above `sequence`.
    package func discard(after sequence: SequenceNumber) throws(JournalError) {
        try requireUsable()
        forgetPending()
        guard sequence < syncedSequence, let first = entries.first else { return }
        let oldest = try start(of: first)
        guard oldest <= sequence else {
            throw .notHeld(directory: location.directory, after: sequence, oldest: oldest)
        }
        try removeNewest { $0.first > sequence }
        guard let last = entries.last else { return end(at: oldest) }
        try cut(last, after: sequence)
    }

    /// Removes every record and starts again behind a sequence number, for a replica that was
    /// copied anew.
    package func reset(startingAfter sequence: SequenceNumber) throws(JournalError) {
        try requireUsable()
        forgetPending()
        try removeNewest { _ in true }
        end(at: sequence)
    }

    /// Removes files from the newest on, so that a crash in between leaves the journal's front.
    private func removeNewest(
        while isWanted: (JournalDirectory.Entry) -> Bool
    ) throws(JournalError) {
        while let newest = entries.last, isWanted(newest) {
            // Without an active file the next append begins a new one, whatever happens here.
            active = nil
            try remove(newest)
            entries.removeLast()
        }
        try syncNames()
    }

    /// Cuts a file, the last one, behind its last record at or below a sequence number.
    private func cut(
        _ entry: JournalDirectory.Entry, after sequence: SequenceNumber
    ) throws(JournalError) {
        let (bytes, file) = try open(entry)
        var cursor = try JournalFileCursor(
            entry, bytes: bytes, identity: location.identity, isLastFile: true)
        guard let salt = cursor.header?.salt else {
            throw .damaged(file: entry.path, offset: 0, .header)
        }
        var length = cursor.offset
        var last = cursor.last
        while case .record(let record) = try cursor.next(), record.sequence <= sequence {
            length = cursor.offset
            last = record.sequence
        }
        try requireDurable { () throws(SystemError) in
            try file.truncate(to: length)
            try file.sync()
        }
        active = RecoveredFile(entry: entry, file: file, salt: salt, length: length, last: last)
        end(at: last)
    }

    private func end(at sequence: SequenceNumber) {
        syncedSequence = sequence
        lastSequence = sequence
    }

    /// The sequence number before a file's first record: the last one of the file before it.
    private func start(of entry: JournalDirectory.Entry) throws(JournalError) -> SequenceNumber {
        let bytes: [UInt8]
        do throws(SystemError) {
            let file = try environment.storage.open(entry.path, create: .readOnly)
            defer { file.close() }
            bytes = try file.read(at: 0, count: JournalFormat.headerBytes)
        } catch {
            throw .storage(error)
        }
        do throws(JournalHeader.Problem) {
            return try JournalHeader(decoding: bytes).previous
        } catch {
            throw .damaged(file: entry.path, offset: 0, .header)
        }
    }

    private func open(
        _ entry: JournalDirectory.Entry
    ) throws(JournalError) -> (bytes: [UInt8], file: any StorageFile) {
        do throws(SystemError) {
            let bytes = try environment.storage.read(entry.path)
            return (bytes, try environment.storage.open(entry.path, create: .never))
        } catch {
            throw .storage(error)
        }
    }

    private func remove(_ entry: JournalDirectory.Entry) throws(JournalError) {
        do throws(SystemError) {
            try environment.storage.remove(entry.path)
        } catch {
            throw .storage(error)
        }
    }

    private func syncNames() throws(JournalError) {
        try requireDurable { () throws(SystemError) in
            try environment.storage.syncDirectory(location.directory)
        }
    }
}
