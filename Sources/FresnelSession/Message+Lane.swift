package import FresnelWire

extension Message {
    /// The lane this message travels on when it begins an exchange.
    ///
    /// Verbs that may use either lane overtake bulk on the control lane. What workers tell each
    /// other is bulk.
    package var lane: Lane {
        switch verb.rules.lanes {
        case .control, .either: .control
        case .data, .transfer: .data
        }
    }

    package var verb: Verb { command.verb }
}
