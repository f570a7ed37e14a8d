import FresnelKernels
import FresnelModel
import FresnelSystem

// What exists for an operation: documents that are neither deleted nor expired when the batch was
// stamped, and whose root has not expired either. Merging may have taken the others away on one
// replica and not yet on another, so no outcome may depend on them.
//
// A root is a document without a relation of its own. Only roots can be named in a relation, take
// others with them when they go, and hide others when they expire: a root lives in the shard of its
// own identifier, beside all that hang on it, so one shard decides alone.

extension PartWriter {
    /// Whether a document exists.
    func isLive(_ identifier: [UInt8]) -> Bool {
        additions[identifier] == nil
            ? place(of: identifier) != nil : liveAddition(identifier) != nil
    }

    /// Whether a document exists and has no relation of its own.
    func isLiveRoot(_ identifier: [UInt8]) -> Bool {
        if additions[identifier] != nil {
            return liveAddition(identifier).map { !$0.isRoutedByRelation } ?? false
        }
        guard let place = place(of: identifier) else { return false }
        return segments[place.segment].isRoot(place.document)
    }

    /// A document made by this part that exists.
    func liveAddition(_ identifier: [UInt8]) -> PartAddition? {
        guard let addition = additions[identifier],
            addition.expiration > part.expiredBy.seconds
        else { return nil }
        guard let related = addition.relatedUniqueIdentifier, related != identifier,
            isExpiredRoot(related)
        else { return addition }
        return nil
    }

    /// Whether a root is there, but expired.
    private func isExpiredRoot(_ identifier: [UInt8]) -> Bool {
        if let addition = additions[identifier] {
            return addition.expiration <= part.expiredBy.seconds
                && !addition.isRoutedByRelation
        }
        return segments.hasExpiredRoot(
            identifier.span, at: part.sequence, now: part.expiredBy)
    }

    /// Whether the root that a document is about is there, but expired.
    func isOrphan(_ document: DocumentNumber, in published: PublishedSegment) -> Bool {
        guard let related = published.root(of: document) else { return false }
        return isExpiredRoot(related)
    }

    /// Deletes what is left of an expired document that is about to come back, and what went with
    /// it, so that nothing comes back that was gone.
    mutating func forgetExpired(_ identifier: [UInt8], in candidates: [Int]) {
        var wasRoot = additions[identifier].map { !$0.isRoutedByRelation } ?? false
        for place in candidates {
            for document in segments[place].existing(identifier.span, at: part.sequence) {
                wasRoot = wasRoot || segments[place].isRoot(document)
                delete(at: Place(segment: place, document: document))
            }
        }
        guard wasRoot else { return }
        for place in segments.indices {
            for document in segments[place].documents(linkedTo: identifier.span) {
                yieldPace.step()
                delete(at: Place(segment: place, document: document))
            }
        }
        for key in additions.identifiers(linkedTo: identifier) { _ = removeAddition(key) }
    }
}
