import FresnelKernels
package import FresnelModel
package import FresnelSystem

// Appending. `append` only fills memory; `sync` writes what has gathered with one write and one
// fsync, so many batches share the price of one (group commit; the caller decides how long to
// gather). In two steps, `beginSync` and `endSync`, the caller computes while the disk works. A
// sync happens wholly or, when it throws, not at all:
//
//   write fails (disk full, I/O error)  the file is cut to its last good length; the writer goes
//                                       on from there once the cause is gone
//   fsync fails                         the writer is poisoned; nothing it says later could be
//                                       believed. Open the journal again: recovery rewrites
//                                       the last file (JournalRecovery.swift)

/// The one writer of a journal.
package final class JournalWriter {
    /// What can be set per journal.
    package struct Settings: Sendable {
        /// Bytes after which the next sync begins a new file.
        package var fileBytes: Int

        /// Makes settings; the default is the format's own bound.
        package init(fileBytes: Int = JournalLimits.fileBytes) { self.fileBytes = fileBytes }
    }

    /// Where it is and whose.
    package let location: JournalLocation
    /// What opening found.
    package let recovery: JournalRecovery
    let environment: Environment
    private let settings: Settings
    /// Oldest first; the last one is `active`.
    var entries: [JournalDirectory.Entry]
    var active: RecoveredFile?
    /// Whether an fsync failed: only opening the journal again makes it whole.
    package internal(set) var isPoisoned = false
    /// The sequence number of the last durable record, or the start of an empty journal.
    package internal(set) var syncedSequence: SequenceNumber
    /// The sequence number of the last record appended, durable or not.
    package internal(set) var lastSequence: SequenceNumber
    /// Records appended since the last sync.
    package internal(set) var pendingRecords = 0
    /// Their bytes, preceded by `pendingHeader` when they begin a new file.
    private var pending = ByteWriter()
    private var pendingHeader: JournalHeader?
    /// Whether records are written and not durable yet.
    private var isSyncing = false

    /// Bytes waiting for `sync`.
    package var pendingBytes: Int { pending.count }

    /// Opens a journal, recovering it first; makes it when the directory is missing or empty.
    ///
    /// - Parameter startingAfter: the checkpoint, up to which the segments hold everything: the
    ///   position of an empty journal.
    /// - Throws: `behind` when the journal holds records, but would end before the checkpoint once
    ///   its torn tail is cut off; like every error of the journal it leaves all files untouched.
    package init(
        _ location: JournalLocation, environment: Environment,
        startingAfter: SequenceNumber = .zero, settings: Settings = Settings()
    ) throws(JournalError) {
        self.location = location
        self.environment = environment
        self.settings = settings
        do throws(SystemError) {
            try environment.storage.makeDirectory(location.directory)
        } catch {
            throw .storage(error)
        }
        let outcome = try JournalRecoverer.recover(
            location, checkpoint: startingAfter, storage: environment.storage)
        entries = outcome.entries
        active = outcome.active
        recovery = outcome.recovery
        syncedSequence = recovery.last
        lastSequence = recovery.last
    }

    /// Puts a record behind the last one, in memory; `sync` makes it durable.
    ///
    /// - Throws: `outOfOrder` unless it follows `lastSequence`, `bodyTooLarge`, `poisoned`.
    package func append(_ record: JournalRecord) throws(JournalError) {
        try requireUsable()
        guard record.previous == lastSequence, record.sequence > lastSequence else {
            throw .outOfOrder(
                sequence: record.sequence, previous: record.previous, last: lastSequence)
        }
        guard record.body.count <= JournalLimits.bodyBytes else {
            throw .bodyTooLarge(bytes: record.body.count, limit: JournalLimits.bodyBytes)
        }
        RecordCodec.encode(record, salt: salt(before: record), to: &pending)
        lastSequence = record.sequence
        pendingRecords += 1
    }

    /// Writes everything appended; the disk has it once `JournalSync.wait` returns.
    ///
    /// Whoever begins must end: until then nothing can be appended.
    ///
    /// - Returns: what to wait for; nil where nothing was appended.
    /// - Throws: `notWritten`, after which the pending records are forgotten and the writer can go
    ///   on from `syncedSequence`; or `notSynced` or `poisoned`, after which it must be opened
    ///   again.
    package func beginSync() throws(JournalError) -> JournalSync? {
        try requireUsable()
        guard pendingRecords > 0 else { return nil }
        var sync: JournalSync?
        if pendingHeader == nil, let active {
            sync = try write(to: active)
        } else if let pendingHeader {
            sync = try writeNewFile(pendingHeader)
        }
        isSyncing = sync != nil
        return sync
    }

    /// Takes in what came of waiting.
    ///
    /// - Throws: `notSynced` where that failed, after which the writer must be opened again.
    package func endSync(_ sync: JournalSync, failure: SystemError?) throws(JournalError) {
        precondition(isSyncing, "\(location.directory) is not being synced")
        isSyncing = false
        if let failure { throw poison(failure) }
        active = sync.written
        if sync.directory != nil { entries.append(sync.written.entry) }
        syncedSequence = sync.written.last
        forgetPending()
    }

    /// Refuses what must not be done with a journal that gave up, or in the middle of a sync.
    func requireUsable() throws(JournalError) {
        guard !isPoisoned else { throw .poisoned(directory: location.directory) }
        precondition(!isSyncing, "\(location.directory) is being synced")
    }

    /// Drops records that were appended but not synced.
    package func forgetPending() {
        precondition(!isSyncing, "\(location.directory) is being synced")
        pending.bytes.removeAll(keepingCapacity: pending.count < 1 << 20)
        pendingHeader = nil
        pendingRecords = 0
        lastSequence = syncedSequence
    }

    /// The salt of the file the record will be in; begins a new file when it is time to.
    private func salt(before record: JournalRecord) -> UInt64 {
        if let pendingHeader { return pendingHeader.salt }
        if let active, pendingRecords > 0 || active.length < settings.fileBytes {
            return active.salt
        }
        let header = JournalHeader(
            identity: location.identity, first: record.sequence, previous: record.previous,
            createdUnixSeconds: environment.time.unixSeconds(), nonce: environment.chance.next())
        pending.writeRaw(header.encoded())
        pendingHeader = header
        return header.salt
    }

    private func write(to file: RecoveredFile) throws(JournalError) -> JournalSync {
        do throws(SystemError) {
            try file.file.append(pending.bytes)
        } catch {
            try restore(file, after: error)
        }
        let written = RecoveredFile(
            entry: file.entry, file: file.file, salt: file.salt,
            length: file.length + pending.count, last: lastSequence)
        return JournalSync(written: written, directory: nil, storage: environment.storage)
    }

    private func writeNewFile(_ header: JournalHeader) throws(JournalError) -> JournalSync {
        let storage = environment.storage
        let name = JournalDirectory.name(first: header.first)
        let entry = JournalDirectory.Entry(
            path: FilePath.join(location.directory, name), first: header.first)
        let file: any StorageFile
        do throws(SystemError) {
            file = try storage.open(entry.path, create: .always)
        } catch {
            throw giveUpPending(error)
        }
        do throws(SystemError) {
            try file.append(pending.bytes)
        } catch {
            try discardNewFile(entry, after: error)
        }
        let written = RecoveredFile(
            entry: entry, file: file, salt: header.salt, length: pending.count,
            last: lastSequence)
        return JournalSync(written: written, directory: location.directory, storage: storage)
    }

    /// Cuts off what a failed write left, then throws.
    private func restore(
        _ file: RecoveredFile, after cause: SystemError
    ) throws(JournalError) -> Never {
        do throws(SystemError) {
            try file.file.truncate(to: file.length)
        } catch {
            throw poison(error)
        }
        throw giveUpPending(cause)
    }

    /// Removes the file that a failed write left, then throws.
    private func discardNewFile(
        _ entry: JournalDirectory.Entry, after cause: SystemError
    ) throws(JournalError) -> Never {
        do throws(SystemError) {
            try environment.storage.remove(entry.path)
        } catch {
            throw poison(error)
        }
        throw giveUpPending(cause)
    }

    private func giveUpPending(_ cause: SystemError) -> JournalError {
        let error = JournalError.notWritten(
            records: pendingRecords, last: syncedSequence, cause: cause)
        forgetPending()
        return error
    }

    /// Runs the syncs; a failure ends this writer.
    func requireDurable(_ body: () throws(SystemError) -> Void) throws(JournalError) {
        do throws(SystemError) {
            try body()
        } catch {
            throw poison(error)
        }
    }

    /// Ends this writer.
    func poison(_ cause: SystemError) -> JournalError {
        isPoisoned = true
        forgetPending()
        return .notSynced(directory: location.directory, last: syncedSequence, cause: cause)
    }
}
