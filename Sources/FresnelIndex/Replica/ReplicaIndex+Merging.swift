import FresnelKernels
package import FresnelModel
import FresnelSystem
import Synchronization

// Merging runs beside the writer: the work is done on a snapshot, without a lock; only the exchange
// of the old segments for the new one takes the writer's lock, and carries over what was deleted
// meanwhile. Two threads may merge at once: each claims its segments first, and the other chooses
// among the rest. What made a merge fail stays claimed for as long as the replica is open: it would
// fail again each time, and the others shall merge all the same.

extension ReplicaIndex {
    /// Merges what the policy finds most urgent of what no other thread merges, and drops what is
    /// dead.
    ///
    /// - Parameter expiredBy: what had expired by then is dropped, if the retention is over for it;
    ///   nil drops nothing that expired, however long ago.
    /// - Returns: false when there was nothing to do.
    /// - Throws: `IndexError` for a damaged segment, once for each, or for segments that do not
    ///   become one; the replica is as it was then, and the next merge is another one.
    package func merge(
        expiredBy: Timestamp?, policy: MergePolicy = MergePolicy()
    ) throws(IndexError) -> Bool {
        while true {
            let choice = choose(expiredBy, policy)
            guard !choice.segments.isEmpty else { return false }
            guard claim(choice.segments) else { continue }
            let wereAsked = choice.segments.contains { $0.view.irregular.wereAsked }
            do throws(SegmentError) {
                let merged = try merged(choice.sources, policy.packing, readsIrregular: wereAsked)
                exchange(choice.segments, for: merged, choice.bounds)
                release(choice.segments)
                return true
            } catch {
                throw leaveOut(choice, because: error)
            }
        }
    }

    /// How many segments are tiny, living documents or not.
    package var tinySegmentCount: Int {
        let limit = MergePolicy().tinyDocuments
        return snapshot.segments.count { $0.segment.documentCount < limit }
    }

    /// The segments of the most urgent merge, and what of them goes on living; none when there is
    /// nothing to do.
    private struct Choice {
        let segments: [PublishedSegment]
        let sources: [MergeSource]
        let bounds: Bounds
    }

    private func choose(_ expiredBy: Timestamp?, _ policy: MergePolicy) -> Choice {
        let claimed = claimed.withLock { $0 }
        let (before, marks) = marked
        let retention = settings.retention
        let floor = marks.floor(
            of: before.sequence, at: environment.time.monotonicSeconds,
            keeping: isShortOfRoom.load(ordering: .relaxed) ? retention.shortened : retention)
        let bounds = Bounds(floor: floor, expiredBy: retention.expiry(expiredBy))
        let places = before.segments.indices.filter {
            !claimed.contains(before.segments[$0].serial)
        }
        let sources = places.map { source(of: $0, in: before, bounds) }
        let candidates = sources.map { source, _ in
            MergePolicy.Candidate(
                documentCount: source.segment.documentCount, liveCount: source.live.population,
                byteCount: source.segment.bytes.count,
                storedByteCount: source.segment.stored.unpackedByteCount,
                isPacked: source.segment.postings.isPacked)
        }
        let group = policy.groups(of: candidates).first ?? []
        return Choice(
            segments: group.map { before.segments[places[$0]] },
            sources: group.map { sources[$0].source },
            bounds: bounds.dropping(group.contains { sources[$0].dropsExpired }))
    }

    /// Takes segments for a merge of this thread.
    ///
    /// - Returns: false when another thread took one of them since they were chosen; nothing is
    ///   taken then.
    private func claim(_ segments: [PublishedSegment]) -> Bool {
        let serials = segments.map(\.serial)
        return claimed.withLock { claimed in
            // What another merge has exchanged meanwhile is claimed no more, and is not there.
            guard claimed.isDisjoint(with: serials),
                Set(snapshot.segments.map(\.serial)).isSuperset(of: serials)
            else { return false }
            claimed.formUnion(serials)
            return true
        }
    }

    private func release(_ segments: [PublishedSegment]) {
        claimed.withLock { $0.subtract(segments.map(\.serial)) }
    }

