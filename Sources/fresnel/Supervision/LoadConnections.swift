import FresnelClient

/// Connections of a load to one broker.
enum LoadConnections {
    /// Opens so many, lends them to `body`, and closes them in any case.
    ///
    /// They ask nothing again that was refused, so that refusals are seen.
    static func with<Answer>(
        _ count: Int, to endpoint: String?, isInsecure: Bool,
        _ body: ([SearchClient]) async throws -> Answer
    ) async throws -> Answer {
        var clients: [SearchClient] = []
        do {
            for _ in 0..<count {
                clients.append(
                    try await SearchClient.connect(
                        to: endpoint, name: "fresnel load", allowsPlaintext: isInsecure,
                        retriesRefusals: false))
            }
            let answer = try await body(clients)
            for client in clients { await client.close() }
            return answer
        } catch {
            for client in clients { await client.close() }
            throw error
        }
    }
}
