import FresnelModel
import FresnelQuery
import FresnelWire

// Writes: a PUT is stamped with a sequence number, cut by shard, and acknowledged once every part
// is journaled and, where it carries a client state, that state is durable too.

extension BrokerCore {
    mutating func put(
        _ message: Message, _ put: WirePut, from session: Session, at moment: Moment
    ) -> [BrokerEffect] {
        let id = message.envelope.id
        let key = BatchKey(put)
        if let answer = writes.finishedAnswer(to: key) {
            return send(
                Message(Envelope(id: id), .putAck(answer)),
                to: session.id)
        }
        if writes.rejoin(key, session: session.id, requestID: id) { return [] }
        let payload = message.payload ?? []
        guard writes.byteCount(of: session.id) + payload.count <= Limits.writeCreditBytes else {
            return refuse(
                .busy, "more than \(Limits.writeCreditBytes) unacknowledged bytes; wait for "
                    + "acknowledgements", of: id, to: session.id, retryAfter: .milliseconds(100))
        }
        do {
            return try admit(put, payload, message.envelope, from: session, at: moment)
        } catch {
            switch error {
            case .final(let code, let text):
                return refuse(code, text, of: id, to: session.id)
            case .later(let code, let text):
                return refuse(
                    code, text, of: id, to: session.id, retryAfter: .milliseconds(200))
            }
        }
    }

    /// A worker's word on one part.
    mutating func settle(
        _ ack: WirePartAck, sequence: UInt64, at moment: Moment
    ) -> [BrokerEffect] {
        let shard = ShardKey(index: ack.index, shard: ShardID(ack.shard))
        guard let key = writes.batch(of: shard, sequence: SequenceNumber(sequence)) else {
            counters.lateAnswers += 1
            return []
        }
        let (settled, actions) = writes.settle(ack, batch: key)
        return perform(actions, at: moment) + (settled.map { finish($0, at: moment) } ?? [])
    }

    /// Every part of a batch is journaled or given up: commit its state, then answer.
    mutating func finish(_ batch: PendingBatch, at moment: Moment) -> [BrokerEffect] {
        let resets = batch.put.operations.contains { $0.kind == .deleteAll }
        guard !batch.hasFailedPart, let index = state.index(named: batch.key.index),
            batch.put.clientStateBytes != nil || (resets && index.clientState != nil)
        else {
            return perform(writes.acknowledge(batch.key), at: moment)
        }
        var changed = index
        changed.clientState = batch.put.clientStateBytes
        state.change(changed)
        writes.commit(batch.key, version: state.version)
        return []
    }

    mutating func perform(_ actions: [WriteTable.Action], at moment: Moment) -> [BrokerEffect] {
        var effects: [BrokerEffect] = []
        for action in actions {
            switch action {
            case .toWorker(let worker, let message):
                guard let session = workers[worker]?.session else { continue }
                effects += send(message, to: session)
            case .toClient(let session, let message):
                counters.acknowledgedBatches += 1
                effects += send(message, to: session)
            }
        }
        return effects
    }

    private enum Refusal: Error {
        case final(ErrorCode, String)
        case later(ErrorCode, String)
    }

    private mutating func admit(
        _ put: WirePut, _ payload: [UInt8], _ envelope: Envelope, from session: Session,
        at moment: Moment
    ) throws(Refusal) -> [BrokerEffect] {
        guard IndexName.isValid(put.index) else {
            throw .final(
                .invalidItem, "index name \(put.index.debugDescription) is not 1 to 64 of a-z 0-9 . _ -")
        }
        var put = put
        try checkQueries(&put, payload, at: moment)
        let known = state.index(named: put.index)
        var index: IndexState
        if let known { index = known } else { index = try newIndex(named: put.index) }
        let isFirst = known == nil
        let before = index
        try declare(put.customKeys, in: &index)
        try checkState(put, in: index)
        let sequence = index.takeSequence(after: writes.lastSequence(of: put.index))
        let parts = try cut(put, payload, for: &index)
        if index != before || isFirst { state.change(index) }
        let batch = PendingBatch(
            key: BatchKey(put), session: session.id, requestID: envelope.id, put: put,
            byteCount: payload.count, sequence: sequence, stampedAt: moment.wall,
            deadline: moment.instant + (envelope.budget ?? Limits.writeBudgetDefault),
            phase: state.version > persistedVersion
                ? .preparing(version: state.version) : .writing,
            parts: parts)
        return perform(writes.add(batch), at: moment)
    }

    private func declare(
        _ keys: [WireCustomKey], in index: inout IndexState
    ) throws(Refusal) {
        for key in keys {
            do {
                try index.schema.declare(CustomAttributeKey(key))
            } catch {
                throw .final(.keyMismatch, "\(error)")
            }
        }
    }

    /// Places a new index over the workers that are here.
    private func newIndex(named name: String) throws(Refusal) -> IndexState {
        let live = workers.all.filter { sessions[$0.session]?.isWhole == true }.map(\.worker)
        guard live.count >= max(1, settings.expectedWorkers) else {
            throw .later(
                .noWorkers, "\(live.count) of \(max(1, settings.expectedWorkers)) workers are here; "
                    + "index \(name) is made when they are")
        }
        let placement = Placement.place(
            index: name, shardCount: settings.shardCount, on: live)
        return IndexState(
            name: name, shardCount: settings.shardCount, placement: placement,
            defaultExpirationSeconds: settings.defaultExpirationSeconds)
    }

    private func checkState(_ put: WirePut, in index: IndexState) throws(Refusal) {
        if let state = put.clientStateBytes, state.count > Limits.clientStateBytes {
            throw .final(
                .invalidClientState,
                "client state of \(state.count) bytes; the limit is \(Limits.clientStateBytes)")
        }
        guard let expected = put.expectedClientStateBytes else { return }
        let current = writes.newestState(of: put.index) ?? index.clientState ?? []
        guard expected == current else {
            throw .final(
                .mismatchedClientState,
                "the stored client state is another than expected; fetch it and start from there")
        }
    }

    /// Stamps and checks delete-by-query operations: a query that does not parse deletes nothing.
    private func checkQueries(
        _ put: inout WirePut, _ payload: [UInt8], at moment: Moment
    ) throws(Refusal) {
        guard put.operations.contains(where: { $0.kind == .deleteQuery }) else { return }
        var search = WireSearch()
        search.context = put.context
        search.stamp(at: moment)
        put.context = search.context
        for operation in put.operations where operation.kind == .deleteQuery {
            let start = Int(operation.bodyOffset)
            let end = start + Int(operation.bodyLength)
            guard end <= payload.count else {
                throw .final(.malformedMessage, "operation \(operation.position) leaves the payload")
            }
            let text = String(decoding: payload[start..<end], as: UTF8.self)
            do {
                let options = ParseOptions(schema: state.schema(of: [put.index]))
                let parsed = try QueryParser.parse(text, options: options)
                _ = try parsed.expression.resolved(in: search.queryContext)
            } catch {
                throw .final(.invalidQuery, "\(error)")
            }
        }
    }

    private func cut(
        _ put: WirePut, _ payload: [UInt8], for index: inout IndexState
    ) throws(Refusal) -> [PendingPart] {
        if put.operations.contains(where: \.routedByRelation) { index.holdsRelated = true }
        do {
            let parts = try BatchCoding.split(
                put, payload: payload, shardCount: index.shardCount,
                broadcastIdentifiers: index.holdsRelated)
            return parts.map {
                PendingPart(
                    shard: $0.shard, operations: $0.operations, payload: $0.payload)
            }
        } catch {
            throw .final(error.code, "\(error)")
        }
    }
}
