import FresnelModel
import FresnelWire

// Merge: releases hits to the client in final order, as far as credit and knowledge allow.
//
// Every worker sends its hits in order, so the last key of a part is its bound: nothing unsent of
// that part can precede it. A hit may therefore be released when every open part shows its next
// hit, and it is the first of them (Documentation/protocol.md, "Settled").

extension QueryStream {
    /// Sends what may be sent now.
    mutating func release() -> [Action] {
        var actions: [Action] = []
        var writer = HitBatchWriter()
        skipBeforePage()
        while let number = nextPart, mayDeliver(parts[number], after: writer) {
            if writer.count > 0,
                writer.byteCount + parts[number].headCost > Limits.hitBatchTargetBytes
            {
                actions.append(flush(&writer))
                continue
            }
            if plan.isOrdered, let key = parts[number].headKey {
                digest.append(key)
                page.pass(key)
            }
            parts[number].release(into: &writer)
            delivered += 1
        }
        if writer.count > 0 { actions.append(flush(&writer)) }
        return actions
    }

    /// The part whose head is due: in ordered delivery the first key of all, and only while every
    /// open part shows one; otherwise whichever has something.
    var nextPart: Int? {
        var best: (number: Int, key: ArraySlice<UInt8>)?
        for number in parts.indices {
            guard let key = parts[number].headKey else {
                if plan.isOrdered, parts[number].isOpen { return nil }
                continue
            }
            guard plan.isOrdered else { return number }
            if let current = best, !key.lexicographicallyPrecedes(current.key) { continue }
            best = (number, key)
        }
        return best?.number
    }

    private func mayDeliver(_ part: QueryPart, after writer: HitBatchWriter) -> Bool {
        guard !hasEnough, !isHeld, !isUnconfirmed, !isBroken else { return false }
        let bytes = writer.byteCount + part.headCost
        return credit.allows(items: UInt64(writer.count + 1), bytes: UInt64(bytes))
    }

    private mutating func flush(_ writer: inout HitBatchWriter) -> Action {
        var found = WireFound()
        found.items = UInt64(writer.count)
        found.total = delivered
        let payload = writer.bytes()
        let isWithinCredit = credit.use(items: found.items, bytes: UInt64(payload.count))
        precondition(isWithinCredit, "released \(found.items) hits beyond \(credit)")
        writer = HitBatchWriter()
        defer { nextSequence += 1 }
        return toClient(.found(found), payload: payload, sequence: nextSequence)
    }

    /// Whether every hit that was asked for is on its way.
    var hasEnough: Bool { plan.limit.map { delivered >= $0 } ?? false }

    /// Tells the workers that no more hits are wanted; their counts still are.
    private mutating func sayEnough() -> [Action] {
        var actions: [Action] = []
        for number in parts.indices where !parts[number].wasToldEnough {
            parts[number].discard()
            guard parts[number].isOpen else { continue }
            parts[number].wasToldEnough = true
            var credit = WireCredit()
            credit.enough = true
            actions.append(toWorker(number, .credit(credit)))
        }
        return actions
    }

    /// Grants the workers what the client's credit and the window cover.
    mutating func refill() -> [Action] {
        guard !hasEnough else { return sayEnough() }
        guard credit.items > 0 else { return [] }
        let items = min(Limits.workerWindowItems, credit.items)
        var actions: [Action] = []
        for number in parts.indices {
            let totals = parts[number].refill(items: items, bytes: windowBytes)
            guard let totals else { continue }
            var grant = WireCredit()
            grant.items = totals.items
            grant.bytes = totals.bytes
            actions.append(toWorker(number, .credit(grant)))
        }
        return actions
    }
}