    /// Has what made a merge fail take part in no other one: the first segment that is damaged;
    /// where none is, all of them, which together are too large.
    ///
    /// - Returns: what to say of it.
    private func leaveOut(_ choice: Choice, because error: SegmentError) -> IndexError {
        for (place, source) in choice.sources.enumerated() {
            do throws(SegmentError) {
                try source.check()
            } catch {
                var others = choice.segments
                let damaged = others.remove(at: place)
                release(others)
                return .segment(path: path(of: damaged), error)
            }
        }
        return .tooLarge(error)
    }

    /// Where a segment lies, for the operator.
    private func path(of published: PublishedSegment) -> String {
        let name = writer.withLock { $0.files[published.serial] }
        guard let name else { return "\(directory), a segment in memory" }
        return FilePath.join(directory, name.fileName)
    }

    /// What may be dropped.
    private struct Bounds {
        /// Versions deleted at or before this.
        let floor: SequenceNumber
        /// Documents that had expired by then.
        let expiredBy: Timestamp?

        /// - Parameter isUsed: whether the merge drops something that has expired.
        func dropping(_ isUsed: Bool) -> Bounds {
            Bounds(floor: floor, expiredBy: isUsed ? expiredBy : nil)
        }
    }

    /// What of a segment goes on living, and whether something goes since it has expired.
    private func source(
        of place: Int, in snapshot: IndexSnapshot, _ bounds: Bounds
    ) -> (source: MergeSource, dropsExpired: Bool) {
        let published = snapshot.segments[place]
        let segment = published.segment
        var live = DocumentSet.all(of: segment.documentCount).bitset
        for document in published.deletions.documents(through: bounds.floor.value) {
            live.remove(Int(document))
        }
        let deleted = live.population
        if let expiry = bounds.expiredBy {
            let gone = snapshot.segments.disposable(
                of: place, from: bounds.floor, through: snapshot.sequence, expiry: expiry)
            for document in gone { live.remove(Int(document)) }
        }
        let dropsExpired = live.population < deleted
        return (MergeSource(segment: segment, live: live), dropsExpired)
    }

    /// The segment that others become.
    private struct Merged {
        let segment: Segment
        /// Its documents with irregular characters.
        let irregular: IrregularDocuments
        /// The numbers that the documents of each source have in it.
        let numbers: [[DocumentNumber]]
    }

    /// Does the work; nil when nothing lives on.
    ///
    /// - Parameter readsIrregular: whether to read documents with irregular characters here, since
    ///   queries asked for those of the sources.
    private func merged(
        _ sources: [MergeSource], _ packing: SegmentPacking, readsIrregular: Bool
    ) throws(SegmentError) -> Merged? {
        guard sources.contains(where: { !$0.live.isEmpty }) else { return nil }
        // What was packed at rest stays so: nobody would pack it again before the next writes.
        let packing =
            sources.contains(where: \.segment.postings.isPacked) ? SegmentPacking.standard : packing
        var yieldPace = YieldPace()
        let merged = try SegmentMerger.merge(sources, packing: packing)
        let segment = try merged.blob.open()
        // Here nobody waits for it; in the exchange the writer would.
        segment.prepare()
        let irregular = IrregularDocuments(of: segment)
        while readsIrregular, irregular.prepare(segment) { yieldPace.step() }
        return Merged(segment: segment, irregular: irregular, numbers: merged.newNumbers)
    }

    /// Does some more of what the first search of its segments would have to, for a replica at
    /// rest.
    ///
    /// - Returns: whether more is left.
    package func prepareForSearches() -> Bool {
        snapshot.segments.contains { $0.view.irregular.prepare($0.segment) }
    }

    private func exchange(
        _ old: [PublishedSegment], for new: Merged?, _ bounds: Bounds
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
                    state.parts.publish(
                        new.segment, current.schema, irregular: new.irregular,
                        deletions: deletions))
            }
            let dropsVersions = old.contains {
                !$0.deletions.documents(through: bounds.floor.value).isEmpty
            }
            publish(
                segments, current.sequence, current.schema,
                oldestReadable: dropsVersions ? bounds.floor : .zero,
                oldestInstant: bounds.expiredBy?.seconds ?? -.infinity)
        }
    }
}
