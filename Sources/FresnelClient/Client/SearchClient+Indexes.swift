import FresnelWire

/// What became of an index that was removed.
public struct IndexRemoval: Hashable, Sendable {
    /// Documents that it had.
    public let documents: UInt64
    /// Workers that are away and remove their part as soon as they are back.
    public let away: [WorkerID]
}

extension SearchClient {
    /// The indexes of the cluster, in order of name.
    ///
    /// - Throws: `SearchError` when the cluster cannot be asked.
    public func indexes() async throws(SearchError) -> [ClusterStatus.Index] {
        try await status().indexes
    }

    /// Makes an index without documents; the first document would make it, too.
    ///
    /// - Parameters:
    ///   - shards: into how many parts it is cut, for good; nil takes the broker's setting.
    ///   - replicas: how many copies each of them has; nil takes the broker's setting.
    ///   - expiration: when documents expire that name no date; nil takes the broker's setting.
    /// - Throws: `SearchError` of code `.indexExists` when an index or alias has the name.
    public func createIndex(
        _ name: IndexName, shards: Int? = nil, replicas: Int? = nil,
        expiration: ExpirationPolicy? = nil
    ) async throws(SearchError) {
        var change = WireChangeIndexes()
        change.action = .create
        change.index = name.text
        change.shardCount = try Self.count(shards, "shards")
        change.replication = try Self.count(replicas, "replicas")
        if let expiration { change.expirationSeconds = expiration.seconds }
        try await self.change(change)
    }

    /// Removes an index with all its documents, for good.
    ///
    /// Workers that are away remove their part when they are back. Searches that run are answered.
    ///
    /// - Parameter seen: what was looked at before; nil looks which index has the name now.
    /// - Throws: `SearchError` of code `.unknownIndex`, also where another index has the name by
    ///   now than the one that was seen, or `.indexInUse` while an alias leads to it.
    @discardableResult
    public func removeIndex(
        _ name: IndexName, seen: ClusterStatus.Index? = nil
    ) async throws(SearchError) -> IndexRemoval {
        var change = WireChangeIndexes()
        change.action = .remove
        change.index = name.text
        // A request that is sent again, to another broker, must not find the next of that name.
        let index: ClusterStatus.Index?
        if let seen { index = seen } else { index = try await status()[name] }
        if let index, index.name == name.text {
            (change.identityHigh, change.identityLow) = index.identity
        }
        let reply = try await self.change(change)
        return IndexRemoval(documents: reply.documents, away: reply.away.map(WorkerID.init))
    }

    /// Lets a name lead to an index from now on, in one step.
    ///
    /// Who asks for the name before reads the former index, who asks after it this one. Writes go
    /// there, too.
    ///
    /// - Returns: the index that the name led to before; nil for a new alias.
    /// - Throws: `SearchError` of code `.indexExists` where an index has the alias's name, or
    ///   `.unknownIndex`.
    @discardableResult
    public func setAlias(
        _ alias: IndexName, to index: IndexName
    ) async throws(SearchError) -> IndexName? {
        var change = WireChangeIndexes()
        change.action = .setAlias
        change.alias = alias.text
        change.index = index.text
        let former = try await self.change(change).former
        return former.isEmpty ? nil : try IndexName(former)
    }

    /// Takes an alias away; its index stays.
    ///
    /// - Returns: the index that it led to.
    /// - Throws: `SearchError` of code `.unknownIndex` when there is no such alias.
    @discardableResult
    public func removeAlias(_ alias: IndexName) async throws(SearchError) -> IndexName {
        var change = WireChangeIndexes()
        change.action = .removeAlias
        change.alias = alias.text
        return try IndexName(try await self.change(change).former)
    }

    @discardableResult
    private func change(
        _ change: WireChangeIndexes
    ) async throws(SearchError) -> WireIndexesChanged {
        try await connection.change(change, budget: Limits.writeBudgetDefault)
    }

    private static func count(_ number: Int?, _ what: String) throws(SearchError) -> UInt32 {
        guard let number else { return 0 }
        guard let count = UInt32(exactly: number), count > 0 else {
            throw SearchError(.invalidArgument, "\(number) \(what); there is at least one")
        }
        return count
    }
}
