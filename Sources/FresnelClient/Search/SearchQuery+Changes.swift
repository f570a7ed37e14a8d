import FresnelSession

extension SearchQuery {
    /// What changes of a followed answer, from its completion on.
    ///
    /// Waits for the completion first; take the hits before, or they are dropped. The changes end
    /// when the query is cancelled, or with an error when the cluster ends them: the broker was
    /// lost, or the versions between two states were merged away because the changes were not taken
    /// for longer than the workers keep versions (`.cursorExpired`). Then search again.
    ///
    ///     var request = SearchRequest("keywords == \"fruit\"")
    ///     request.delivery = .found
    ///     request.isFollowed = true
    ///     let query = client.search(request)
    ///     for try await hit in query.hits { answer.insert(hit) }
    ///     for try await change in query.changes {
    ///         switch change {
    ///         case .removed(let hit, _): answer.remove(hit)
    ///         case .added(let hit, _): answer.insert(hit)
    ///         case .reached(let state): show(answer, at: state)
    ///         }
    ///     }
    public var changes: Changes { Changes(query: self) }

    /// The changes of a followed answer, one by one.
    public struct Changes: AsyncSequence, Sendable {
        /// One change.
        public typealias Element = SearchChange
        /// Why the changes end early.
        public typealias Failure = SearchError

        let query: SearchQuery

        /// Begins to take changes; only the first iterator of a query gets any.
        public func makeAsyncIterator() -> Iterator { Iterator(ChangeConsumer(query)) }

        /// Takes changes; the query is cancelled when it goes before the end.
        public struct Iterator: AsyncIteratorProtocol {
            private var elements: SinglyTaken<SearchChange>

            init(_ consumer: ChangeConsumer) {
                elements = SinglyTaken { () async throws(SearchError) in
                    try await consumer.next()
                }
            }

            /// The next change; nil after the end.
            public mutating func next() async throws(SearchError) -> SearchChange? {
                try await elements.next()
            }

            /// The next change; nil after the end.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(SearchError) -> SearchChange? {
                try await next()
            }
        }
    }

    /// The one who takes changes; the query ends with it.
    final class ChangeConsumer {
        private let query: SearchQuery
        private let isFirst: Bool

        init(_ query: SearchQuery) {
            self.query = query
            isFirst = query.stream.claimChanges()
        }

        deinit {
            if isFirst { query.cancel() }
        }

        func next() async throws(SearchError) -> [SearchChange]? {
            guard isFirst else {
                throw SearchError(
                    .wrongState, "the changes of this query are taken already; search again")
            }
            return try await query.stream.nextChanges(
                withDomain: query.wants("domainIdentifier"))
        }
    }
}
