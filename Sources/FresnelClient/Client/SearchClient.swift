/// A connection to a cluster: the door to searching and indexing.
///
///     let client = try await SearchClient.connect()
///     let query = client.search(SearchRequest(.everything("apple pie")))
///     for try await hit in query.hits { print(hit.uniqueIdentifier) }
///     let completion = try await query.completion()
///
/// May be used by any number of tasks. When the broker goes away the client comes back to it by
/// itself; requests that wait longer than `connectTimeout` for that fail and can be made again.
public final class SearchClient: Sendable {
    /// Where the broker listens when nobody says otherwise.
    public static let standardEndpoint = "tcp://127.0.0.1:7700"

    /// The variable of the environment that names another endpoint.
    public static let endpointVariable = "FRESNEL_BROKER"

    let connection: ClientConnection

    init(_ connection: ClientConnection) {
        self.connection = connection
    }

    /// The endpoint of the broker.
    public var endpoint: String { connection.settings.endpoint }

    /// The connection's own thread, for tasks that do little but ask and read.
    ///
    ///     try await withTaskExecutorPreference(client.taskExecutor) {
    ///         for query in queries { try await client.search(query).completion() }
    ///     }
    ///
    /// A task there goes on with what arrives without another thread being woken, which is half of
    /// the processor time of a small answer. The connection serves nobody meanwhile: what blocks
    /// its thread, or computes for longer than some milliseconds, belongs elsewhere.
    public var taskExecutor: any TaskExecutor { connection.tasks }

    /// Connects, and waits until the broker has answered.
    ///
    /// - Parameters:
    ///   - endpoint: `tcp://host:port`, `ipc://path`; nil takes `FRESNEL_BROKER` from the
    ///     environment, else the standard endpoint.
    ///   - name: shown in the status of the cluster.
    ///   - connectTimeout: how long to wait for a broker, now and whenever it went away.
    ///   - allowsPlaintext: whether an endpoint on another machine is acceptable although nothing
    ///     is encrypted.
    ///   - retriesRefusals: whether a query that an overloaded broker refuses is asked again after
    ///     a while: 256 times in a burst, and one query of ten. False fails it with `.busy`.
    /// - Throws: `SearchError` of code `.indexUnreachable` naming the endpoint when nobody answers
    ///   in time, `.invalidArgument` for an endpoint that cannot be used.
    public static func connect(
        to endpoint: String? = nil, name: String = "", connectTimeout: Duration = .seconds(2),
        allowsPlaintext: Bool = false, retriesRefusals: Bool = true
    ) async throws(SearchError) -> SearchClient {
        var settings = ClientConnection.Settings(
            endpoint: endpoint ?? ProcessVariables.value(of: endpointVariable) ?? standardEndpoint,
            name: name, connectTimeout: connectTimeout, allowsPlaintext: allowsPlaintext)
        settings.retriesRefusals = retriesRefusals
        let connection = try await ClientConnection.open(settings)
        do throws(SearchError) {
            // A little longer than the connecting, so that "no broker" is the reason given.
            _ = try await connection.status(budget: connectTimeout + .milliseconds(100))
        } catch {
            await connection.close()
            guard error.code == .indexUnreachable, error.hint == nil else { throw error }
            throw error.hinting(advice(isNamed: endpoint != nil))
        }
        return SearchClient(connection)
    }

    /// What to do where no broker answers, by who named the endpoint.
    private static func advice(isNamed: Bool) -> String {
        let isVariable = !isNamed && ProcessVariables.value(of: endpointVariable) != nil
        let place = isVariable ? "that is what \(endpointVariable) says; " : ""
        return "\(place)start one with `fresnel up`, or name another with "
            + "\(endpointVariable) or --broker"
    }

    /// Ends the connection; requests that wait fail.
    public func close() async {
        await connection.close()
    }
}

/// Connects, lends the client to `body`, and closes it afterwards in any case.
public func withSearchClient<Answer>(
    to endpoint: String? = nil, name: String = "", allowsPlaintext: Bool = false,
    _ body: (SearchClient) async throws -> Answer
) async throws -> Answer {
    let client = try await SearchClient.connect(
        to: endpoint, name: name, allowsPlaintext: allowsPlaintext)
    do {
        let answer = try await body(client)
        await client.close()
        return answer
    } catch {
        await client.close()
        throw error
    }
}
