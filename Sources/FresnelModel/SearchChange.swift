/// One thing that changed of a followed answer.
///
/// Changes come in rounds, each ended by `reached`; in a round removals come first. A document that
/// was updated is removed as it was and added as it is.
public enum SearchChange: Hashable, Sendable {
    /// A hit that is no longer part of the answer, as it was.
    case removed(Hit, index: IndexName)
    /// A hit that has become part of the answer.
    case added(Hit, index: IndexName)
    /// The answer with all changes up to here is the answer of a search at this state.
    case reached(SearchState)
}

/// A state of the searched indexes up to which a followed answer is known.
public struct SearchState: Hashable, Sendable {
    /// The newest batch that the state before contained, by index.
    public var former: [IndexName: SequenceNumber] = [:]
    /// The newest batch contained, by index.
    public var snapshot: [IndexName: SequenceNumber]
    /// What had expired by then is gone from the answer.
    public var now: Timestamp
    /// Hits that were added since the state before.
    public var added: UInt64
    /// Hits that were removed since the state before.
    public var removed: UInt64

    /// Names a state.
    public init(
        snapshot: [IndexName: SequenceNumber], now: Timestamp, added: UInt64 = 0,
        removed: UInt64 = 0
    ) {
        self.snapshot = snapshot
        self.now = now
        self.added = added
        self.removed = removed
    }
}
