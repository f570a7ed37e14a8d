import FresnelModel
package import FresnelWire

// Bound: what a part's FOUNDs say about the hits that are still to come. Each is taken in only if
// it agrees with everything its worker said before (Documentation/protocol.md, Q-50 to Q-53).

extension QueryPart {
    /// A key that no hit precedes which has not arrived yet: the newest bound that the worker
    /// named, or the last key it sent where that is later; nil while it sent nothing.
    package var floor: [UInt8]? {
        guard expectedSequence > 0 else { return nil }
        return bound.lexicographicallyPrecedes(lastKey) ? lastKey : bound
    }

    /// Takes in a FOUND; a fault says what was wrong with it.
    ///
    /// - Parameters:
    ///   - isOrdered: whether hits come in the order of their keys.
    ///   - mayBeFrontCoded: whether they may come without any, front-coded.
    package mutating func accept(
        _ found: WireFound, sequence: UInt64, payload: [UInt8], isOrdered: Bool,
        mayBeFrontCoded: Bool
    ) -> StreamFault? {
        guard !wasToldEnough else { return nil }
        guard sequence == expectedSequence else {
            return StreamFault(
                .sequenceUnbroken, "hit batch \(sequence) came where \(expectedSequence) was due")
        }
        let batch: HitBatch
        do {
            batch = try HitBatch(payload, mayBeFrontCoded: mayBeFrontCoded)
        } catch {
            return StreamFault(.messagesReadable, "hit batch \(sequence) is unreadable: \(error)")
        }
        guard found.items == UInt64(batch.count) else {
            return StreamFault(
                .countsTrue,
                "hit batch \(sequence) claims \(found.items) hits and holds \(batch.count)")
        }
        guard window.use(items: UInt64(batch.count), bytes: UInt64(payload.count)) else {
            return StreamFault(
                .creditNeverExceeded, "hit batch \(sequence) is beyond the credit granted")
        }
        if case .whole(let batch) = batch {
            if isOrdered, let fault = faultyOrder(of: batch, sequence) { return fault }
            if let fault = rest?.fault(in: batch, after: lastKey) { return fault }
        }
        if isOrdered, let fault = raiseBound(to: found.boundBytes, sequence) { return fault }
        return accept(found, batch, sequence)
    }

    /// Takes in a readable batch in its place, if it agrees with what was counted.
    private mutating func accept(
        _ found: WireFound, _ batch: HitBatch, _ sequence: UInt64
    ) -> StreamFault? {
        if expectedSequence == 0 {
            if let fault = faultyShard(in: found.shards) { return fault }
            counted = found.shards
        }
        if case .whole(let batch) = batch, let fault = countChanges(in: batch, sequence) {
            return fault
        }
        let most = counted.map(\.found).saturatingSum
        guard rest != nil || counted.isEmpty || window.usedItems <= most else {
            return StreamFault(
                .countsTrue,
                "hit batch \(sequence) goes beyond the \(most) hits that were counted")
        }
        if expectedSequence == 0 { beyond = found.beyond }
        expectedSequence += 1
        if case .whole(let batch) = batch, batch.count > 0 {
            lastKey = Array(batch.key(batch.count - 1))
        }
        hits.keep(batch, firstHit: window.usedItems - UInt64(batch.count))
        return nil
    }

    /// A batch must go on where the last ended, and behind every bound; two hits of a
    /// document that moves between shards have equal keys.
    private func faultyOrder(of batch: HitBatchReader, _ sequence: UInt64) -> StreamFault? {
        guard batch.isAscending(after: lastKey) else {
            return StreamFault(.orderAscending, "hit batch \(sequence) is out of order")
        }
        guard batch.count > 0 else { return nil }
        guard !batch.key(0).lexicographicallyPrecedes(bound) else {
            return StreamFault(
                .boundMonotone, "hit batch \(sequence) begins before the bound that was named")
        }
        guard isOnPage(batch) else {
            return StreamFault(
                .pagesHoldStill, "hit batch \(sequence) has hits that the page before it had")
        }
        return nil
    }

    /// Whether the hits of a batch in order lie on the page's side of its key.
    private func isOnPage(_ batch: HitBatchReader) -> Bool {
        guard let page else { return true }
        return page.isBackwards
            ? batch.key(batch.count - 1).lexicographicallyPrecedes(page.key)
            : page.key.lexicographicallyPrecedes(batch.key(0))
    }

    /// Takes in a named bound; none says nothing new.
    private mutating func raiseBound(to bound: [UInt8], _ sequence: UInt64) -> StreamFault? {
        guard !bound.isEmpty else { return nil }
        guard !bound.lexicographicallyPrecedes(self.bound) else {
            return StreamFault(.boundMonotone, "the bound of hit batch \(sequence) went back")
        }
        self.bound = bound
        return nil
    }
}
