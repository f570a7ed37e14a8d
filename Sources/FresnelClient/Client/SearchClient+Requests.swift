import FresnelWire

extension SearchClient {
    /// Starts a search at once; hits and completion come from the returned query.
    ///
    /// A request that is not valid is not sent: the query then ends with that error.
    public func search(_ request: SearchRequest) -> SearchQuery {
        SearchQuery(request, on: connection)
    }

    /// How many documents match, exactly.
    ///
    /// - Throws: `SearchError`, also when not every shard could be asked.
    public func count(
        _ query: String, indexes: [IndexName] = []
    ) async throws(SearchError) -> Int {
        var request = SearchRequest(query)
        request.isCountOnly = true
        request.indexes = indexes
        let completion = try await search(request).completion()
        try completion.requireWhole()
        return Int(clamping: completion.found)
    }

    /// How many documents match a built query, exactly.
    public func count(
        _ query: Query, indexes: [IndexName] = []
    ) async throws(SearchError) -> Int {
        try await count(query.queryString, indexes: indexes)
    }

    /// The documents with these identifiers, in the order of the identifiers; unknown ones are left
    /// out.
    ///
    /// - Throws: `SearchError`, also when not every shard could be asked.
    public func get(
        _ identifiers: [String], indexes: [IndexName] = []
    ) async throws(SearchError) -> [Document] {
        let (documents, completions) = try await fetch(
            identifiers, indexes: indexes, coverage: .all)
        for completion in completions { try completion.requireWhole() }
        return documents.map(\.document)
    }

    /// The documents with these identifiers as far as they can be had, in the order of the
    /// identifiers, and what was searched for them, one completion a request.
    ///
    /// - Parameter now: what has not expired then; nil lets the broker read its clock.
    /// - Throws: `SearchError` when a request could not be made at all.
    package func fetch(
        _ identifiers: [String], indexes: [IndexName] = [], coverage: SearchCoverage = .any,
        now: Timestamp? = nil
    ) async throws(SearchError) -> (documents: [StoredDocument], completions: [Completion]) {
        var found: [StoredDocument] = []
        var completions: [Completion] = []
        for start in stride(from: 0, to: identifiers.count, by: Limits.fetchedIdentifiers) {
            let end = min(start + Limits.fetchedIdentifiers, identifiers.count)
            var request = SearchRequest(identifiers: Array(identifiers[start..<end]))
            request.indexes = indexes
            request.coverage = coverage
            request.now = now
            request.tellsExpirations = true
            let query = search(request)
            while let batch = try await query.stream.next() {
                found += try query.stream.documents(of: batch.whole)
            }
            completions.append(try await query.completion())
        }
        return (found.inOrder(of: identifiers), completions)
    }

    /// What the cluster says about itself.
    public func status() async throws(SearchError) -> ClusterStatus {
        ClusterStatus(try await connection.status(budget: Limits.deadlineDefault))
    }

    /// What a rebalance would move now, or, with a worker, what draining it would; changes nothing.
    public func plan(draining worker: String? = nil) async throws(SearchError) -> MovePlan {
        try await plan(worker == nil ? .show : .drain, of: worker, isDryRun: true)
    }

    /// Moves replicas until every worker holds its share, and all off workers that are drained.
    ///
    /// Returns as soon as the plan is durable; `status()` tells how the moves go on.
    public func rebalance() async throws(SearchError) -> MovePlan {
        try await plan(.rebalance)
    }

    /// Takes every replica off a worker and gives it no others, until `undrain`, also when it is
    /// away.
    ///
    /// - Throws: `SearchError` of code `.unknownWorker`, `.tooFewWorkers`, or `.shardUnavailable`
    ///   where a worker that is away has the only copy of something.
    public func drain(_ worker: String) async throws(SearchError) -> MovePlan {
        try await plan(.drain, of: worker)
    }

    /// Lets a drained worker hold replicas again, and takes back moves that did not come far.
    ///
    /// - Throws: `SearchError` of code `.unknownWorker` when it is not drained.
    public func undrain(_ worker: String) async throws(SearchError) -> MovePlan {
        try await plan(.undrain, of: worker)
    }

    private func plan(
        _ action: WirePlanAction, of worker: String? = nil, isDryRun: Bool = false
    ) async throws(SearchError) -> MovePlan {
        var request = WirePlanRequest()
        request.action = action
        request.worker = worker ?? ""
        request.dryRun = isDryRun
        return MovePlan(try await connection.plan(request, budget: Limits.writeBudgetDefault))
    }

    /// An index by its checked name; it is made by the first write.
    ///
    /// - Parameter expiration: when its documents expire that name no date. An index that is there
    ///   keeps the one that it was made with: writing into one with another is refused with code
    ///   `.indexExists`. Nil takes what the broker makes indexes with, or the index has.
    public func index(
        _ name: IndexName = .standard, expiration: ExpirationPolicy? = nil
    ) -> SearchableIndex {
        SearchableIndex(name, on: connection, expiration: expiration)
    }

    /// An index by name.
    ///
    /// - Throws: `SearchError` of code `.invalidArgument` when it cannot be the name of an index.
    public func index(named name: String) throws(SearchError) -> SearchableIndex {
        index(try IndexName(name))
    }
}

extension [StoredDocument] {
    /// The documents in the order of identifiers, each of which counts once; those that are spelled
    /// with other bytes are other identifiers.
    func inOrder(of identifiers: [String]) -> [StoredDocument] {
        var remaining: [[UInt8]: [StoredDocument]] = [:]
        for stored in self {
            let identifier = Array<UInt8>(stored.document.uniqueIdentifier.utf8)
            remaining[identifier, default: []].append(stored)
        }
        return identifiers.flatMap { remaining.removeValue(forKey: Array<UInt8>($0.utf8)) ?? [] }
    }
}

extension Completion {
    /// Throws why the answer is not whole, if it is not.
    func requireWhole() throws(SearchError) {
        if let error { throw error }
        guard !isComplete else { return }
        let whole = shards.count(where: \.isWhole)
        let code: SearchError.Code =
            switch status {
            case .cancelled: .cancelled
            case .deadline: .budgetExhausted
            case .complete, .incomplete, .failed: .indexUnreachable
            }
        throw SearchError(code, "only \(whole) of \(shards.count) shards were searched whole")
            .hinting("ask again, or search with a lower coverage for what there is")
    }
}
