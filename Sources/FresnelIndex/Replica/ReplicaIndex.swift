package import FresnelModel
package import FresnelSystem
import FresnelWire
import Synchronization

// batches → immutable segments → snapshot. One writer (the worker's ingest thread) works a part out
// on the side, builds a segment of what it adds, and publishes a new snapshot; any number of
// readers take the current snapshot and never lock again. Memory is sealed into files by `seal`, on
// any thread; what came after that is in the journal, which the worker applies again after a
// restart.

/// One replica of one shard: bytes → hits, without journal or network.
package final class ReplicaIndex: Sendable {
    /// The file that every replica's directory begins with.
    package static let manifestName = Manifest.fileName

    let directory: String
    package let settings: ReplicaSettings
    /// Drawn when the directory was made, and kept in its manifest.
    package let identity: ReplicaIdentity
    /// Of the index, which tells indexes of one name apart; 0 where nobody has told it.
    let indexIdentity: UInt128
    /// What was in the segments when the directory was made; nil where that is not known.
    let born: SequenceNumber?
    /// Segments of older formats that were made anew when it was opened.
    package let refoldedSegments: Int
    let environment: Environment
    /// What readers take.
    private let published: Mutex<Published>
    /// What only the writer touches, and for moments who merges, seals or copies; nobody waits for
    /// a disk while he holds it.
    let writer: Mutex<WriterState>
    /// Held while files of the directory are written or removed, and before `writer`; true when
    /// that is over for good.
    let isClosed = Mutex(false)
    /// The serials of segments that are being merged, or that made a merge fail.
    let claimed = Mutex<Set<UInt64>>([])
    /// Whether versions that are no longer current are kept for seconds only.
    let isShortOfRoom = Atomic(false)

    /// The snapshot, and how often it was replaced.
    private struct Published: Sendable {
        var snapshot: IndexSnapshot
        var version: UInt64 = 0
        /// When its newest parts were applied: whoever merges asks while parts are worked out.
        var marks: VersionMarks
    }

    /// What the writer knows beside the snapshot.
    struct WriterState: Sendable {
        /// What parts change.
        var parts = PartState()
        /// Up to where the files reach, and which segments they are.
        var checkpoint = SequenceNumber.zero
        var files: [UInt64: SegmentName] = [:]
        /// The segments that the manifest on disk names, or may name.
        var named: Set<SegmentName> = []
    }

    /// Opens a replica's directory, or makes it with a new identity, durable when this returns.
    ///
    /// Segments of formats whose keys are folded otherwise are made anew (`Refolding`).
    ///
    /// - Parameters:
    ///   - isReadOnly: whether what is made anew is kept in memory, not in the directory.
    ///   - isStopping: asked while that takes time.
    /// - Throws: `IndexError` when files are missing, damaged, foreign or of another version; what
    ///   is there is as good as before then.
    package init(
        opening directory: String, settings: ReplicaSettings, environment: Environment,
        isReadOnly: Bool = false, isStopping: () -> Bool = { false }
    ) throws(IndexError) {
        let opened = try withoutActuallyEscaping(isStopping) {
            (isStopping) throws(IndexError) in
            try Self.open(
                directory, settings, environment,
                Refolding(
                    directory, environment.storage, writesFiles: !isReadOnly,
                    isStopping: isStopping))
        }
        self.directory = directory
        self.settings = settings
        identity = opened.identity
        indexIdentity = opened.indexIdentity
        born = opened.born
        refoldedSegments = opened.refoldedSegments
        self.environment = environment
        published = Mutex(
            Published(snapshot: opened.snapshot, marks: opened.state.parts.marks))
        writer = Mutex(opened.state)
    }

    /// The current snapshot.
    package var snapshot: IndexSnapshot { published.withLock { $0.snapshot } }

    /// The current snapshot, and when its newest parts were applied.
    var marked: (snapshot: IndexSnapshot, marks: VersionMarks) {
        published.withLock { ($0.snapshot, $0.marks) }
    }

    /// The newest part applied.
    package var lastSequence: SequenceNumber { snapshot.sequence }

    /// Everything up to here is in segment files.
    package var checkpoint: SequenceNumber { writer.withLock { $0.checkpoint } }

    /// Whether some document was routed by its relation.
    package var holdsRelated: Bool { writer.withLock { $0.parts.holdsRelated } }

    /// Documents that exist now.
    package func documentCount(at now: Timestamp) -> UInt64 { snapshot.documentCount(at: now) }

    /// What became of a batch that was applied before; nil when it is not remembered.
    package func outcome(of batch: BatchIdentity) -> PartOutcome? {
        writer.withLock { state in
            state.parts.applied[batch].map { outcome in
                var outcome = outcome
                outcome.wasApplied = false
                return outcome
            }
        }
    }

    /// The newest batch of a client that was applied; nil when none is remembered.
    package func newestBatch(of client: UInt128) -> UInt64? {
        writer.withLock { $0.parts.applied.newest(of: client) }
    }

    /// Applies a part; when it returns, queries at its sequence number see it.
    package func apply(_ part: PartInput) -> PartResult { apply([part])[0] }

    /// Applies parts in their order; when it returns, queries see all that were applied.
    ///
    /// - Returns: what became of each; behind a gap the others are gaps too.
    package func apply(_ parts: [PartInput]) -> [PartResult] {
        // They are wanted in any case.
        apply(parts) { true } ?? []
    }

    /// Works parts out, asks, and only then applies them, in their order.
    ///
    /// - Parameter isWanted: asked once, when all that takes time is done; it may wait, and merges
    ///   and seals go on meanwhile.
    /// - Returns: as `apply`; nil where they are not wanted: then nothing has changed.
    package func apply(_ parts: [PartInput], if isWanted: () -> Bool) -> [PartResult]? {
        var work = writer.withLock { workedOut(parts, $0.parts) }
        guard isWanted() else { return nil }
        return writer.withLock { state in
            // Other segments were put in place meanwhile: once more, on those.
            if work.version != published.withLock({ $0.version }) {
                work = workedOut(parts, state.parts)
            }
            state.parts = work.state
            publish(
                work.base.segments, work.base.sequence, work.base.schema,
                marks: work.state.marks)
            return work.results
        }
    }

    /// What parts make of the snapshot of one moment.
    private struct WorkedOut {
        let results: [PartResult]
        let base: IndexSnapshot
        let state: PartState
        /// The snapshot's that they were worked out on.
        let version: UInt64
    }

    /// Works parts out on the side; the caller holds the writer's lock.
    private func workedOut(_ parts: [PartInput], _ former: PartState) -> WorkedOut {
        let current = published.withLock { $0 }
        var state = former
        var group = PartGroup(
            current.snapshot, settings: settings, at: environment.time.monotonicSeconds)
        let results = parts.map { group.take($0, &state) }
        group.close(&state)
        return WorkedOut(
            results: results, base: group.base, state: state, version: current.version)
    }

    /// Replaces the snapshot that readers take.
    func publish(
        _ segments: [PublishedSegment], _ sequence: SequenceNumber, _ schema: AttributeSchema,
        marks: VersionMarks? = nil, oldestReadable: SequenceNumber = .zero,
        oldestInstant: Double = -.infinity
    ) {
        published.withLock { published in
            let current = published.snapshot
            published.version += 1
            if let marks { published.marks = marks }
            published.snapshot = IndexSnapshot(
                segments: segments, sequence: sequence, schema: schema,
                oldestReadable: max(current.oldestReadable, oldestReadable),
                oldestInstant: max(current.oldestInstant, oldestInstant))
        }
    }

    /// The snapshot with the part's custom keys.
    ///
    /// A key that was declared otherwise keeps its first
    /// declaration: the broker refuses such batches, so this is a repetition of an old part.
    static func declaring(
        _ keys: [CustomAttributeKey], in snapshot: IndexSnapshot
    ) -> IndexSnapshot {
        var schema = snapshot.schema
        for key in keys where schema.customKeys[key.name] == nil {
            do { try schema.declare(key) } catch { continue }
        }
        guard schema != snapshot.schema else { return snapshot }
        let segments = snapshot.segments.map { published in
            PublishedSegment(
                serial: published.serial,
                view: SegmentView(
                    published.segment, irregular: published.view.irregular, schema: schema),
                deletions: published.deletions)
        }
        return IndexSnapshot(
            segments: segments, sequence: snapshot.sequence, schema: schema,
            oldestReadable: snapshot.oldestReadable, oldestInstant: snapshot.oldestInstant)
    }
}
