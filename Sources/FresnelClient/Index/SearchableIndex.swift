import FresnelWire
import ZeroMQ

/// One index of the cluster, for writing: documents in, patches, deletions.
///
/// A call returns when every operation is journaled by its shard and findable, or refused with a
/// reason of its own. An error thrown instead means that part of the call may not have been carried
/// out; making the call again is safe, because the same document again changes nothing.
public final class SearchableIndex: Sendable {
    /// The name of the index.
    public let name: IndexName
    /// Under which this handle numbers its batches.
    public let identity: ClientIdentity
    /// The expiration that the index is made with, or has; nil leaves it to the cluster.
    let expiration: ExpirationPolicy?
    let connection: ClientConnection
    private let book: Guarded<IndexBook>

    init(
        _ name: IndexName, on connection: ClientConnection, identity: ClientIdentity? = nil,
        lastBatchNumber: UInt64 = 0, expiration: ExpirationPolicy? = nil
    ) {
        let random = connection.freshID()
        self.name = name
        self.identity = identity ?? ClientIdentity(high: random.high, low: random.low)
        self.expiration = expiration
        self.connection = connection
        book = Guarded(IndexBook(lastNumber: lastBatchNumber))
    }

    /// Puts whole documents into the index, replacing those of the same identifiers.
    ///
    /// - Throws: `SearchError` when a batch as a whole failed, or the index's keys could not be
    ///   fetched.
    @discardableResult
    public func index(
        _ documents: some Sequence<Document>
    ) async throws(SearchError) -> WriteReport {
        // An array, which most callers have, is gone through without asking its type's witnesses
        // for each document.
        guard let all = documents as? [Document] else {
            return try await write(documents.lazy.map { .index($0) })
        }
        return try await write(all.lazy.map { .index($0) })
    }

    /// Changes some fields of documents that exist; a patch for one that does not changes nothing.
    ///
    /// - Throws: `SearchError` when a batch as a whole failed, or the index's keys could not be
    ///   fetched.
    @discardableResult
    public func update(
        _ patches: some Sequence<DocumentPatch>
    ) async throws(SearchError) -> WriteReport {
        try await write(patches.lazy.map { .update($0) })
    }

    /// Deletes documents by identifier; unknown ones are no error.
    ///
    /// - Throws: as `index`.
    @discardableResult
    public func delete(
        identifiers: some Sequence<String>
    ) async throws(SearchError) -> WriteReport {
        try await write(identifiers.lazy.map { .deleteIdentifier($0) })
    }

    /// Deletes the documents of these domains and of the domains below them.
    ///
    /// - Throws: as `index`.
    @discardableResult
    public func delete(domains: some Sequence<String>) async throws(SearchError) -> WriteReport {
        try await write(domains.lazy.map { .deleteDomain($0) })
    }

    /// Deletes the documents that match a query.
    ///
    /// A query for which a search would have a warning, as for an unknown attribute, deletes
    /// nothing: `titel != "x"` matches every document.
    ///
    /// - Parameter acceptsWarnings: whether the query is meant, whatever a search would warn of.
    /// - Throws: as `index`, and of code `.invalidQuery` when the query is empty or cannot be read,
    ///   or has a warning that is not accepted.
    @discardableResult
    public func delete(
        matching query: String, acceptsWarnings: Bool = false
    ) async throws(SearchError) -> WriteReport {
        guard !query.isEmpty else {
            throw SearchError(.invalidQuery, "the query is empty", offset: 0)
        }
        return try await write(
            CollectionOfOne(.deleteQuery(query)), acceptsWarnings: acceptsWarnings)
    }

    /// Deletes the documents that match a built query.
    ///
    /// - Parameter acceptsWarnings: as for a query in writing.
    /// - Throws: as for a query in writing.
    @discardableResult
    public func delete(
        matching query: Query, acceptsWarnings: Bool = false
    ) async throws(SearchError) -> WriteReport {
        try await delete(matching: query.queryString, acceptsWarnings: acceptsWarnings)
    }

    /// Empties the index and forgets its client state.
    ///
    /// - Throws: as `index`.
    @discardableResult
    public func deleteAll() async throws(SearchError) -> WriteReport {
        try await write(CollectionOfOne(.deleteAll))
    }

    private func write(
        _ operations: some Sequence<BatchOperation>, acceptsWarnings: Bool = false
    ) async throws(SearchError) -> WriteReport {
        var pipeline = WritePipeline(self, acceptsWarnings: acceptsWarnings)
        for (position, operation) in operations.enumerated() {
            if position == 0 { try await loadSchema() }
            try await pipeline.add(operation, position: position)
        }
        return try await pipeline.finish()
    }
}

extension SearchableIndex {
    /// The attributes of the index: the known ones and the declared keys.
    public func schema() async throws(SearchError) -> AttributeSchema {
        try await loadSchema()
        return book.withLock { $0.schema }
    }

