import FresnelModel

/// Names one write to one document.
struct StepName: Hashable {
    let identifier: String
    let number: Int
}

/// What the clients know about what they wrote: which contents an answer may show.
///
/// Each document belongs to one client, whose batches keep their order. So what may be seen of it
/// is what the newest acknowledged write made of it, or what any later write would make of it.
struct Oracle {
    enum Outcome: Equatable {
        case pending
        case acknowledged(Instant)
        /// Failed: it may have been carried out all the same.
        case unknown
        /// Refused for good: it changed nothing.
        case refused
    }

    struct Step {
        let issuedAt: Instant
        /// Nil for a deletion.
        let document: Document?
        var outcome = Outcome.pending
    }

    private(set) var steps: [String: [Step]] = [:]
    private(set) var states: [(state: [UInt8], issuedAt: Instant, outcome: Outcome)] = []

    mutating func write(_ document: Document?, to identifier: String, at now: Instant) -> StepName {
        steps[identifier, default: []].append(Step(issuedAt: now, document: document))
        return StepName(identifier: identifier, number: (steps[identifier]?.count ?? 1) - 1)
    }

    mutating func settle(_ step: StepName, as outcome: Outcome) {
        steps[step.identifier]?[step.number].outcome = outcome
    }

    mutating func writeState(_ state: [UInt8], at now: Instant) {
        states.append((state, now, .pending))
    }

    mutating func settleState(_ state: [UInt8], as outcome: Outcome) {
        for number in states.indices where states[number].state == state {
            states[number].outcome = outcome
        }
    }

    var identifiers: [String] { steps.keys.sorted() }

    /// What a query asked at `start` and ended at `end` may show of a document; nil is its absence.
    func allowed(_ identifier: String, asked start: Instant, ended end: Instant) -> [Document?] {
        let steps = steps[identifier] ?? []
        let newest = steps.lastIndex { step in
            guard case .acknowledged(let instant) = step.outcome else { return false }
            return instant <= start
        }
        let later = steps[(newest.map { $0 + 1 } ?? 0)...].filter {
            $0.issuedAt <= end && $0.outcome != .refused
        }
        let base: Document? = newest.flatMap { steps[$0].document }
        return [base] + later.map(\.document)
    }

    /// The client states that may be stored.
    func allowedStates(asked start: Instant, ended end: Instant) -> [[UInt8]?] {
        let newest = states.lastIndex { state in
            guard case .acknowledged(let instant) = state.outcome else { return false }
            return instant <= start
        }
        let later = states[(newest.map { $0 + 1 } ?? 0)...].filter { $0.issuedAt <= end }
        return [newest.map { states[$0].state }] + later.map { $0.state }
    }
}
