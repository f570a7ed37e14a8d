extension WireFailure {
    /// A failure with a registered code, and the sentence for people.
    package init(_ code: ErrorCode, _ message: String, retryAfterMilliseconds: UInt32 = 0) {
        self.init()
        self.code = code.number
        self.message = message
        retriable = code.isRetriable
        retryAfterMs = retryAfterMilliseconds
    }

    /// What is told to a peer that sent something unreadable.
    package init(_ error: WireError) { self.init(error.code, "\(error)") }

    /// The registered code; nil for a number from a newer peer.
    package var errorCode: ErrorCode? { ErrorCode(number: code) }
}
