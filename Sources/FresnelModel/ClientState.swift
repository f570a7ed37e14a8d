/// What a client stores with a batch to know, after a restart, how far it came.
public struct ClientState: Hashable, Sendable {
    /// At most 250 bytes, opaque to the cluster.
    public let bytes: [UInt8]

    /// Makes a client state.
    ///
    /// - Throws: `SearchError` of code `.invalidClientState` when it is too long.
    public init(_ bytes: [UInt8]) throws(SearchError) {
        guard bytes.count <= Limits.clientStateBytes else {
            throw SearchError(
                .invalidClientState,
                """
                the client state has \(bytes.count) bytes; at most \(Limits.clientStateBytes) \
                are allowed
                """)
        }
        self.bytes = bytes
    }
}
