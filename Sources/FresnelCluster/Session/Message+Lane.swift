package import FresnelWire

extension Message {
    /// The lane this message travels on when it begins an exchange: verbs that may use either lane
    /// overtake bulk on the control lane.
    package var lane: Lane {
        switch verb.rules.lanes {
        case .control, .either: .control
        case .data: .data
        }
    }

    package var verb: Verb { command.verb }
}