    /// The client state that was committed last; nil when there is none.
    public func fetchLastClientState() async throws(SearchError) -> ClientState? {
        guard let bytes = try await connection.clientState(of: name) else { return nil }
        return try ClientState(bytes)
    }

    /// Declares custom attribute keys, with the flags that values alone do not tell.
    ///
    /// They are told to the cluster with the next write of this handle. Keys that are not declared
    /// are inferred from the first value they have.
    ///
    /// - Throws: `SearchError` of code `.invalidItem` when a key exists with other properties.
    public func declare(_ keys: [CustomAttributeKey]) async throws(SearchError) {
        try await loadSchema()
        do throws(SchemaError) {
            try book.withLock { (book) throws(SchemaError) in
                for key in keys { try book.declare(key) }
            }
        } catch {
            throw SearchError(error)
        }
    }

    /// Asks the cluster once for the keys that the index has, so that none is inferred otherwise.
    func loadSchema() async throws(SearchError) {
        guard !book.withLock({ $0.isLoaded }) else { return }
        let status = ClusterStatus(try await connection.status(budget: Limits.deadlineDefault))
        let schema = status.schema(of: name)
        book.withLock { if !$0.isLoaded { $0.load(schema) } }
    }

    /// Declares the texts that a document brings so that `**` covers them.
    func declareTexts(of document: Document) {
        book.withLock { $0.declareTexts(of: document) }
    }

    /// Checks an operation and remembers the keys that it adds.
    func prepare(_ operation: BatchOperation) throws(SearchError) -> BatchOperation {
        let schema = knownSchema
        let (prepared, keys) = try operation.prepared(in: schema)
        guard !keys.isEmpty else { return prepared }
        do throws(SchemaError) {
            try book.withLock { (book) throws(SchemaError) in
                for key in keys { try book.declare(key) }
            }
        } catch {
            throw SearchError(error)
        }
        return prepared
    }

    /// Checks an operation, remembers the keys that it adds, and encodes it where it is a plain
    /// document.
    func prepare(
        _ operation: BatchOperation, by encoder: inout PlainDocumentEncoder, _ types: PlainTypes
    ) throws(SearchError) -> PreparedOperation {
        if case .index(let document) = operation, let plain = encoder.encode(document, types) {
            return .document(plain)
        }
        return .operation(try prepare(operation))
    }

    /// The beginning of a batch.
    func head(keys: [WireCustomKey]) -> WirePut {
        var put = WirePut()
        put.index = name.text
        put.clientHigh = identity.high
        put.clientLow = identity.low
        put.customKeys = keys
        if let expiration { put.expirationSeconds = expiration.seconds }
        return put
    }

    /// The attributes of the index, as far as this handle knows them.
    var knownSchema: AttributeSchema { book.withLock { $0.schema } }

    /// What documents may hold that are encoded at once, as far as this handle knows.
    var plainTypes: PlainTypes { book.withLock { $0.plainTypes() } }

    var keysToSend: [WireCustomKey] { book.withLock { $0.keysToSend } }

    /// Numbers a batch and hands it to the connection, in one step.
    ///
    /// The cluster takes batches of a client in the order of their numbers only: between two steps
    /// another task could send a higher one, and this batch would be refused.
    func send(
        _ put: WirePut, payload: [UInt8]
    ) -> (put: WirePut, reply: Reply) {
        book.withLock { book in
            var put = put
            put.batchNumber = book.takeNumber()
            return (put, connection.put(put, payload: payload))
        }
    }

    func acknowledge(_ batch: SentBatch) {
        guard !batch.put.customKeys.isEmpty else { return }
        book.withLock { $0.acknowledge(batch.put.customKeys) }
    }
}

extension SearchableIndex {
    /// Starts a search of this index alone; hits and completion come from the returned query.
    public func search(_ request: SearchRequest) -> SearchQuery {
        var request = request
        request.indexes = [name]
        return SearchQuery(request, on: connection)
    }

    /// Starts a search of this index alone for a query string, with the defaults for all else.
    public func search(_ query: String) -> SearchQuery { search(SearchRequest(query)) }

    /// Starts a search of this index alone for a built query, with the defaults for all else.
    public func search(_ query: Query) -> SearchQuery { search(query.queryString) }

    /// How many documents of this index match, exactly.
    ///
    /// - Throws: `SearchError`, also when not every shard could be asked.
    public func count(_ query: String) async throws(SearchError) -> Int {
        try await SearchClient(connection).count(query, indexes: [name])
    }

    /// The documents of this index with these identifiers, in the order of the identifiers; unknown
    /// ones are left out.
    ///
    /// - Throws: `SearchError`, also when not every shard could be asked.
    public func get(_ identifiers: [String]) async throws(SearchError) -> [Document] {
        try await SearchClient(connection).get(identifiers, indexes: [name])
    }
}
