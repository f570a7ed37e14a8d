import FresnelModel

// What was matched to be counted is not matched again: where the segments of a target begin among
// those that were counted, documents and matchers are there.

extension ShardSearch {
    /// The documents a search sees, of the segments of a target from a place on; of that alone
    /// where it was not counted.
    func visible(_ target: SearchTarget, _ first: Int?) throws(SearchStop) -> [DocumentSet] {
        if first != nil, let counted { return counted.visible }
        return try target.snapshot.visible(at: target.sequence, now: plan.now, control: control)
    }

    /// What matches the documents of a segment; of one that was counted under the control of that.
    @inline(__always)
    func matcher(
        of segment: PublishedSegment, _ place: Int, _ first: Int?, _ target: SearchTarget
    ) -> SegmentMatcher {
        guard let first, let counted else {
            return SegmentMatcher(
                plan.comparisons(in: target.index), in: segment.view.reading(plan.schema),
                control: control)
        }
        return counted.matchers[first + place]
    }

    /// The time that finding out what is visible took, and counting, which is told once.
    func microseconds(since started: Instant, _ first: Int?) -> UInt64 {
        guard let first, let counted else { return control.now.microseconds(since: started) }
        return first == 0 ? counted.microseconds : 0
    }
}
