import FresnelQuery
package import FresnelWire

extension WireFailure {
    /// A failure with its code's retry rule.
    package init(_ code: ErrorCode, _ message: String) {
        self.init()
        self.code = code.number
        self.message = message
        retriable = code.isRetriable
    }

    /// What a client learns about a query that was not understood.
    package init(_ refusal: PlanRefusal) {
        switch refusal {
        case .badOption(let text):
            self.init(.invalidArgument, text)
        case .cursor(let refusal):
            self.init(refusal.code, refusal.description)
        case .invalidQuery(let error):
            self.init(.invalidQuery, error.description)
            offset = UInt32(error.offset)
            expected = error.expected
            found = error.found
            hint = error.hint ?? ""
        }
    }
}
