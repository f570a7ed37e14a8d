import FresnelModel
import FresnelWire

// Merge: releases hits to the client in final order, as far as credit and knowledge allow.
//
// Every worker sends its hits in order and may name a bound, a key that none of its later hits
// precedes. A hit may therefore be released when it is the first of those that arrived, and every
// open part that shows none has a bound behind it (Documentation/protocol.md, Q-50 and Q-51).

extension QueryStream {
    /// Takes in hits of a part, those that came with its end as well.
    mutating func take(
        _ found: WireFound, _ message: Message, part number: Int, at now: Instant
    ) -> [Action] {
        let fault = parts[number].accept(
            found, sequence: message.envelope.sequence, payload: message.payload ?? [],
            isOrdered: plan.ordersParts)
        defer { narrow(byPart: number) }
        return fault.map { giveUp(part: number, because: $0, at: now) } ?? []
    }

    /// Sends what may be sent now.
    mutating func release() -> [Action] {
        var actions: [Action] = []
        var writer = HitBatchWriter()
        guard !isHeld, !isUnconfirmed, !isBroken else { return [] }
        skipBeforePage()
        skipDelivered()
        if !plan.ordersParts { actions += passOn() }
        while let number = nextPart, mayDeliver(fromPart: number, after: writer) {
            if writer.count > 0,
                writer.byteCount + parts[number].headCost > Limits.hitBatchTargetBytes
            {
                actions.append(flush(&writer))
                continue
            }
            if plan.isOrdered, !plan.isRest, let key = parts[number].headKey {
                digest.append(key)
                page.pass(key)
            }
            parts[number].release(into: &writer)
            delivered += 1
        }
        if writer.count > 0 { actions.append(flush(&writer)) }
        return actions
    }

    /// Sends whole batches as they came, where nothing has an order; those that go beyond limit or
    /// credit are left.
    private mutating func passOn() -> [Action] {
        var actions: [Action] = []
        for number in parts.indices {
            while let batch = parts[number].wholeBatch {
                let items = UInt64(batch.count)
                guard delivered + items <= plan.limit ?? .max,
                    credit.use(items: items, bytes: UInt64(batch.bytes.count))
                else { break }
                parts[number].skipBatch()
                delivered += items
                var found = WireFound()
                found.items = items
                found.total = delivered
                actions.append(
                    toClient(.found(found), payload: batch.bytes, sequence: nextSequence))
                nextSequence += 1
            }
        }
        return actions
    }

    /// The part whose head is due: in ordered delivery the first key of all, and only while nothing
    /// that is still to come can precede it; otherwise whichever has something.
    ///
    /// Equal keys, of a document that moves between shards, go by the number of their parts.
    var nextPart: Int? {
        guard plan.isOrdered else { return parts.firstIndex { $0.headKey != nil } }
        var best: (number: Int, key: ArraySlice<UInt8>)?
        for number in parts.indices {
            guard let key = parts[number].headKey else { continue }
            if let best, !key.lexicographicallyPrecedes(best.key) { continue }
            best = (number, key)
        }
        guard let best, isSettled(best.key, ofPart: best.number), !isBehindThreshold(best.key)
        else { return nil }
        return best.number
    }

    /// Whether no open part without a hit can still send one that comes before this one.
    private func isSettled(_ key: ArraySlice<UInt8>, ofPart number: Int) -> Bool {
        parts.indices.allSatisfy { other in
            guard parts[other].isOpen, parts[other].headKey == nil else { return true }
            guard let floor = parts[other].floor else { return false }
            if floor.lexicographicallyPrecedes(key) { return false }
            return number < other || key.lexicographicallyPrecedes(floor)
        }
    }

    private func mayDeliver(fromPart number: Int, after writer: HitBatchWriter) -> Bool {
        guard !isFull else { return false }
        let bytes = writer.byteCount + parts[number].headCost
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
    private var isFull: Bool { plan.limit.map { delivered >= $0 } ?? false }

    /// Whether no hit that may still come is wanted.
    var hasEnough: Bool { isFull || isBeyondThreshold }

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

    /// Grants the workers what the client's credit and the window cover, and tells them which hits
    /// are not wanted any more: at most one CREDIT a part.
    mutating func refill(at now: Instant) -> [Action] {
        holdsNews = false
        guard !hasEnough else { return sayEnough() }
        let items = min(Limits.workerWindowItems, credit.items)
        var actions: [Action] = []
        for number in parts.indices {
            let isGranted =
                items > 0 && parts[number].refill(items: items, bytes: windowBytes) != nil
            let threshold = news(forPart: number, at: now)
            guard isGranted || threshold != nil else { continue }
            var grant = WireCredit()
            grant.items = parts[number].window.grantedItems
            grant.bytes = parts[number].window.grantedBytes
            if let threshold { grant.thresholdBytes = threshold }
            actions.append(toWorker(number, .credit(grant)))
        }
        return actions
    }
}
