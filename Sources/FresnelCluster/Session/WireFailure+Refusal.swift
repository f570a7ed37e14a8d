import FresnelQuery
package import FresnelWire

extension WireFailure {
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
