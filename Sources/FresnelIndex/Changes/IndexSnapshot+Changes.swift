import FresnelKernels
import FresnelModel

// What a search sees is decided by three numbers of a version: created, deleted, expires. So two
// states can differ only in versions of which one lies between them, and in what hangs on such a
// version: a document whose root has expired goes with it. Segments in which nothing of that
// happened are told by their bounds, without looking at a document.

extension IndexSnapshot {
    /// What differs between two states, segment by segment.
    ///
    /// Costs about as much as what was written between them, and one pass over the numbers of a
    /// segment in which something expired or that was merged since.
    package func changes(
        from former: ReadingPoint, to newer: ReadingPoint, control: SearchControl
    ) throws(SearchStop) -> [SegmentChanges] {
        var pace = CheckPace(control)
        var touched: [[DocumentNumber]] = []
        for published in segments {
            touched.append(try published.touched(from: former, to: newer, &pace))
        }
        let mayOrphan = segments.hasExpired(at: newer.now)
        if mayOrphan { try segments.addLinked(to: &touched, &pace) }
        var differences: [SegmentChanges] = []
        for place in segments.indices {
            var changes = SegmentChanges()
            for document in touched[place] {
                // A root is looked for in every segment.
                try pace.step(mayOrphan ? segments.count : 1)
                let before = segments.shows(document, of: place, at: former, mayOrphan)
                let after = segments.shows(document, of: place, at: newer, mayOrphan)
                if before, !after { changes.removed.append(document) }
                if after, !before { changes.added.append(document) }
            }
            differences.append(changes)
        }
        return differences
    }
}

extension PublishedSegment {
    /// The documents that were made, deleted or expired between two states; ascending, distinct.
    fileprivate func touched(
        from former: ReadingPoint, to newer: ReadingPoint, _ pace: inout CheckPace
    ) throws(SearchStop) -> [DocumentNumber] {
        var touched = deletions.documents(
            after: former.sequence.value, through: newer.sequence.value)
        let versions = segment.versions
        let isNewer =
            versions.lastSequence > former.sequence.value
            && versions.firstSequence <= newer.sequence.value
        let expires = former.now < newer.now && versions.firstExpiration <= newer.now.seconds
        if isNewer || expires {
            for document in 0..<DocumentNumber(segment.documentCount) {
                try pace.step()
                let created = versions.createdSequence(of: document)
                let expiration = versions.expiration(of: document)
                let isNew = created > former.sequence.value && created <= newer.sequence.value
                let hasExpired =
                    expiration > former.now.seconds && expiration <= newer.now.seconds
                if isNew || hasExpired { touched.append(document) }
            }
        }
        SortedNumbers.sortDistinct(&touched)
        return touched
    }
}

extension [PublishedSegment] {
    /// Adds the documents that name one of the others as what they are about.
    fileprivate func addLinked(
        to touched: inout [[DocumentNumber]], _ pace: inout CheckPace
    ) throws(SearchStop) {
        let changed = touched
        for place in indices {
            let identifiers = self[place].segment.identifiers
            for document in changed[place] {
                let identifier = identifiers.identifier(of: document)
                for other in indices {
                    let linked = self[other].documents(linkedTo: identifier.span)
                    try pace.step(1 + linked.count)
                    touched[other] += linked
                }
            }
        }
        for place in indices { SortedNumbers.sortDistinct(&touched[place]) }
    }

    /// Whether a state shows a document.
    fileprivate func shows(
        _ document: DocumentNumber, of place: Int, at point: ReadingPoint, _ mayOrphan: Bool
    ) -> Bool {
        guard self[place].isVisible(document, at: point.sequence, now: point.now) else {
            return false
        }
        guard mayOrphan, let root = self[place].root(of: document) else { return true }
        return !hasExpiredRoot(root.span, at: point.sequence, now: point.now)
    }
}
