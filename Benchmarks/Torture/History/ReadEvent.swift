/// What was asked, and so what must be in a complete answer.
package enum ReadKind: Codable, Sendable, Equatable {
    /// Every document.
    case all
    /// The documents of one group.
    case group(String)
    /// The first few by version, greatest first.
    case newest(limit: Int)
    /// A few by relevance: whatever comes must be right, what does not come says nothing.
    case relevant(limit: Int)
    /// Documents by identifier.
    case keys([Int])
    /// How many there are.
    case count
    /// A followed answer with its changes applied, at one of its states.
    case followed
}

/// A document as an answer showed it.
package struct Observation: Codable, Sendable, Equatable, Hashable {
    /// The key.
    package var key: Int
    /// The version that was indexed whole; 0 where it does not say so.
    package var base: Int
    /// The version; 0 where its attributes contradict each other.
    package var version: Int

    /// Describes a document.
    package init(key: Int, base: Int, version: Int) {
        self.key = key
        self.base = base
        self.version = version
    }

    package init(from decoder: any Decoder) throws {
        var numbers = try decoder.unkeyedContainer()
        key = try numbers.decode(Int.self)
        base = try numbers.decode(Int.self)
        version = try numbers.decode(Int.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var numbers = encoder.unkeyedContainer()
        try numbers.encode(key)
        try numbers.encode(base)
        try numbers.encode(version)
    }
}

/// How a search ended.
package enum ReadOutcome: Codable, Sendable, Equatable {
    /// With a completion that says that nothing is missing.
    case complete
    /// With a completion that says that something is missing.
    case incomplete(String)
    /// With an error.
    case failed(String)
}

/// A search and its answer.
package struct ReadEvent: Codable, Sendable, Equatable {
    /// What was asked.
    package var kind: ReadKind
    /// The index.
    package var index: String
    /// When it was sent; of a followed answer, when it was searched first.
    package var started: Int64
    /// When the completion or the error came.
    package var ended: Int64
    /// The budget in seconds.
    package var budget: Int
    /// How it ended.
    package var outcome: ReadOutcome
    /// What the completion says was found; nil without one.
    package var found: Int?
    /// The hits in the order in which they came.
    package var observed: [Observation]

    /// Describes a search.
    package init(
        _ kind: ReadKind, index: String, started: Int64, ended: Int64, budget: Int = 20,
        outcome: ReadOutcome = .complete, found: Int? = nil, observed: [Observation]
    ) {
        self.kind = kind
        self.index = index
        self.started = started
        self.ended = ended
        self.budget = budget
        self.outcome = outcome
        self.found = found
        self.observed = observed
    }
}
