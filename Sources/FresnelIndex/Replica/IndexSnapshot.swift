import FresnelKernels
package import FresnelModel
import FresnelSystem

/// One segment as a snapshot sees it.
package struct PublishedSegment: Sendable {
    /// Names the segment inside this process; never reused.
    package let serial: UInt64
    package let view: SegmentView
    package var deletions: Deletions

    package init(serial: UInt64, view: SegmentView, deletions: Deletions = Deletions()) {
        self.serial = serial
        self.view = view
        self.deletions = deletions
    }

    package var segment: Segment { view.segment }

    /// Whether a document exists at a sequence number and has not expired.
    package func isVisible(
        _ document: DocumentNumber, at sequence: SequenceNumber, now: Timestamp
    ) -> Bool {
        let versions = segment.versions
        guard versions.createdSequence(of: document) <= sequence.value,
            versions.expiration(of: document) > now.seconds
        else { return false }
        return deletions.sequence(of: document).map { $0 > sequence.value } ?? true
    }

    /// The documents that exist at a sequence number and have not expired: created at or before it,
    /// not deleted at or before it.
    package func visible(at sequence: SequenceNumber, now: Timestamp) -> DocumentSet {
        var pace = CheckPace(nil)
        do throws(SearchStop) {
            return try visible(at: sequence, now: now, &pace)
        } catch {
            preconditionFailure("a reader without a switch was stopped: \(error)")
        }
    }

    /// The same for a search, which may be called off.
    func visible(
        at sequence: SequenceNumber, now: Timestamp, _ pace: inout CheckPace
    ) throws(SearchStop) -> DocumentSet {
        let count = segment.documentCount
        let versions = segment.versions
        let isWhole =
            versions.lastSequence <= sequence.value
            && versions.firstExpiration > now.seconds
        if isWhole, deletions.isEmpty { return .all(of: count) }
        var bits = DocumentSet.all(of: count).bitset
        for document in deletions.documents(through: sequence.value) {
            try pace.step()
            bits.remove(Int(document))
        }
        guard !isWhole else { return DocumentSet(.bits(bits), of: count) }
        for document in 0..<DocumentNumber(count) {
            try pace.step()
            guard
                versions.createdSequence(of: document) > sequence.value
                    || versions.expiration(of: document) <= now.seconds
            else { continue }
            bits.remove(Int(document))
        }
        return DocumentSet(.bits(bits), of: count)
    }
}

/// A replica at one moment: readers take it once per query and never lock again.
package struct IndexSnapshot: Sendable {
    package let segments: [PublishedSegment]
    /// The newest part applied.
    package let sequence: SequenceNumber
    package let schema: AttributeSchema
    /// Below this, merges have dropped versions that a reader would need.
    package let oldestReadable: SequenceNumber
    /// Before this instant, in seconds since 2001, documents had not expired that are merged away.
    package let oldestInstant: Double

    package init(
        segments: [PublishedSegment], sequence: SequenceNumber, schema: AttributeSchema,
        oldestReadable: SequenceNumber = .zero, oldestInstant: Double = -.infinity
    ) {
        self.segments = segments
        self.sequence = sequence
        self.schema = schema
        self.oldestReadable = oldestReadable
        self.oldestInstant = oldestInstant
    }

    /// Documents that are not deleted, expired or not: known without looking at any.
    var liveCount: UInt64 {
        segments.reduce(0) { $0 + UInt64(max(0, $1.segment.documentCount - $1.deletions.count)) }
    }

    /// Bytes of all segments, in memory or in files.
    package var segmentBytes: UInt64 {
        segments.reduce(0) { $0 + UInt64($1.segment.bytes.count) }
    }

    /// Documents that exist now.
    package func documentCount(at now: Timestamp) -> UInt64 {
        segments.reduce(0) { sum, segment in
            let isWhole = segment.segment.versions.firstExpiration > now.seconds
            return sum
                + UInt64(
                    isWhole
                        ? segment.segment.documentCount - segment.deletions.count
                        : segment.visible(at: sequence, now: now).count)
        }
    }
}
