package import FresnelSystem

/// Records that are written and not durable yet: what is left is to wait for the disk.
package struct JournalSync: Sendable {
    /// The file as it is once they are.
    let written: RecoveredFile
    /// Where its name is made durable too, of a new file.
    let directory: String?
    let storage: any Storage

    /// Blocks until the disk has them, on any thread.
    package func wait() throws(SystemError) {
        try written.file.sync()
        if let directory { try storage.syncDirectory(directory) }
    }
}

extension JournalWriter {
    /// Makes everything appended durable.
    ///
    /// - Throws: `notWritten`, after which the pending records are forgotten and the writer can go
    ///   on from `syncedSequence`; or `notSynced`, after which it must be opened again.
    package func sync() throws(JournalError) {
        guard let sync = try beginSync() else { return }
        do throws(SystemError) {
            try sync.wait()
        } catch {
            return try endSync(sync, failure: error)
        }
        try endSync(sync, failure: nil)
    }
}
