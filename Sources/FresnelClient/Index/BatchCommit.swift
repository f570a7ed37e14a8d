import FresnelWire

/// Sends the messages of one batch one after the other; the last one commits the state.
///
/// An operation that is refused for now ends the batch before the state is sent: otherwise the
/// state would say more than the index holds.
struct BatchCommit {
    private let index: SearchableIndex
    private let expecting: ClientState?
    private var assembler: BatchAssembler
    private var report = WriteReport()

    init(_ index: SearchableIndex, expecting: ClientState?) {
        self.index = index
        self.expecting = expecting
        assembler = BatchAssembler(index)
    }

    mutating func add(_ entry: SentBatch.Entry) async throws(SearchError) {
        if try assembler.append(entry) { return }
        try await settle(assembler.send(expecting: expecting?.bytes))
        let isAdded = try assembler.append(entry)
        precondition(isAdded, "an empty batch has no room for operation \(entry.position)")
    }

    mutating func finish(state: ClientState) async throws(SearchError) -> WriteReport {
        if assembler.isEmpty { try appendNothing() }
        try await settle(assembler.send(state: state.bytes, expecting: expecting?.bytes))
        report.refusals.sort { $0.position < $1.position }
        return report
    }

    /// A state travels with an operation; deleting what does not exist is one nobody notices.
    private mutating func appendNothing() throws(SearchError) {
        let nobody = BatchOperation.deleteIdentifier(SearchableIndex.nobody)
        _ = try assembler.append(SentBatch.Entry(operation: .operation(nobody), position: -1))
        report.applied -= 1
    }

    private mutating func settle(_ batch: SentBatch?) async throws(SearchError) {
        guard let batch else { return }
        let outcome = try await batch.outcome()
        index.acknowledge(batch)
        let failure = outcome.refused.first { $0.error.isRetriable }
        if let failure { throw failure.error.breaking(failure.entry) }
        report.applied += outcome.applied
        report.deleted += outcome.deleted
        report.refusals += outcome.refused.map { entry, error in
            ItemRefusal(
                position: entry.position, uniqueIdentifier: entry.operation.uniqueIdentifier,
                error: error)
        }
    }
}

extension SearchError {
    /// The same refusal as the reason why a batch was not committed.
    fileprivate func breaking(_ entry: SentBatch.Entry) -> SearchError {
        var error = self
        let identifier = entry.operation.uniqueIdentifier.map { " \"\($0)\"" } ?? ""
        error.message = """
            the batch was not committed, because item \(entry.position)\(identifier) was not \
            carried out: \(message)
            """
        if hint == nil { error.hint = "end it again; what is carried out already changes nothing" }
        return error
    }
}

extension SearchableIndex {
    /// An identifier that no document should have, for operations that shall do nothing.
    static let nobody = "org.fresnel.client.nobody"
}
