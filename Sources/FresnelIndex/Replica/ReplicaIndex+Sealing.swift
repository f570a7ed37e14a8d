import FresnelKernels
package import FresnelModel
import FresnelSystem
import Synchronization

extension ReplicaIndex {
    /// Writes what is only in memory into segment files and names them in a new manifest.
    ///
    /// Files that no manifest names any more are removed afterwards. A crash at any point leaves
    /// the old manifest or the new one, each with its files.
    ///
    /// - Returns: the sequence number up to which the journal is no longer needed.
    package func seal() throws(IndexError) -> SequenceNumber {
        do {
            return try writer.withLock { state in
                let current = snapshot
                do throws(SystemError) {
                    try environment.storage.makeDirectory(directory)
                    try write(current, &state)
                    try replaceManifest(current, &state)
                    try removeStrayFiles(state)
                } catch {
                    throw IndexError.storage(error)
                }
                return state.checkpoint
            }
        } catch let error as IndexError {
            throw error
        } catch {
            preconditionFailure("sealing threw an unknown kind of error: \(error)")
        }
    }

    /// Whether something is in memory only: parts, or segments that others were merged into.
    package var needsSealing: Bool {
        writer.withLock { state in
            let current = snapshot
            return state.checkpoint < current.sequence
                || current.segments.contains { state.files[$0.serial] == nil }
        }
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
    /// began before.
    private func write(_ snapshot: IndexSnapshot, _ state: inout WriterState) throws(SystemError) {
        var isNew = false
        var segments = snapshot.segments
        for (place, published) in snapshot.segments.enumerated()
        where state.files[published.serial] == nil {
            let bytes = published.segment.bytes
            let name = SegmentName(of: bytes.bytes)
            try environment.storage.replaceFile(
                FilePath.join(directory, name.fileName), with: [UInt8](copying: bytes.bytes))
            state.files[published.serial] = name
            segments[place] = mapped(published, name, snapshot.schema)
            isNew = true
        }
        guard isNew else { return }
        try environment.storage.syncDirectory(directory)
        publish(segments, snapshot.sequence, snapshot.schema)
    }

    /// The same segment, read from its file; as it is where that cannot be mapped.
    private func mapped(
        _ published: PublishedSegment, _ name: SegmentName, _ schema: AttributeSchema
    ) -> PublishedSegment {
        let path = FilePath.join(directory, name.fileName)
        // It was written a moment ago, and nothing is lost by reading on from memory: a file that
        // cannot be opened is told at the next start.
        guard let bytes = try? environment.storage.map(path),
            let segment = try? Segment(bytes, check: .footer)
        else { return published }
        return PublishedSegment(
            serial: published.serial,
            view: SegmentView(
                segment, irregular: published.view.irregular, schema: schema),
            deletions: published.deletions)
    }

    private func replaceManifest(
        _ snapshot: IndexSnapshot, _ state: inout WriterState
    ) throws(SystemError) {
        var manifest = Manifest(settings, identity)
        manifest.checkpoint = snapshot.sequence
        manifest.holdsRelated = state.holdsRelated
        manifest.schema = snapshot.schema
        manifest.applied = state.applied
        manifest.oldestReadable = snapshot.oldestReadable
        manifest.oldestInstant = snapshot.oldestInstant
        manifest.entries = snapshot.segments.compactMap { published in
            state.files[published.serial].map {
                Manifest.Entry(name: $0, deletions: published.deletions)
            }
        }
        try environment.storage.replaceFile(
            FilePath.join(directory, Manifest.fileName), with: manifest.encoded)
        state.checkpoint = snapshot.sequence
        state.named = Set(manifest.entries.map(\.name))
        let live = Set(snapshot.segments.map(\.serial))
        state.files = state.files.filter { live.contains($0.key) }
    }

    /// Removes segment files that neither the manifest on disk nor the next one names: those of
    /// seals that a crash or a full disk cut short.
    ///
    /// - Returns: the names of the removed files.
    package func removeStrays() throws(IndexError) -> [String] {
        do {
            return try writer.withLock { state in
                let live = Set(snapshot.segments.map(\.serial))
                var state = state
                state.files = state.files.filter { live.contains($0.key) }
                return try removeStrayFiles(state)
            }
        } catch let error as SystemError {
            throw .storage(error)
        } catch {
            preconditionFailure("removing files threw an unknown kind of error: \(error)")
        }
    }

    /// Removes segment files that no manifest names, and what is left of unfinished ones.
    ///
    /// They are merged ones, and those of a seal that
    /// a crash cut short. Mapped files stay readable until the last snapshot lets go of them.
    @discardableResult
    private func removeStrayFiles(_ state: WriterState) throws(SystemError) -> [String] {
        let named = Set(state.files.values.map(\.fileName) + state.named.map(\.fileName))
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
