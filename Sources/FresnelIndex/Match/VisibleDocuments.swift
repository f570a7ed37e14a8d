import FresnelKernels
package import FresnelModel
import FresnelText

// A document that names a root in `relatedUniqueIdentifier` goes when the root goes, also when it
// expires (a root is a document without a relation of its own). Expiry is no batch, so it is found
// out whenever a snapshot is read; and so that merging changes no answer, an expired document stays
// until nothing names it any more.

extension IndexSnapshot {
    /// The documents a search sees, segment by segment: those that exist at a sequence number, have
    /// not expired, and whose related document has not expired either.
    package func visible(at sequence: SequenceNumber, now: Timestamp) -> [DocumentSet] {
        segments.visible(at: sequence, now: now)
    }

    /// The same for a search, which may be called off.
    func visible(
        at sequence: SequenceNumber, now: Timestamp, control: SearchControl
    ) throws(SearchStop) -> [DocumentSet] {
        var pace = CheckPace(control)
        return try segments.visible(at: sequence, now: now, &pace)
    }
}

extension [PublishedSegment] {
    /// The attribute that links a document to the one it is about.
    static var link: String { "relatedUniqueIdentifier" }

    /// The documents a search sees (`IndexSnapshot.visible`).
    func visible(at sequence: SequenceNumber, now: Timestamp) -> [DocumentSet] {
        var pace = CheckPace(nil)
        do throws(SearchStop) {
            return try visible(at: sequence, now: now, &pace)
        } catch {
            preconditionFailure("a reader without a switch was stopped: \(error)")
        }
    }

    fileprivate func visible(
        at sequence: SequenceNumber, now: Timestamp, _ pace: inout CheckPace
    ) throws(SearchStop) -> [DocumentSet] {
        let isExpired = hasExpired(at: now)
        if count == 1, !isExpired { return [try self[0].visible(at: sequence, now: now, &pace)] }
        var visible: [DocumentSet] = []
        for published in self {
            visible.append(try published.visible(at: sequence, now: now, &pace))
        }
        guard isExpired else { return visible }
        for place in indices {
            let orphans = try orphans(of: place, at: sequence, now: now, &pace)
            guard !orphans.isEmpty else { continue }
            let count = self[place].segment.documentCount
            visible[place].subtract(DocumentSet(.list(orphans), of: count))
        }
        return visible
    }

    /// Whether some version has expired.
    func hasExpired(at now: Timestamp) -> Bool {
        contains { $0.segment.versions.firstExpiration <= now.seconds }
    }

    /// The documents of a segment whose root exists at a sequence number, but only expired;
    /// ascending.
    func orphans(
        of place: Int, at sequence: SequenceNumber, now: Timestamp
    ) -> [DocumentNumber] {
        var pace = CheckPace(nil)
        do throws(SearchStop) {
            return try orphans(of: place, at: sequence, now: now, &pace)
        } catch {
            preconditionFailure("a reader without a switch was stopped: \(error)")
        }
    }

    private func orphans(
        of place: Int, at sequence: SequenceNumber, now: Timestamp, _ pace: inout CheckPace
    ) throws(SearchStop) -> [DocumentNumber] {
        guard let links = self[place].segment.attribute(named: Self.link)?.strings else {
            return []
        }
        let identifiers = self[place].segment.identifiers
        var orphans: [DocumentNumber] = []
        for rank in 0..<ValueRank(links.values.count) {
            try pace.step(count)
            let target = links.values.original(of: rank)
            guard hasExpiredRoot(target, at: sequence, now: now) else { continue }
            let documents = links.documents(of: rank)
            for index in documents.indices {
                try pace.step()
                if identifiers.compare(documents[index], target) != 0 {
                    orphans.append(documents[index])
                }
            }
        }
        SortedNumbers.sortDistinct(&orphans)
        return orphans
    }

