import FresnelKernels
package import FresnelModel
import FresnelSystem
import Synchronization

// Files are written beside the writer: what is sealed is one moment, taken under its lock; parts
// that are applied and segments that are merged meanwhile are for the next seal. Only one thread at
// a time writes or removes files of a directory, and none once the replica is closed.

extension ReplicaIndex {
    /// Writes what is only in memory into segment files and names them in a new manifest.
    ///
    /// Parts may be applied and segments merged while it runs: it seals the replica as it was when
    /// it began. Files that no manifest names any more are removed afterwards. A crash at any point
    /// leaves the old manifest or the new one, each with its files. A replica that is closed is
    /// left as it is.
    ///
    /// - Returns: the sequence number up to which the journal is no longer needed.
    @discardableResult
    package func seal() throws(IndexError) -> SequenceNumber {
        try isClosed.withLock { (isClosed) throws(IndexError) in
            guard !isClosed else { return checkpoint }
            do throws(SystemError) {
                try environment.storage.makeDirectory(directory)
                let moment = self.moment
                let files = try write(moment)
                try replaceManifest(moment, files)
                try removeStrayFiles()
            } catch {
                throw .storage(error)
            }
            return checkpoint
        }
    }

    /// Writes and removes no file from now on, and waits for a seal that another thread is in.
    ///
    /// Who closes a replica may put another one's files in its directory.
    package func close() {
        isClosed.withLock { $0 = true }
    }

    /// Whether something is in memory only: parts, or segments that others were merged into.
    package var needsSealing: Bool {
        writer.withLock { state in
            let current = snapshot
            return state.checkpoint < current.sequence
                || current.segments.contains { state.files[$0.serial] == nil }
        }
    }

    /// Bytes of the segments that are in memory only.
    package var unsealedBytes: Int {
        writer.withLock { state in
            snapshot.segments.reduce(0) { sum, published in
                state.files[published.serial] == nil
                    ? sum + published.segment.bytes.count : sum
            }
        }
    }

    /// Says whether the disk has so little room that versions which are no longer current are kept
    /// for seconds only.
    package func setShortOfRoom(_ isShort: Bool) {
        isShortOfRoom.store(isShort, ordering: .relaxed)
    }

    /// Whether the disk holds all segments once more, beside those that they take the place of, and
    /// leaves others what they need; false where nobody can tell.
    package var hasRoomToRewrite: Bool {
        // A disk that does not say what is free is not filled up for comfort.
        guard let free = try? environment.storage.freeBytes(at: directory) else { return false }
        return free > snapshot.segmentBytes.saturatingAdding(Self.spareBytes)
    }

    /// Journals and the broker's state on the same disk go on.
    private static let spareBytes: UInt64 = 256 << 20

    /// Writes the segments that have no file yet; durable when it returns.
    ///
    /// From then on they are read from their files: the memory is let go with the last query that
    /// began before. What was written before an error is not written again.
    ///
    /// - Returns: the files of all segments of the moment, by serial.
    private func write(_ moment: ReplicaMoment) throws(SystemError) -> [UInt64: SegmentName] {
        var files = moment.files
        var written: [UInt64: Segment] = [:]
        defer { read(written, from: files) }
        for published in moment.snapshot.segments where files[published.serial] == nil {
            let name = try Self.write(
                published.segment, into: directory, environment.storage)
            files[published.serial] = name
            written[published.serial] = mapped(name) ?? published.segment
        }
        return files
    }

    /// Writes a segment's file, durable when it returns, where that leaves others what they need.
    static func write(
        _ segment: Segment, into directory: String, _ storage: any Storage
    ) throws(SystemError) -> SegmentName {
        let shared = segment.bytes
        let name = SegmentName(of: shared.bytes)
        let path = FilePath.join(directory, name.fileName)
        // A disk that does not say what is free is tried: a failed write says the same.
        if let free = try? storage.freeBytes(at: directory) {
            // Journals on the same disk go on meanwhile, in pieces of this size at most.
            let needed = UInt64(shared.bytes.count + min(shared.bytes.count, journalBytes))
            guard free >= needed else {
                throw .failed(call: "write", path: path, reason: .noSpace)
            }
        }
        try storage.replaceFile(path, with: shared)
        return name
    }

