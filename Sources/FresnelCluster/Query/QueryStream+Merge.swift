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
        if let fault = noteOwnStatistics(
            found.hasStatistics ? found.statistics : nil, part: number)
        {
            return giveUp(part: number, because: fault, at: now)
        }
        let fault = parts[number].accept(
            found, sequence: message.envelope.sequence, payload: message.payload ?? [],
            isOrdered: plan.ordersParts, mayBeFrontCoded: plan.takesFrontCoded)
        defer { narrow(byPart: number) }
        return fault.map { giveUp(part: number, because: $0, at: now) } ?? []
    }

    /// Sends what may be sent now.
    mutating func release() -> [Action] {
        guard !isHeld, !isUnconfirmed, !isBroken else { return [] }
        skipBeforePage()
        skipDelivered()
        var outgoing = Outgoing()
        passOn(&outgoing)
        // A front-coded batch is passed on once those before it have been taken out hit by hit.
        while let run = nextRun, deliver(run, &outgoing) {
            if plan.takesFrontCoded { passOn(&outgoing) }
        }
        if outgoing.writer.count > 0 { flush(&outgoing) }
        if let newest = outgoing.newest { page.pass(newest.batch.key(newest.position)) }
        return outgoing.actions
    }

    /// What one release sends.
    private struct Outgoing {
        var actions: [Action] = []
        /// The batch that is being filled.
        var writer = HitBatchWriter()
        /// The last hit of those that count for the page.
        var newest: (batch: HitBatchReader, position: Int)?
    }

    /// Sends the hits of a run as far as limit and credit go; false where that is not to its end.
    private mutating func deliver(_ run: HitRun, _ outgoing: inout Outgoing) -> Bool {
        var rest = run.hits
        while !rest.isEmpty {
            let count = room(for: rest, of: run.batch, after: outgoing.writer)
            guard count > 0 else {
                guard outgoing.writer.count > 0 else { return false }
                flush(&outgoing)
                continue
            }
            let hits = rest.prefix(count)
            if plan.isOrdered, !plan.isRest {
                digest.append(hits, of: run.batch)
                if page.first == nil { page.pass(run.batch.key(hits.lowerBound)) }
                outgoing.newest = (run.batch, hits.upperBound - 1)
            }
            outgoing.writer.append(hits, of: run.batch)
            parts[run.part].hits.skip(count)
            delivered += UInt64(count)
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// How many hits are wanted, and were granted, beyond those that are being gathered.
    private func wantedHits(after writer: HitBatchWriter) -> UInt64 {
        min(
            plan.limit.map { $0 - min(delivered, $0) } ?? .max,
            credit.items - min(UInt64(writer.count), credit.items))
    }

    /// How many hits of a run go into the batch that is being filled.
    private func room(
        for hits: Range<Int>, of batch: HitBatchReader, after writer: HitBatchWriter
    ) -> Int {
        let most = Int(clamping: min(UInt64(hits.count), wantedHits(after: writer)))
        var bytes = writer.byteCount
        for number in 0..<most {
            bytes += HitBatchWriter.overheadPerHit + batch.byteCount(of: hits.lowerBound + number)
            let isFirst = writer.count + number == 0
            guard UInt64(bytes) <= credit.bytes, isFirst || bytes <= Limits.hitBatchTargetBytes
            else { return number }
        }
        return most
    }

    /// Sends batches as they came, where nothing has an order.
    ///
    /// Of front-coded ones that go beyond limit or credit the first hits; of others these are taken
    /// out one by one (`nextRun`).
    private mutating func passOn(_ outgoing: inout Outgoing) {
        guard !plan.ordersParts else { return }
        for number in parts.indices {
            while let batch = takeBatch(ofPart: number, after: outgoing.writer) {
                if outgoing.writer.count > 0 { flush(&outgoing) }
                delivered += UInt64(batch.count)
                send(batch.bytes, UInt64(batch.count), &outgoing)
            }
        }
    }

    /// The next batch of a part as limit and credit go, behind hits that are being gathered.
    private mutating func takeBatch(
        ofPart number: Int, after writer: HitBatchWriter
    ) -> HitBatch? {
        guard let batch = parts[number].hits.nextBatch else { return nil }
        let items = wantedHits(after: writer)
        let pending = writer.count > 0 ? UInt64(writer.byteCount) : 0
        let bytes = credit.bytes - min(pending, credit.bytes)
        if batch.count <= items, batch.bytes.count <= bytes {
            parts[number].hits.skip(batch.count)
            return batch
        }
        return parts[number].hits.takeFrontCoded(
            items: Int(clamping: items), below: Int(clamping: bytes))
    }

    private mutating func flush(_ outgoing: inout Outgoing) {
        let items = UInt64(outgoing.writer.count)
        let payload = outgoing.writer.bytes()
        outgoing.writer = HitBatchWriter()
        send(payload, items, &outgoing)
    }

    /// Sends hits that count as delivered.
    private mutating func send(
        _ payload: [UInt8], _ items: UInt64, _ outgoing: inout Outgoing
    ) {
        var found = WireFound()
        found.items = items
        found.total = delivered
        if nextSequence == 0 { found.booleans = plan.booleans }
        let isWithinCredit = credit.use(items: items, bytes: UInt64(payload.count))
        precondition(isWithinCredit, "released \(items) hits beyond \(credit)")
        outgoing.actions.append(
            toClient(.found(found), payload: payload, sequence: nextSequence))
        nextSequence += 1
    }

    /// Whether every hit that was asked for is on its way.
    private var isFull: Bool { plan.limit.map { delivered >= $0 } ?? false }

    /// Whether no hit that may still come is wanted.
    var hasEnough: Bool { isFull || isBeyondThreshold }

    /// Tells the workers that no more hits are wanted; their counts still are.
    private mutating func sayEnough() -> [Action] {
        var actions: [Action] = []
        for number in parts.indices where !parts[number].wasToldEnough {
            parts[number].hits.discard()
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
