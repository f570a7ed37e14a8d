/// What a client keeps for itself.
enum ClientLimits {
    /// Undeclared keys of texts in an index that `**` covers: a query looks into each.
    static let inferredTextKeys = 64
    /// Requests that may wait for an answer: far above what a broker serves one client at once.
    static let requests = 4096
    /// Mail that may wait for the connection's thread: every request, its grants and its cancel.
    static let mailboxCapacity = 16_384
    /// Batches that one call or import keeps on their way: above it more do not go faster.
    static let batchesInFlight = 8
    /// Bytes of documents that a batch may gather before its end.
    static let gatheredBytes = 64 << 20
    /// Attempts at a batch whose failure may pass.
    static let importAttempts = 3
    /// Attempts at taking over the client state, each behind the batches that were sent before it:
    /// those of an import that was killed end meanwhile.
    static let stateAttempts = 16
}
