import FresnelModel
import FresnelWire

extension SearchQuery {
    /// The hits of a query, several at once.
    public struct Batches: AsyncSequence, Sendable {
        /// Hits that came together.
        public typealias Element = [Hit]
        /// Why a search ends early.
        public typealias Failure = SearchError

        let query: SearchQuery

        /// Begins to take hits; only the first iterator of a query gets any.
        public func makeAsyncIterator() -> Iterator { Iterator(Consumer(query)) }

        /// Takes hits; the query is cancelled when it goes before the end.
        public struct Iterator: AsyncIteratorProtocol {
            private let consumer: Consumer

            init(_ consumer: Consumer) { self.consumer = consumer }

            /// The next hits; nil after the last.
            public mutating func next() async throws(SearchError) -> [Hit]? {
                try await consumer.next()
            }

            /// The next hits; nil after the last.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(SearchError) -> [Hit]? {
                try await consumer.next()
            }
        }
    }

    /// The hits of a query, one by one.
    public struct Hits: AsyncSequence, Sendable {
        /// One hit.
        public typealias Element = Hit
        /// Why a search ends early.
        public typealias Failure = SearchError

        let query: SearchQuery

        /// Begins to take hits; only the first iterator of a query gets any.
        public func makeAsyncIterator() -> Iterator { Iterator(Consumer(query)) }

        /// Takes hits; the query is cancelled when it goes before the end.
        public struct Iterator: AsyncIteratorProtocol {
            private var elements: SinglyTaken<Hit>

            init(_ consumer: Consumer) {
                elements = SinglyTaken { () async throws(SearchError) in
                    try await consumer.next()
                }
            }

            /// The next hit; nil after the last.
            public mutating func next() async throws(SearchError) -> Hit? {
                try await elements.next()
            }

            /// The next hit; nil after the last.
            public mutating func next(
                isolation actor: isolated (any Actor)?
            ) async throws(SearchError) -> Hit? {
                try await next()
            }
        }
    }

    /// The one who takes hits; lets the query know when it goes.
    final class Consumer {
        private let query: SearchQuery
        private let isFirst: Bool

        init(_ query: SearchQuery) {
            self.query = query
            isFirst = query.stream.claim()
        }

        deinit {
            if isFirst { query.stream.release() }
        }

        func next() async throws(SearchError) -> [Hit]? {
            guard isFirst else {
                throw SearchError(
                    .wrongState, "the hits of this query are taken already; search again")
            }
            guard let batch = try await query.stream.next() else { return nil }
            return try query.stream.hits(
                of: batch, withDomain: query.wants("domainIdentifier"))
        }
    }
}

extension Hit {
    init(_ found: DecodedHit, in index: IndexName, withDomain: Bool) {
        let document = found.document
        self.init(
            uniqueIdentifier: document.uniqueIdentifier, index: index, kind: document.kind,
            score: found.score, attributes: document.attributes)
        explanation = found.explanation
        highlights = found.highlights
        // Domains live beside the attributes, but can be asked for like one.
        if withDomain, let domain = document.domainIdentifier {
            attributes["domainIdentifier"] = .string(domain)
        }
    }
}
