import FresnelKernels
import FresnelModel

// What exists for an operation: documents that are neither deleted nor expired when the batch was
// stamped, and whose related document has not expired either. Merging may have taken the others
// away on one replica and not yet on another, so no outcome may depend on them.

extension PartWriter {
    /// Whether a document exists.
    func isLive(_ identifier: [UInt8]) -> Bool {
        additions[identifier] == nil
            ? place(of: identifier) != nil : liveAddition(identifier) != nil
    }

    /// A document made by this part that exists.
    func liveAddition(_ identifier: [UInt8]) -> Addition? {
        guard let addition = additions[identifier],
            addition.expiration > part.stampedAt.seconds
        else { return nil }
        let related = addition.document.relatedUniqueIdentifier.map { Array($0.utf8) }
        guard let related, related != identifier, isExpired(related) else { return addition }
        return nil
    }

    /// Whether a document is there, but expired.
    private func isExpired(_ identifier: [UInt8]) -> Bool {
        if let addition = additions[identifier] {
            return addition.expiration <= part.stampedAt.seconds
        }
        return segments.hasOnlyExpired(
            identifier.span, at: part.sequence, now: part.stampedAt)
    }

    /// Whether the document that another is about is there, but expired.
    func isOrphan(_ document: DocumentNumber, in segment: Segment) -> Bool {
        guard let links = segment.attribute(named: [PublishedSegment].link)?.strings else {
            return false
        }
        let ranks = links.ranks(of: document)
        guard ranks.count > 0 else { return false }
        let identifiers = segment.identifiers
        let related = [UInt8](copying: links.values.original(of: ranks[0]))
        let own = [UInt8](copying: identifiers.identifier(of: document))
        return related != own && isExpired(related)
    }

    /// Deletes what is left of an expired document that is about to come back, and what went with
    /// it, so that nothing comes back that was gone.
    mutating func forgetExpired(_ identifier: [UInt8]) {
        var wasThere = additions[identifier] != nil
        for place in segments.indices {
            for document in segments[place].existing(identifier.span, at: part.sequence) {
                delete(at: Place(segment: place, document: document))
                wasThere = true
            }
        }
        guard wasThere else { return }
        for place in segments.indices {
            for document in segments[place].documents(linkedTo: identifier.span) {
                delete(at: Place(segment: place, document: document))
            }
        }
        for key in additionOrder where key != identifier {
            let related = additions[key]?.document.relatedUniqueIdentifier
            if related.map({ Array($0.utf8) }) == identifier { _ = removeAddition(key) }
        }
    }
}
