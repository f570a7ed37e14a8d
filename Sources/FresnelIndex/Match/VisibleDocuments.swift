import FresnelKernels
package import FresnelModel
import FresnelText

// A document that names another in `relatedUniqueIdentifier` goes when the other goes, also when it
// expires. Expiry is no batch, so it is found out whenever a snapshot is read; and so that merging
// changes no answer, an expired document stays until nothing names it any more.

extension IndexSnapshot {
    /// The documents a search sees, segment by segment: those that exist at a sequence number, have
    /// not expired, and whose related document has not expired either.
    package func visible(at sequence: SequenceNumber, now: Timestamp) -> [DocumentSet] {
        segments.visible(at: sequence, now: now)
    }
}

extension [PublishedSegment] {
    /// The attribute that links a document to the one it is about.
    static var link: String { "relatedUniqueIdentifier" }

    /// The documents a search sees (`IndexSnapshot.visible`).
    func visible(at sequence: SequenceNumber, now: Timestamp) -> [DocumentSet] {
        var visible = map { $0.visible(at: sequence, now: now) }
        guard hasExpired(at: now) else { return visible }
        for place in indices {
            let orphans = orphans(of: place, at: sequence, now: now)
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

    /// The documents of a segment whose related document exists at a sequence number, but only
    /// expired; ascending.
    func orphans(
        of place: Int, at sequence: SequenceNumber, now: Timestamp
    ) -> [DocumentNumber] {
        guard let links = self[place].segment.attribute(named: Self.link)?.strings else {
            return []
        }
        let identifiers = self[place].segment.identifiers
        var orphans: [DocumentNumber] = []
        for rank in 0..<ValueRank(links.values.count) {
            let target = links.values.original(of: rank)
            guard hasOnlyExpired(target, at: sequence, now: now) else { continue }
            let documents = links.documents(of: rank)
            for index in documents.indices
            where ByteOrder.compare(identifiers.identifier(of: documents[index]), target) != 0 {
                orphans.append(documents[index])
            }
        }
        SortedNumbers.sortDistinct(&orphans)
        return orphans
    }

    /// Whether a document exists at a sequence number, but no version that has not expired.
    func hasOnlyExpired(
        _ identifier: Span<UInt8>, at sequence: SequenceNumber, now: Timestamp
    ) -> Bool {
        var isExpired = false
        for published in self {
            let versions = published.segment.versions
            for document in published.existing(identifier, at: sequence) {
                guard versions.expiration(of: document) <= now.seconds else { return false }
                isExpired = true
            }
        }
        return isExpired
    }

    /// The documents of a segment that are gone for good when everything expired by `expiry` is:
    /// orphans, and expired documents that no other document names.
    func disposable(
        of place: Int, at sequence: SequenceNumber, expiry: Timestamp
    ) -> [DocumentNumber] {
        guard hasExpired(at: expiry) else { return [] }
        var gone = orphans(of: place, at: sequence, now: expiry)
        let versions = self[place].segment.versions
        let identifiers = self[place].segment.identifiers
        guard versions.firstExpiration <= expiry.seconds else { return gone }
        for document in 0..<DocumentNumber(self[place].segment.documentCount)
        where versions.expiration(of: document) <= expiry.seconds {
            let identifier = identifiers.identifier(of: document)
            let isNamed = contains { !$0.documents(linkedTo: identifier).isEmpty }
            if !isNamed { gone.append(document) }
        }
        SortedNumbers.sortDistinct(&gone)
        return gone
    }
}

extension PublishedSegment {
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
            for index in documents.indices {
                let own = identifiers.identifier(of: documents[index])
                if ByteOrder.compare(own, identifier) != 0 { linked.append(documents[index]) }
            }
        }
        return linked
    }
}
