import FresnelClient
import FresnelModel
import FresnelQuery

extension SearchRun {
    /// Connects for a search; where that fails, the answer is a completion that says so.
    static func connected(
        _ connection: ClientOptions, to output: some HitOutput,
        _ body: (SearchClient) async throws -> ExitStatus
    ) async throws -> ExitStatus {
        var isConnected = false
        do {
            return try await connection.withClient { client in
                isConnected = true
                return try await body(client)
            }
        } catch let error as SearchError where !isConnected {
            fail(error, output)
            throw error
        }
    }

    /// Refuses a request that no cluster could answer, with a completion, before one is asked.
    ///
    /// Keys that an index declares are unknown here: only what is wrong whatever they are counts.
    static func check(_ request: SearchRequest, for output: some HitOutput) throws {
        do throws(SearchError) {
            try request.validate()
        } catch {
            fail(error, output)
            throw error
        }
        for query in [request.query] + request.filters {
            do throws(QueryError) {
                _ = try QueryParser.parse(query, options: ParseOptions())
            } catch  where !dependsOnTypes(error) {
                fail(SearchError(error), output)
                throw QueryComplaint(error, in: query)
            } catch {
                // The cluster knows whether the attribute is a Boolean one.
                continue
            }
        }
    }

    /// Every answer ends with its completion, also one that never began.
    private static func fail(_ error: SearchError, _ output: some HitOutput) {
        var output = output
        var failed = Completion(status: .failed, shards: [])
        failed.error = error
        output.finish(failed)
    }

    /// Whether a declared key could make the query valid: Booleans have an order, texts have none.
    private static func dependsOnTypes(_ error: QueryError) -> Bool {
        ["the text 'true'", "the text 'false'"].contains(error.found)
    }
}

extension SearchError {
    /// What the cluster would say about an invalid query.
    fileprivate init(_ error: QueryError) {
        self.init(
            .invalidQuery, "invalid query: expected \(error.expected), found \(error.found)",
            offset: error.offset, underlying: error)
        hint = error.hint
    }
}
