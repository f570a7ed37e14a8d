package import FresnelModel

// A document that names another in `relatedUniqueIdentifier` goes when the other goes, also when it
// expires. Expiry is no batch, so it is found out whenever a snapshot is read.

extension IndexSnapshot {
    /// The documents a search sees, segment by segment: those that exist at a sequence number, have
    /// not expired, and whose related document has not expired either.
    package func visible(at sequence: SequenceNumber, now: Timestamp) -> [DocumentSet] {
        var visible = segments.map { $0.visible(at: sequence, now: now) }
        guard segments.contains(where: { $0.segment.versions.firstExpiration <= now.seconds })
        else { return visible }
        for place in segments.indices {
            let orphans = orphans(of: place, at: sequence, now: now)
            guard !orphans.isEmpty else { continue }
            let count = segments[place].segment.documentCount
            visible[place].subtract(DocumentSet(.list(orphans), of: count))
        }
        return visible
    }

    /// The documents of a segment whose related document exists at a sequence number but has
    /// expired, ascending.
    private func orphans(
        of place: Int, at sequence: SequenceNumber, now: Timestamp
    ) -> [DocumentNumber] {
        let segment = segments[place].segment
        guard let links = segment.attribute(named: "relatedUniqueIdentifier")?.strings else {
            return []
        }
        var orphans: [DocumentNumber] = []
        for rank in 0..<ValueRank(links.values.count) {
            let target = links.values.original(of: rank)
            guard let owner = version(of: target, at: sequence),
                segments[owner.segment].segment.versions.expiration(of: owner.document)
                    <= now.seconds
            else { continue }
            let documents = links.documents(of: rank)
            for index in documents.indices
            where owner.segment != place || owner.document != documents[index] {
                orphans.append(documents[index])
            }
        }
        SortedNumbers.sortDistinct(&orphans)
        return orphans
    }

    /// Where the version of a document stands that exists at a sequence number, expired or not.
    private func version(
        of identifier: Span<UInt8>, at sequence: SequenceNumber
    ) -> (segment: Int, document: DocumentNumber)? {
        for (place, published) in segments.enumerated() {
            let versions = published.segment.identifiers.documents(withIdentifier: identifier)
            for document in versions {
                let created = published.segment.versions.createdSequence(of: document)
                let deleted = published.deletions.sequence(of: document) ?? .max
                if created <= sequence.value, deleted > sequence.value { return (place, document) }
            }
        }
        return nil
    }
}
