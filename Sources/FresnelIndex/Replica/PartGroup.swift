import FresnelKernels
import FresnelModel
import FresnelWire

// Parts that wait for the writing thread together are worked out one after the other, and what they
// add becomes one segment instead of one each: fewer terms to write, and one merge of every
// document less. What a reader finds is the same, since every document keeps the sequence number of
// its part and the parts become visible together.

/// Several parts of one replica, worked out in order and published at once.
///
/// A part joins those before it when none of its operations could see what they add: it only
/// indexes documents that stand alone, under identifiers that nobody in the group has. Any other
/// part finds the documents before it in a segment, as if it had come alone.
struct PartGroup {
    /// Documents of one segment that was made of several parts, at most: more would be packed,
    /// which is for segments that live longer.
    static let documentLimit = SegmentPacking.standard.documents
    /// Bytes of bodies from which on a group takes no further part into the same segment.
    static let byteLimit = 4 << 20

    private let settings: ReplicaSettings
    /// When it is worked out: seconds of the monotonic clock.
    private let time: Double
    /// The replica as the parts so far leave it, but for `pending`.
    private(set) var base: IndexSnapshot
    /// What the parts since the last segment add.
    private var pending: [IncomingDocument] = []
    /// The hashes of the identifiers of the first `hashedCount` of them: of those that were there
    /// when a part last wanted to join.
    private var identifiers: Set<UInt64> = []
    private var hashedCount = 0
    private var pendingBytes = 0

    init(_ snapshot: IndexSnapshot, settings: ReplicaSettings, at time: Double) {
        base = snapshot
        self.time = time
        self.settings = settings
    }

    /// Works a part out; nothing is visible to readers before the group is published.
    mutating func take(
        _ part: PartInput, _ state: inout PartState
    ) -> PartResult {
        guard part.previous == base.sequence, part.sequence > base.sequence else {
            return .gap(last: base.sequence)
        }
        base = ReplicaIndex.declaring(part.customKeys, in: base)
        if !state.types.areThose(of: base.schema) { state.types = PlainTypes(base.schema) }
        if !part.isSuperseding, var outcome = state.applied[part.batch] {
            outcome.wasApplied = false
            base = base.following(part.sequence, base.segments)
            return .applied(outcome)
        }
        if !canJoin(part, holdsRelated: state.holdsRelated) { close(&state) }
        var work = PartWriter(
            part, settings: settings, snapshot: base, state.types, holdsRelated: state.holdsRelated)
        work.run()
        note(work.incoming)
        base = base.following(part.sequence, work.segments)
        state.holdsRelated = work.holdsRelated
        state.marks.note(part.sequence, at: time, keeping: settings.retention)
        if !part.isSuperseding { state.applied.record(work.outcome, of: part.batch) }
        return .applied(work.outcome)
    }

    /// Makes a segment of what is pending.
    mutating func close(_ state: inout PartState) {
        guard !pending.isEmpty else { return }
        do throws(SegmentError) {
            let segment = try SegmentBuilder.build(documents: pending).open()
            base = base.following(
                base.sequence, base.segments + [state.publish(segment, base.schema)])
        } catch {
            // A part holds at most 1000 documents of 900 KiB and a group not many more bytes, far
            // below the format's bounds.
            preconditionFailure("\(pending.count) documents make no segment: \(error)")
        }
        pending = []
        identifiers = []
        hashedCount = 0
        pendingBytes = 0
    }

    /// Whether a part would do the same if what is pending were in a segment.
    private mutating func canJoin(_ part: PartInput, holdsRelated: Bool) -> Bool {
        guard !pending.isEmpty else { return true }
        guard !holdsRelated, pendingBytes < Self.byteLimit,
            pending.count + part.operations.count <= Self.documentLimit,
            part.operations.allSatisfy({ $0.kind == .index && !$0.routedByRelation })
        else { return false }
        for document in pending[hashedCount...] {
            identifiers.insert(document.form.withIdentifier { Hash.checksum(of: $0) })
        }
        hashedCount = pending.count
        return part.operations.allSatisfy { operation in
            !identifiers.contains(Hash.checksum(of: operation.identifier.utf8.span))
        }
    }

    private mutating func note(_ documents: [IncomingDocument]) {
        for document in documents { pendingBytes += document.form.byteCount }
        pending += documents
    }
}

extension IndexSnapshot {
    /// The snapshot after another part.
    fileprivate func following(
        _ sequence: SequenceNumber, _ segments: [PublishedSegment]
    ) -> IndexSnapshot {
        IndexSnapshot(
            segments: segments, sequence: sequence, schema: schema,
            oldestReadable: oldestReadable, oldestInstant: oldestInstant)
    }
}
