import FresnelWire

// Each batch says which state it expects, so that a second import into the same index cannot put
// an older account of the first one's progress back, or one of a source that is complete. Where the
// state is another than expected, everything on its way is settled and the stored one read. It may
// be one of ours, behind a batch that failed; that of an import that was killed, whose last batches
// still end; or that of one that came later. It is taken over then, with its account of other
// sources. Only where it is that of the import from which this one had taken over, that one lives:
// it was here first, and this one ends and says so.

extension ImportSession {
    /// Sends what is gathered, with how far the sources are; without, where none is remembered.
    func sendBatch(of assembler: inout BatchAssembler) -> SentBatch? {
        guard !begun.isEmpty else { return assembler.send() }
        let state = token.bytes
        guard let batch = assembler.send(state: state, expecting: known.expected) else {
            return nil
        }
        known.send(state)
        return batch
    }

    /// Makes the stored state one that the next batch may expect; nothing is on its way.
    ///
    /// - Throws: `SearchError` of code `.mismatchedClientState` when another import, which was here
    ///   first, is at work, or when the state is gone.
    func reconcileState() async throws(SearchError) {
        guard !begun.isEmpty else { return }
        for attempt in 0..<ClientLimits.stateAttempts {
            if attempt > 0 { try await waitForEarlierBatches() }
            guard let stored = try await storedState() else { return }
            if known.isGone(stored) { throw await loss() }
            let found = ImportToken(try ClientState(stored))
            let isOurs = known.find(stored) || found.owner == name
            if known.expected == stored, !known.isContested { return }
            let isRival = !isOurs && known.hasStored
            if isRival, let owner = found.owner, owner == known.predecessor { throw rivalry }
            let merged = found.continued(by: token, of: begun)
            guard try await store(merged.bytes, insteadOf: stored) else { continue }
            token = merged
            known.takeOver(merged.bytes, from: isOurs || isRival ? nil : found.owner)
            return
        }
        throw rivalry
    }

    /// The stored state, empty for none; nil where the cluster cannot tell now, and nobody has
    /// contested it: then the next batch finds out.
    private func storedState() async throws(SearchError) -> [UInt8]? {
        do throws(SearchError) {
            return try await index.connection.clientState(of: index.name) ?? []
        } catch {
            guard error.isRetriable, !known.isContested else { throw error }
            return nil
        }
    }

    /// Waits until every shard has all that was sent to the index before, by whomever: what goes to
    /// all of them is acknowledged behind it.
    private func waitForEarlierBatches() async throws(SearchError) {
        var assembler = try assembler(of: .deleteDomain(SearchableIndex.nobody))
        guard let batch = assembler.send() else { return }
        if let refused = try await batch.outcome().refused.first { throw refused.error }
        index.acknowledge(batch)
    }

    private func assembler(of operation: BatchOperation) throws(SearchError) -> BatchAssembler {
        var assembler = BatchAssembler(index)
        _ = try assembler.append(SentBatch.Entry(operation: .operation(operation), position: 0))
        return assembler
    }

    /// Commits a state in place of the one that was read; false when it is another one by now.
    private func store(
        _ state: [UInt8], insteadOf stored: [UInt8]
    ) async throws(SearchError) -> Bool {
        var assembler = try assembler(of: .deleteIdentifier(SearchableIndex.nobody))
        guard let batch = assembler.send(state: state, expecting: stored) else { return false }
        do throws(SearchError) {
            let refused = try await batch.outcome().refused.first
            index.acknowledge(batch)
            if let refused { throw refused.error }
            return true
        } catch {
            guard error.code == .mismatchedClientState else { throw error }
            return false
        }
    }

    /// Why an import ends when nobody knows any more what of it is there.
    private func loss() async -> SearchError {
        let name = index.name.text
        // A guess is worse than a list: where the cluster cannot say, all that may be is named.
        let status = try? await index.connection.status(budget: Limits.deadlineDefault)
        let indexes = status.map { ClusterStatus($0).indexes }
        let target = indexes?.first { $0.aliases.contains(name) }
        guard target == nil, indexes?.contains(where: { $0.name == name }) != false else {
            return target.map { changeOver(to: $0.name) } ?? removal
        }
        return SearchError(
            .mismatchedClientState,
            "while this import ran, all documents of index \(name) were deleted, or some were "
                + "given up as lost, and with them how far it was"
        ).hinting("run it again: it begins anew")
    }

    /// Why an import through an alias ends when the index there knows nothing of it.
    private func changeOver(to target: String) -> SearchError {
        SearchError(
            .mismatchedClientState,
            "index \(target), to which alias \(index.name) leads, does not know this import: while "
                + "it ran the alias was led there from another index, which holds what was "
                + "imported before, or documents of \(target) were deleted or given up as lost"
        ).hinting("run it again: it begins anew, in \(target)")
    }

    /// Why an import ends whose index is not there any more.
    var removal: SearchError {
        SearchError(
            .unknownIndex,
            "index \(index.name) was removed while this import ran, with what it had put there"
        ).hinting("run it again if the index is to be there: it begins anew")
    }

    /// Why an import ends while another one is at work.
    var rivalry: SearchError {
        SearchError(
            .mismatchedClientState,
            "another import into index \(index.name) is under way, and an index remembers how far "
                + "one of them is"
        ).hinting(
            "run this one again when the other has ended: it goes on from what is acknowledged; "
                + "or give it its file as standard input (`fresnel index - < FILE`), which is "
                + "never remembered")
    }
}
