import FresnelWire

extension SearchError {
    /// A failure as it came over the wire; both sides share one registry of codes.
    init(_ failure: WireFailure) {
        let code = Code(rawValue: failure.code)
        self.init(
            code, failure.message.isEmpty ? "the cluster gave no reason" : failure.message,
            offset: failure.hasOffset ? Int(failure.offset) : nil)
        isRetriable = failure.retriable || code.isUsuallyRetriable
        if !failure.hint.isEmpty { hint = failure.hint }
    }

    /// The refusal of one item.
    init(_ result: WireItemResult) {
        self.init(Code(rawValue: result.code), result.message)
    }

    /// Bytes from the cluster that cannot be read.
    init(unreadable error: WireError) {
        self.init(.malformedMessage, "the broker sent an \(error)", underlying: error)
    }
}