    /// What is left free beside a segment's file for journals.
    private static let journalBytes = 4 << 20

    /// Has queries read segments from their files, and the next manifest name these.
    private func read(_ written: [UInt64: Segment], from files: [UInt64: SegmentName]) {
        guard !written.isEmpty else { return }
        writer.withLock { state in
            let current = snapshot
            let segments = current.segments.map { published in
                guard let segment = written[published.serial] else { return published }
                state.files[published.serial] = files[published.serial]
                return published.reading(from: segment, current.schema)
            }
            publish(segments, current.sequence, current.schema)
        }
    }

    /// A segment as it is in its file; nil where that cannot be mapped.
    private func mapped(_ name: SegmentName) -> Segment? {
        let path = FilePath.join(directory, name.fileName)
        // It was written a moment ago, and nothing is lost by reading on from memory: a file that
        // cannot be opened is told at the next start.
        guard let segment = try? Segment(environment.storage.map(path), check: .footer)
        else { return nil }
        segment.prepare()
        return segment
    }

    private func replaceManifest(
        _ moment: ReplicaMoment, _ files: [UInt64: SegmentName]
    ) throws(SystemError) {
        let manifest = moment.manifest(of: self) { files[$0.serial] }
        // Where it is not known whether it got there, both may be the one that is on the disk.
        writer.withLock { $0.named.formUnion(manifest.entries.map(\.name)) }
        try environment.storage.replaceFile(
            FilePath.join(directory, Manifest.fileName), with: manifest.encoded)
        writer.withLock { state in
            state.checkpoint = moment.snapshot.sequence
            state.named = Set(manifest.entries.map(\.name))
            let live = Set(snapshot.segments.map(\.serial))
            state.files = state.files.filter { live.contains($0.key) }
        }
    }

    /// Removes segment files that neither the manifest on disk nor the next one names: those of
    /// seals that a crash or a full disk cut short.
    ///
    /// Removes none while another thread seals, which removes them afterwards, and waits for none.
    ///
    /// - Returns: the names of the removed files.
    package func removeStrays() throws(IndexError) -> [String] {
        try isClosed.withLockIfAvailable { (isClosed) throws(IndexError) in
            guard !isClosed else { return [] }
            do throws(SystemError) {
                return try removeStrayFiles()
            } catch {
                throw .storage(error)
            }
        } ?? []
    }

    /// Removes segment files that no manifest names, and what is left of unfinished ones.
    ///
    /// They are merged ones, and those of a seal that
    /// a crash cut short. Mapped files stay readable until the last snapshot lets go of them.
    @discardableResult
    private func removeStrayFiles() throws(SystemError) -> [String] {
        let named = writer.withLock { state in
            let live = Set(snapshot.segments.map(\.serial))
            let next = state.files.filter { live.contains($0.key) }.values
            return Set(next.map(\.fileName) + state.named.map(\.fileName))
        }
        var removed: [String] = []
        for name in try environment.storage.list(directory) {
            let target = name.hasSuffix(".new") ? String(name.dropLast(4)) : name
            guard SegmentName(fileName: target) != nil, !named.contains(name) else { continue }
            try environment.storage.remove(FilePath.join(directory, name))
            removed.append(name)
        }
        return removed
    }
}

extension PublishedSegment {
    /// The same segment, read from elsewhere.
    fileprivate func reading(
        from segment: Segment, _ schema: AttributeSchema
    ) -> PublishedSegment {
        PublishedSegment(
            serial: serial,
            view: SegmentView(segment, irregular: view.irregular, schema: schema),
            deletions: deletions)
    }
}
