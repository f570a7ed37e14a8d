import FresnelModel

// What a search sees of a snapshot changes with time only when a document expires. So what was
// counted at one instant is true until the next expiration, of whatever document: one that is
// deleted already, or newer than the search, makes the time only shorter.

extension [PublishedSegment] {
    /// Seconds since 2001 of the first expiration after an instant; `+infinity` when none is left.
    func nextExpiration(
        after now: Timestamp, control: SearchControl
    ) throws(SearchStop) -> Double {
        var next = Double.infinity
        var pace = CheckPace(control)
        for published in self {
            let first = published.segment.versions.firstExpiration
            guard first <= now.seconds else {
                next = Swift.min(next, first)
                continue
            }
            let versions = published.segment.versions
            next = Swift.min(next, try versions.nextExpiration(after: now.seconds, &pace))
        }
        return next
    }

    /// The same as far as it is known without looking at documents: 0 when none is left, and `now`
    /// where something has expired already.
    func toldExpiration(after now: Timestamp) -> Double {
        let first = lazy.map(\.segment.versions.firstExpiration).min() ?? .infinity
        return first.isFinite ? Swift.max(first, now.seconds) : 0
    }
}

extension DocumentVersions {
    fileprivate func nextExpiration(
        after now: Double, _ pace: inout CheckPace
    ) throws(SearchStop) -> Double {
        var next = Double.infinity
        for document in 0..<DocumentNumber(count) {
            try pace.step()
            let expiration = expiration(of: document)
            if expiration > now, expiration < next { next = expiration }
        }
        return next
    }
}
