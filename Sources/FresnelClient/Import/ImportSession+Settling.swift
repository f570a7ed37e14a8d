import FresnelWire

// An operation that is refused for now goes out again under a new number, behind batches that were
// sent after it. So that no older line replaces a newer one, everything on its way is settled
// first, and whatever came later for the same identifier goes out again too, in the order of the
// lines: operations that are carried out twice in one order leave what they left the first time.

extension ImportSession {
    /// Waits until no more than so many batches are on their way.
    ///
    /// - Throws: `SearchError` when the cluster fails for good.
    func settle(downTo count: Int) async throws(SearchError) {
        while inFlight.count > count {
            var settled = [inFlight.removeFirst()]
            var pending = PendingOperations()
            try await take(settled[0], &pending)
            if !pending.isEmpty {
                settled += inFlight
                inFlight = []
                for sent in settled.dropFirst() { try await take(sent, &pending) }
                try await sendAgain(pending)
            } else if let state = settled[0].batch.put.clientStateBytes {
                known.settle(state)
            }
            for (_, mark) in settled {
                if let fingerprint = mark.fingerprint { token.set(fingerprint, to: mark.lines) }
            }
            onProgress(progress)
        }
    }

    /// Waits for a batch; what must go out again is neither acknowledged nor refused yet.
    private func take(
        _ sent: (batch: SentBatch, mark: Mark), _ pending: inout PendingOperations
    ) async throws(SearchError) {
        let failures = try await failures(of: sent.batch)
        progress.batches += 1
        progress.bytes += sent.batch.payload.count
        if failures.isEmpty, pending.isEmpty {
            progress.acknowledged += sent.batch.entries.count { $0.position > 0 }
            return
        }
        for entry in sent.batch.entries {
            let failure = failures[entry.position]
            if let failure, isFinal(failure, behind: pending) {
                // Lines count from 1; what only carries a state is of none.
                guard entry.position > 0 else { throw failure }
                refuse(
                    sent.mark.name, ImportRefusal(line: entry.position, reason: failure.message))
            } else if !pending.take(entry, of: sent.mark.name, failure: failure) {
                progress.acknowledged += entry.position > 0 ? 1 : 0
            }
        }
    }

    /// Whether an operation is refused for good.
    ///
    /// - Parameter pending: what goes out again before it, and may make the index.
    private func isFinal(_ failure: SearchError, behind pending: PendingOperations) -> Bool {
        switch failure.code {
        case .mismatchedClientState: false
        case .unknownIndex: pending.isEmpty
        default: !failure.isRetriable
        }
    }

    /// Why operations of a batch were not carried out, by their lines.
    private func failures(of batch: SentBatch) async throws(SearchError) -> [Int: SearchError] {
        var failures: [Int: SearchError] = [:]
        do throws(SearchError) {
            for (entry, error) in try await batch.outcome().refused {
                failures[entry.position] = error
            }
            index.acknowledge(batch)
            known.noteIndex()
        } catch {
            // There is no index, and nothing of the batch could make one: its lines are refused,
            // and one that comes later may still make it. One that was there was removed, and what
            // is left of this import would make half of it anew.
            if error.code == .unknownIndex, !known.forget() { throw removal }
            // Behind a batch that failed, states are other ones than were expected.
            let isContested = error.code == .mismatchedClientState
            guard error.isRetriable || isContested || error.code == .unknownIndex else {
                throw error
            }
            if isContested { known.isContested = true }
            // Nothing of the batch is promised.
            for entry in batch.entries { failures[entry.position] = error }
        }
        return failures
    }

    /// Sends operations again until none is refused for now, or the attempts are used up.
    private func sendAgain(_ refused: PendingOperations) async throws(SearchError) {
        var pending = refused
        for _ in 1..<ClientLimits.importAttempts {
            try await reconcileState()
            let again = try batches(of: pending)
            pending = PendingOperations()
            for sent in again { try await take(sent, &pending) }
            if pending.isEmpty { return }
        }
        guard let failure = pending.firstFailure else { return }
        throw failure.code == .mismatchedClientState ? rivalry : failure
    }

    /// Sends operations as batches of their own, none of two sources.
    private func batches(
        of pending: PendingOperations
    ) throws(SearchError) -> [(batch: SentBatch, mark: Mark)] {
        var sent: [(batch: SentBatch, mark: Mark)] = []
        var assembler = BatchAssembler(index)
        var name = ""
        func send() {
            guard let batch = sendBatch(of: &assembler) else { return }
            sent.append((batch, Mark(name: name, fingerprint: nil, lines: 0)))
        }
        for (source, entry) in pending.entries {
            if source != name { send() }
            name = source
            if try assembler.append(entry) { continue }
            send()
            let isAdded = try assembler.append(entry)
            precondition(isAdded, "line \(entry.position) fitted its batch before")
        }
        send()
        return sent
    }
}
