import FresnelKernels
package import FresnelModel
import FresnelSystem
import Synchronization

// Merging runs beside the writer: the work is done on a snapshot, without a lock; only the exchange
// of the old segments for the new one takes the writer's lock, and carries over what was deleted
// meanwhile.

extension ReplicaIndex {
    /// Sequence numbers for which a deleted version is kept.
    ///
    /// A query that the broker sent just before still finds what it was promised: these are more
    /// batches than clients have in flight. One at an older number is refused, never answered with
    /// less.
    static let retainedSequences: UInt64 = 4096
    /// Seconds an expired document is kept for the same reason; longer than any budget.
    static let retainedSeconds = 3600.0

    /// Merges what the policy finds most urgent, and drops what is dead.
    ///
    /// - Returns: false when there was nothing to do.
    /// - Throws: `IndexError` for a damaged segment; nothing changed then.
    package func merge(now: Timestamp, policy: MergePolicy = MergePolicy()) throws(IndexError)
        -> Bool
    {
        let before = snapshot
        let sources = before.segments.indices.map { source(of: $0, in: before, now: now) }
        let candidates = zip(before.segments, sources).map { published, source in
            MergePolicy.Candidate(
                documentCount: published.segment.documentCount,
                liveCount: source.live.population, byteCount: published.segment.bytes.count)
        }
        guard let group = policy.groups(of: candidates).first else { return false }
        let merged = try merged(group.map { sources[$0] })
        exchange(group.map { before.segments[$0] }, for: merged, floor: Self.floor(of: before))
        return true
    }

    /// Versions deleted at or before this may be dropped.
    private static func floor(of snapshot: IndexSnapshot) -> SequenceNumber {
        let newest = snapshot.sequence.value
        return SequenceNumber(newest > retainedSequences ? newest - retainedSequences : 0)
    }

    /// What of a segment goes on living.
    private func source(
        of place: Int, in snapshot: IndexSnapshot, now: Timestamp
    ) -> MergeSource {
        let published = snapshot.segments[place]
        let segment = published.segment
        var live = DocumentSet.all(of: segment.documentCount).bitset
        for document in published.deletions.documents(through: Self.floor(of: snapshot).value) {
            live.remove(Int(document))
        }
        if let expiry = Timestamp(seconds: now.seconds - Self.retainedSeconds) {
            let gone = snapshot.segments.disposable(
                of: place, at: snapshot.sequence, expiry: expiry)
            for document in gone { live.remove(Int(document)) }
        }
        return MergeSource(segment: segment, live: live)
    }

    /// Does the work; nil when nothing lives on.
    private func merged(
        _ sources: [MergeSource]
    ) throws(IndexError) -> (segment: Segment, numbers: [[DocumentNumber]])? {
        guard sources.contains(where: { !$0.live.isEmpty }) else { return nil }
        do throws(SegmentError) {
            let merged = try SegmentMerger.merge(sources)
            return (try merged.blob.open(), merged.newNumbers)
        } catch {
            throw .tooLarge(error)
        }
    }

    private func exchange(
        _ old: [PublishedSegment], for new: (segment: Segment, numbers: [[DocumentNumber]])?,
        floor: SequenceNumber
    ) {
        writer.withLock { state in
            let current = snapshot
            let serials = Set(old.map(\.serial))
            var segments = current.segments.filter { !serials.contains($0.serial) }
            if let new {
                var deletions = Deletions()
                for (source, former) in old.enumerated() {
                    // The same segment as it is now: it may have lost documents since.
                    let now = current.segments.first { $0.serial == former.serial } ?? former
                    for (document, sequence) in now.deletions.sorted {
                        let number = new.numbers[source][Int(document)]
                        guard number != MergedSegment.dropped else { continue }
                        deletions.insert(number, at: sequence)
                    }
                }
                segments.append(
                    state.publish(new.segment, current.schema, deletions: deletions))
            }
            let dropsVersions = old.contains {
                !$0.deletions.documents(through: floor.value).isEmpty
            }
            publish(
                segments, current.sequence, current.schema,
                oldestReadable: dropsVersions ? floor : .zero)
        }
    }
}
