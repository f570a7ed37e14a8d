extension WireFailure {
    /// What is told to a peer that sent something unreadable.
    package init(_ error: WireError) {
        self.init()
        code = error.code.number
        message = "\(error)"
        retriable = error.code.isRetriable
    }
}
