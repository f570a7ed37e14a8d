import FresnelModel
import FresnelQuery
import FresnelWire

// Admission: what a PUT must satisfy before it gets a sequence number, and how it is cut by shard.
// Whatever is refused here changed nothing.

extension BrokerCore {
    /// Why a batch is not taken on: for good, or until later.
    enum Refusal: Error {
        case final(ErrorCode, String)
        case later(ErrorCode, String)

        /// What is said of it.
        var text: String {
            switch self {
            case .final(_, let text), .later(_, let text): text
            }
        }
    }

    /// A PUT as it came.
    struct Submission {
        let put: WirePut
        let payload: [UInt8]
        /// Of its content (`BatchCoding.digest`).
        let digest: UInt64
        let request: Envelope
    }

    /// Tells a client that its request is not taken on.
    mutating func refuse(
        _ refusal: Refusal, of request: Envelope, to session: SessionID
    ) -> [BrokerEffect] {
        switch refusal {
        case .final(let code, let text): refuse(code, text, of: request, to: session)
        case .later(let code, let text):
            refuse(code, text, of: request, to: session, retryAfter: .milliseconds(200))
        }
    }

    /// Stamps a batch with its sequence number and begins to write it, or refuses it whole.
    mutating func admit(
        _ submission: Submission, from session: Session, at moment: Moment
    ) throws(Refusal) -> [BrokerEffect] {
        var put = submission.put
        let (payload, envelope) = (submission.payload, submission.request)
        if let refusal = unwrittenStart(at: moment) { throw refusal }
        guard IndexName.isValid(put.index) else {
            throw .final(
                .invalidItem,
                "index name \(put.index.debugDescription) is not 1 to 64 of a-z 0-9 . _ -")
        }
        try checkPlace(put, byteCount: payload.count, of: session)
        guard !snapshots.holds(put.index) else {
            throw .later(.busy, "a snapshot of index \(put.index) is taken, or it is restored")
        }
        var effects = clocks.observe(moment).map { [BrokerEffect.log($0.level, $0.text)] } ?? []
        let known = state.index(named: put.index)
        if let known, let refusal = refusalToWrite(known) { throw refusal }
        try checkExpiration(put, in: known)
        var index: IndexState
        if let known { index = known } else { index = try newIndex(for: put) }
        let isFirst = known == nil
        let before = index
        try declare(put.customKeys, in: &index)
        try checkQueries(&put, payload, in: index.schema, at: moment)
        // All of the index's keys go with every part: a shard may never have seen the batch that
        // declared one.
        put.customKeys = index.schema.sortedCustomKeys.map(WireCustomKey.init)
        try checkState(put, in: index)
        let parts = try cut(put, payload, for: &index)
        let sequence = index.takeSequence(after: writes.lastSequence(of: put.index))
        let isMoving = parts.contains { $0.step == .supersedes }
        let supersedeSequence = isMoving ? index.takeSequence(after: sequence) : nil
        if index != before || isFirst { state.change(index) }
        if isFirst {
            catalogue.noteMade(
                index.name, version: state.version, durable: persistedVersion)
            effects.append(note("index \(index.name) is made, with \(index.shardCount) shards"))
        }
        if isFirst || index.schema != before.schema { structureVersion = state.version }
        let batch = PendingBatch(
            key: BatchKey(put), session: session.id, request: envelope, put: put,
            digest: submission.digest, byteCount: payload.count, sequence: sequence,
            supersedeSequence: supersedeSequence,
            stamp: clocks.stamp(at: moment.instant), startedAt: moment.instant,
            deadline: moment.instant
                + min(envelope.budget ?? Limits.writeBudgetDefault, Limits.deadline),
            phase: state.version > persistedVersion
                ? .preparing(version: state.version) : .writing,
            parts: parts,
            verdicts: ItemVerdicts(put.operations, holdsRelated: index.holdsRelated))
        let sent = effects + perform(writes.add(batch), at: moment)
        return parts.isEmpty ? sent + finishWithoutParts(batch, at: moment) : sent
    }

    /// Refuses what would overtake a postponed batch or go beyond the write credit.
    private func checkPlace(
        _ put: WirePut, byteCount: Int, of session: Session
    ) throws(Refusal) {
        if let refusal = bound(put, of: session) { throw .final(refusal.code, refusal.text) }
        guard
            writes.pendingCount < Limits.batchesPerClient
                || writes.batches.values.count(where: { $0.session == session.id })
                    < Limits.batchesPerClient
        else {
            throw .later(.busy, "\(Limits.batchesPerClient) unacknowledged batches; wait")
        }
        guard !postponed.mustWait(BatchKey(put), of: session.id) else {
            throw .later(.busy, "an earlier batch was told to wait; it comes first")
        }
        guard writes.byteCount(of: session.id) + byteCount <= Limits.writeCreditBytes else {
            throw .later(
                .busy,
                "more than \(Limits.writeCreditBytes) unacknowledged bytes; wait for "
                    + "acknowledgements")
        }
    }

    private func declare(
        _ keys: [WireCustomKey], in index: inout IndexState
    ) throws(Refusal) {
        for key in keys {
            do {
                let key = try CustomAttributeKey(key)
                // Of two imports that are the first with a key, one had true and the other 1: the
                // documents of both are valid under either.
                if index.schema.customKeys[key.name]?.takesTheSame(as: key) == true { continue }
                try index.schema.declare(key)
            } catch {
                throw .final(.keyMismatch, "\(error)")
            }
        }
    }

