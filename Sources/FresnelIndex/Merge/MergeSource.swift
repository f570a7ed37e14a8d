package import FresnelKernels

/// A segment that takes part in a merge, and which of its documents go on living.
package struct MergeSource: Sendable {
    /// The segment.
    package let segment: Segment
    /// A bit for each document; clear bits are left behind.
    package let live: Bitset

    /// Makes a source; `live` has one bit for each document of the segment.
    package init(segment: Segment, live: Bitset) {
        precondition(
            live.count == segment.documentCount,
            "\(live.count) live bits for \(segment.documentCount) documents")
        self.segment = segment
        self.live = live
    }

    /// Compares the segment with its checksums; reads every byte.
    ///
    /// - Throws: `damagedSection`, or another error where the footer is damaged.
    func check() throws(SegmentError) { try SectionTable(segment.bytes).checkSections() }
}

/// What a merge made.
package struct MergedSegment: Sendable {
    /// The new segment.
    package let blob: SegmentBlob
    /// For each source, for each of its documents the new number, or `dropped`.
    ///
    /// Deletions that arrived while the merge ran are carried over with it.
    package let newNumbers: [[DocumentNumber]]

    /// Stands for a document that was left behind.
    package static let dropped = DocumentNumber.max
}
