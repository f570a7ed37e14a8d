import FresnelModel
import Synchronization

/// A replica at one sequence number: its segments, and what a manifest says beside them.
struct ReplicaMoment {
    let snapshot: IndexSnapshot
    /// The files of segments that have one, by serial.
    let files: [UInt64: SegmentName]
    private let applied: AppliedBatches
    private let holdsRelated: Bool

    /// - Parameter snapshot: taken under the lock that `state` was taken under.
    fileprivate init(_ snapshot: IndexSnapshot, _ state: ReplicaIndex.WriterState) {
        self.snapshot = snapshot
        files = state.files
        applied = state.parts.applied
        holdsRelated = state.parts.holdsRelated
    }

    /// What a manifest file says of it.
    ///
    /// - Parameter name: the file of a segment, which is left out without one.
    func manifest(
        of index: ReplicaIndex, naming name: (PublishedSegment) -> SegmentName?
    ) -> Manifest {
        var manifest = Manifest(index.settings, index.identity)
        manifest.indexIdentity = index.indexIdentity
        manifest.born = index.born
        manifest.checkpoint = snapshot.sequence
        manifest.holdsRelated = holdsRelated
        manifest.schema = snapshot.schema
        manifest.applied = applied
        manifest.oldestReadable = snapshot.oldestReadable
        manifest.oldestInstant = snapshot.oldestInstant
        manifest.entries = snapshot.segments.compactMap { published in
            name(published).map { Manifest.Entry(name: $0, deletions: published.deletions) }
        }
        return manifest
    }
}

extension ReplicaIndex {
    /// The replica as it is now.
    var moment: ReplicaMoment { writer.withLock { ReplicaMoment(snapshot, $0) } }
}
