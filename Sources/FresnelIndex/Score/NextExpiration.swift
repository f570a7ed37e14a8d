import FresnelModel

// What a search sees of a snapshot changes with time only when a document expires. So what was
// counted at one instant is true until the next expiration, of whatever document: one that is
// deleted already, or newer than the search, makes the time only shorter.

extension [PublishedSegment] {
    /// Seconds since 2001 of the first expiration after an instant; `+infinity` when none is left.
    func nextExpiration(after now: Timestamp) -> Double {
        reduce(.infinity) { next, published in
            Swift.min(next, published.segment.versions.nextExpiration(after: now.seconds))
        }
    }
}

extension DocumentVersions {
    fileprivate func nextExpiration(after now: Double) -> Double {
        guard firstExpiration <= now else { return firstExpiration }
        var next = Double.infinity
        for document in 0..<expirations.count {
            let expiration = expirations[document]
            if expiration > now, expiration < next { next = expiration }
        }
        return next
    }
}