    /// The index that a batch makes.
    ///
    /// Whole documents make an index, and so does what an import says before its first one. What an
    /// index without documents would refuse does not: a patch, or a document that is about another
    /// one; nor does a deletion with a misspelt name.
    private func newIndex(for put: WirePut) throws(Refusal) -> IndexState {
        let name = put.index
        let says = !put.customKeys.isEmpty || put.clientStateBytes != nil
        let isFounding =
            put.operations.isEmpty
            || put.operations.contains { operation in
                switch operation.kind {
                case .index: !operation.routedByRelation
                case .update: false
                case .deleteIdentifier, .deleteDomain, .deleteQuery, .deleteAll: says
                case .supersede, .unspecified, .UNRECOGNIZED: false
                }
            }
        guard isFounding else {
            let isDeletion = !put.operations.contains { [.index, .update].contains($0.kind) }
            throw .final(
                .unknownIndex,
                state.complaint(aboutIndex: name)
                    + (isDeletion ? "" : "; a patch makes none, nor does a document about another"))
        }
        let form = IndexForm(
            shardCount: settings.shardCount, replication: settings.replication,
            expirationSeconds: put.hasExpirationSeconds
                ? ExpirationPolicy(seconds: put.expirationSeconds)?.duration?.inSeconds
                : settings.defaultExpirationSeconds)
        return try place(
            name, form,
            identity: .draw(from: settings.identitySeed, name: name, version: state.version))
    }

    /// An index keeps the expiration that it was made with: who names another one shall know.
    private func checkExpiration(
        _ put: WirePut, in index: IndexState?
    ) throws(Refusal) {
        guard put.hasExpirationSeconds else { return }
        guard let policy = ExpirationPolicy(seconds: put.expirationSeconds) else {
            throw .final(
                .invalidArgument,
                "expiration_seconds \(put.expirationSeconds) is negative or too large")
        }
        guard let index, policy.seconds != index.defaultExpirationSeconds ?? 0 else { return }
        throw .final(
            .indexExists,
            "index \(index.name) was made with another expiration, "
                + "\(index.defaultExpirationSeconds.map { "\($0) s" } ?? "never")")
    }

    private func checkState(_ put: WirePut, in index: IndexState) throws(Refusal) {
        if let state = put.clientStateBytes, state.count > Limits.clientStateBytes {
            throw .final(
                .invalidClientState,
                "client state of \(state.count) bytes; the limit is \(Limits.clientStateBytes)")
        }
        guard let expected = put.expectedClientStateBytes,
            index.clientStateOrigin?.covers(ClientStateOrigin(BatchKey(put))) != true
        else { return }
        guard expected == writes.foreseenState(of: index) ?? [] else {
            throw .final(
                .mismatchedClientState,
                "the stored client state is another than expected; fetch it and start from there")
        }
    }

    /// Stamps and checks delete-by-query operations.
    ///
    /// A query that does not parse deletes nothing, nor one with a warning unless who asks has seen
    /// it: what is deleted cannot be had back.
    private func checkQueries(
        _ put: inout WirePut, _ payload: [UInt8], in schema: AttributeSchema, at moment: Moment
    ) throws(Refusal) {
        guard put.operations.contains(where: { $0.kind == .deleteQuery }) else { return }
        let isPinned = put.context.hasNow
        var readsClock = false
        var search = WireSearch()
        search.context = put.context
        search.stamp(at: moment)
        put.context = search.context
        for operation in put.operations where operation.kind == .deleteQuery {
            let start = Int(operation.bodyOffset)
            let end = start + Int(operation.bodyLength)
            guard end <= payload.count else {
                throw .final(
                    .malformedMessage, "operation \(operation.position) leaves the payload")
            }
            let text = String(decoding: payload[start..<end], as: UTF8.self)
            let parsed: ParsedQuery
            do {
                parsed = try QueryParser.parse(text, options: ParseOptions(schema: schema))
                _ = try parsed.expression.resolved(in: search.queryContext)
                readsClock = readsClock || parsed.expression.readsClock
            } catch {
                throw .final(.invalidQuery, "\(error)")
            }
            // A replica deletes what matches, and does not know what its index is called.
            guard !parsed.expression.asks(.index, in: schema) else {
                throw .final(
                    .invalidQuery,
                    "nothing is deleted: a deletion is of the one index that it names beside its "
                        + "query; leave the comparison of 'index' out")
            }
            guard !put.acceptsWarnings, let warning = parsed.warnings.first else { continue }
            let place = warning.offset.map { " (at byte \($0))" } ?? ""
            throw .final(
                .invalidQuery,
                "nothing is deleted: the query has a warning: \(warning.message)\(place); correct "
                    + "it, or say that it is meant")
        }
        guard readsClock, !isPinned, let doubt = clocks.doubt else { return }
        throw .final(
            .clockInDoubt,
            "the query speaks of $time, and the broker does not know what time it is: \(doubt); "
                + "nothing is deleted; write the date itself, or see `fresnel status` and set the "
                + "clocks right")
    }

    /// The parts of a batch; where documents may move, with a place for what follows from it.
    private func cut(
        _ put: WirePut, _ payload: [UInt8], for index: inout IndexState
    ) throws(Refusal) -> [PendingPart] {
        if put.operations.contains(where: \.routedByRelation) { index.holdsRelated = true }
        do {
            let parts = try BatchCoding.split(
                put, payload: payload, shardCount: index.shardCount,
                holdsRelated: index.holdsRelated
            ).map { PendingPart($0, step: .operations) }
            let mayMove =
                index.holdsRelated && index.shardCount > 1
                && put.operations.contains { $0.kind == .index }
            guard mayMove else { return parts }
            return parts + (0..<index.shardCount).map { PendingPart(reserving: ShardID($0)) }
        } catch {
            throw .final(error.code, "\(error)")
        }
    }
}
