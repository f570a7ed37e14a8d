package import FresnelWire

extension WireFailure {
    /// A failure with its code's retry rule.
    package init(_ code: ErrorCode, _ message: String) {
        self.init()
        self.code = code.number
        self.message = message
        retriable = code.isRetriable
    }
}
