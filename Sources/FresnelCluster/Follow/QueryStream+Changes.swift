import FresnelWire

extension QueryStream {
    /// Whether a round of changes, or the second round of facets, lacks a part.
    ///
    /// Nothing is delivered then: a try goes on behind the last change that was sent, so no change
    /// may be sent while one before it is missing.
    var isBroken: Bool {
        guard plan.changes != nil || plan.isRest else { return false }
        return parts.contains { part in
            !part.isOpen && part.reports.contains { $0.status != .complete }
        }
    }
}