    /// Whether a root exists at a sequence number, but no version that has not expired.
    func hasExpiredRoot(
        _ identifier: Span<UInt8>, at sequence: SequenceNumber, now: Timestamp
    ) -> Bool {
        var isExpired = false
        for published in self {
            let versions = published.segment.versions
            for document in published.existing(identifier, at: sequence) {
                guard versions.expiration(of: document) <= now.seconds else { return false }
                if published.isRoot(document) { isExpired = true }
            }
        }
        return isExpired
    }

    /// Whether some version that existed at or after a sequence number has not expired.
    private func hasLivingVersion(
        _ identifier: Span<UInt8>, from floor: SequenceNumber, expiry: Timestamp
    ) -> Bool {
        contains { published in
            let table = published.segment.identifiers
            return table.documents(withIdentifier: identifier).contains { document in
                published.segment.versions.expiration(of: document) > expiry.seconds
                    && published.deletions.sequence(of: document) ?? .max > floor.value
            }
        }
    }

    /// The documents of a segment that are gone for good when everything expired by `expiry` is:
    /// orphans, and expired documents that no other document names.
    ///
    /// Whoever reads at a number from `floor` to `newest` misses nothing: an orphan of today may
    /// have had a root with a longer life then.
    func disposable(
        of place: Int, from floor: SequenceNumber, through newest: SequenceNumber,
        expiry: Timestamp
    ) -> [DocumentNumber] {
        guard hasExpired(at: expiry) else { return [] }
        let earlier = Set(orphans(of: place, at: floor, now: expiry))
        var gone = orphans(of: place, at: newest, now: expiry).filter { document in
            guard earlier.contains(document), let root = self[place].root(of: document) else {
                return false
            }
            return !hasLivingVersion(root.span, from: floor, expiry: expiry)
        }
        let versions = self[place].segment.versions
        let identifiers = self[place].segment.identifiers
        guard versions.firstExpiration <= expiry.seconds else { return gone }
        for document in 0..<DocumentNumber(self[place].segment.documentCount)
        where versions.expiration(of: document) <= expiry.seconds {
            let identifier = identifiers.identifier(of: document)
            let isNamed = contains { !$0.documents(linkedTo: identifier.span).isEmpty }
            if !isNamed { gone.append(document) }
        }
        SortedNumbers.sortDistinct(&gone)
        return gone
    }
}

extension PublishedSegment {
    /// The identifier that a document names as the one it is about; nil for a root.
    func root(of document: DocumentNumber) -> [UInt8]? {
        guard let links = segment.attribute(named: [PublishedSegment].link)?.strings else {
            return nil
        }
        let ranks = links.ranks(of: document)
        guard ranks.count > 0 else { return nil }
        let related = links.values.original(of: ranks[0])
        let identifiers = segment.identifiers
        return identifiers.compare(document, related) == 0 || related.isEmpty
            ? nil : [UInt8](copying: related)
    }

    /// Whether a document has no relation of its own.
    func isRoot(_ document: DocumentNumber) -> Bool { root(of: document) == nil }

    /// The versions of a document that exist at a sequence number, expired or not.
    func existing(
        _ identifier: Span<UInt8>, at sequence: SequenceNumber
    ) -> [DocumentNumber] {
        let table = segment.identifiers
        return table.documents(withIdentifier: identifier).filter { document in
            segment.versions.createdSequence(of: document) <= sequence.value
                && deletions.sequence(of: document) ?? .max > sequence.value
        }
    }

    /// The other documents that name a document as the one they are about, deleted ones included.
    func documents(linkedTo identifier: Span<UInt8>) -> [DocumentNumber] {
        guard let links = segment.attribute(named: [PublishedSegment].link)?.strings else {
            return []
        }
        var key: [UInt8] = []
        appendFoldedKey(of: identifier, to: &key)
        let identifiers = segment.identifiers
        var linked: [DocumentNumber] = []
        for rank in links.values.range(withKey: key.span)
        where ByteOrder.compare(links.values.original(of: rank), identifier) == 0 {
            let documents = links.documents(of: rank)
            for index in documents.indices
            where identifiers.compare(documents[index], identifier) != 0 {
                linked.append(documents[index])
            }
        }
        return linked
    }
}
