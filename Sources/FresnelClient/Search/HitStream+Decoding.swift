import FresnelModel
import FresnelWire
import ZeroMQ

extension HitStream {
    /// The hits of a batch, with their domains where those are asked for.
    func hits(of batch: HitBatch, withDomain: Bool) throws(SearchError) -> [Hit] {
        switch batch {
        case .whole(let batch): try hits(of: batch, withDomain: withDomain)
        case .frontCoded(let batch): try hits(of: batch)
        }
    }

    /// Hits that have an identifier each, and index and kind in common.
    private func hits(of batch: FrontCodedHits) throws(SearchError) -> [Hit] {
        let first = try reading { () throws(WireError) in try batch.first() }
        guard let first else { return [] }
        let (index, kind) = (try name(first.index), first.document.kind)
        return try reading { () throws(WireError) in try batch.identifiers() }.map {
            Hit(uniqueIdentifier: $0, index: index, kind: kind, score: nil)
        }
    }

    /// The same of a batch whose hits have all that they have.
    func hits(
        of batch: HitBatchReader, withDomain: Bool
    ) throws(SearchError) -> [Hit] {
        var hits: [Hit] = []
        hits.reserveCapacity(batch.count)
        var plain = PlainHits(batch)
        // Of the last hit that was read in full.
        var (index, kind) = (IndexName.standard, DocumentKind.product)
        let booleans = state.withLock { $0.booleans }
        for position in 0..<batch.count {
            if let hit = plain.hit(position) {
                hits.append(
                    Hit(
                        uniqueIdentifier: hit.identifier, index: index, kind: kind,
                        score: hit.score))
                continue
            }
            let hit = try hit(position, of: batch)
            // Most hits of a batch are of one index.
            if hit.index != index.text { index = try name(hit.index) }
            kind = hit.document.kind
            hits.append(Hit(hit, in: index, withDomain: withDomain))
            hits[hits.count - 1].attributes.show(booleans)
            plain.follow(position)
        }
        return hits
    }

    /// The documents that a batch has, with all that stands beside their attributes.
    func documents(of batch: HitBatchReader) throws(SearchError) -> [StoredDocument] {
        var documents: [StoredDocument] = []
        let booleans = state.withLock { $0.booleans }
        for position in 0..<batch.count {
            let hit = try hit(position, of: batch)
            var document = hit.document
            document.attributes.show(booleans)
            documents.append(
                StoredDocument(
                    index: try name(hit.index), document: document, expiration: hit.expiration))
        }
        return documents
    }

    private func hit(
        _ position: Int, of batch: HitBatchReader
    ) throws(SearchError) -> DecodedHit {
        try reading { () throws(WireError) in
            try DecodedHit(batch.bytes, in: batch.bodyRange(position))
        }
    }

    /// What cannot be read ends the query.
    func reading<Value>(
        _ read: () throws(WireError) -> Value
    ) throws(SearchError) -> Value {
        do throws(WireError) {
            return try read()
        } catch {
            cancel()
            throw SearchError(unreadable: error)
        }
    }

    /// The index of a hit; a name that is none is the cluster's fault, not the caller's.
    private func name(_ text: String) throws(SearchError) -> IndexName {
        do {
            return try IndexName(text)
        } catch {
            cancel()
            throw SearchError(
                .internalError, "a hit came with an impossible index: \(error.message)")
        }
    }
}
