import FresnelWire

/// Operations that are committed together with a client state.
///
///     var batch = try await index.makeBatch()
///     try batch.index(document)
///     try batch.delete(identifier: "old")
///     let report = try await batch.end(clientState: new, expecting: old)
///
/// Nothing is sent before the end. The client state is stored only after every operation was
/// acknowledged, so it never says more than the index holds. A batch that is too large for one
/// message travels as several, of which the last carries the state.
public struct WriteBatch: Sendable {
    private let target: SearchableIndex
    private var operations: [BatchOperation] = []
    private var byteCount = 0

    init(_ target: SearchableIndex) {
        self.target = target
    }

    /// How many operations were added.
    public var count: Int { operations.count }

    /// Adds a whole document.
    ///
    /// - Throws: `SearchError` when the document is not valid or the batch is too large.
    public mutating func index(_ document: Document) throws(SearchError) {
        try add(.index(document), bytes: document.contentBytes)
    }

    /// Adds a change to a document.
    ///
    /// - Throws: `SearchError` when the patch is not valid or the batch is too large.
    public mutating func update(_ patch: DocumentPatch) throws(SearchError) {
        try add(.update(patch), bytes: patch.contentBytes)
    }

    /// Adds the deletion of one document.
    ///
    /// - Throws: `SearchError` when the identifier is not valid or the batch is too large.
    public mutating func delete(identifier: String) throws(SearchError) {
        try add(.deleteIdentifier(identifier), bytes: identifier.utf8.count)
    }

    /// Adds the deletion of a domain and the domains below it.
    ///
    /// - Throws: `SearchError` when the domain is not valid or the batch is too large.
    public mutating func delete(domain: String) throws(SearchError) {
        try add(.deleteDomain(domain), bytes: domain.utf8.count)
    }

    /// Commits all operations, then the state.
    ///
    /// - Parameters:
    ///   - clientState: what `fetchLastClientState` returns from now on.
    ///   - expecting: what it must return at present; empty bytes for "nothing", nil for anything.
    /// - Returns: what became of each operation, by the order in which they were added.
    /// - Throws: `SearchError` of code `.mismatchedClientState` when the stored state is another,
    ///   and then nothing was carried out; other codes when a message as a whole failed, or when an
    ///   operation may succeed later: the state is not committed then, and `end` can be called
    ///   again.
    public func end(
        clientState: ClientState, expecting: ClientState? = nil
    ) async throws(SearchError) -> WriteReport {
        var commit = BatchCommit(target, expecting: expecting)
        for (position, operation) in operations.enumerated() {
            try await commit.add(
                SentBatch.Entry(operation: .operation(operation), position: position))
        }
        return try await commit.finish(state: clientState)
    }

    private mutating func add(
        _ operation: BatchOperation, bytes: Int
    ) throws(SearchError) {
        guard byteCount + bytes <= ClientLimits.gatheredBytes else {
            throw SearchError(
                .tooLarge,
                "a batch of more than \(ClientLimits.gatheredBytes) bytes cannot be gathered"
            ).hinting("end it, and begin another with its state")
        }
        operations.append(try target.prepare(operation))
        byteCount += bytes
    }
}

extension SearchableIndex {
    /// Begins a batch that will be committed with a client state.
    ///
    /// - Throws: `SearchError` when the attributes of the index cannot be fetched.
    public func makeBatch() async throws(SearchError) -> WriteBatch {
        try await loadSchema()
        return WriteBatch(self)
    }
}
