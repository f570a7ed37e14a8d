import FresnelModel
import FresnelWire

/// What arrives of a followed answer after its completion, until the one consumer takes it.
///
/// Bounded by the query's credit: hits use it, and markers that nobody took are one.
struct ChangeBuffer {
    /// One thing that arrived.
    enum Piece {
        case hits(items: UInt64, payload: [UInt8])
        case reached(WireReached)
    }

    /// Where the following stands.
    enum Phase {
        /// There is no completion yet, or the query is not followed.
        case idle
        case following
        /// Nothing more comes; an error says why, unless the application ended it.
        case ended(SearchError?)
    }

    private(set) var pieces: [Piece] = []
    var phase = Phase.idle
    var isClaimed = false
    var consumer: CheckedContinuation<Void, Never>?
    /// Whether the application cancelled the query.
    var isUnwanted = false

    /// Takes in what arrived.
    mutating func take(_ changes: WireChanges, _ payload: [UInt8]) {
        guard case .following = phase else { return }
        if changes.items > 0 {
            pieces.append(.hits(items: changes.items, payload: payload))
        }
        guard changes.hasReached else { return }
        var reached = changes.reached
        if case .reached(let former)? = pieces.last {
            reached.from = former.from
            reached.added = reached.added.saturatingAdding(former.added)
            reached.removed = reached.removed.saturatingAdding(former.removed)
            pieces.removeLast()
        }
        pieces.append(.reached(reached))
    }

    /// The next piece; nil when there is none.
    mutating func next() -> Piece? { pieces.isEmpty ? nil : pieces.removeFirst() }

    /// Ends the following; the first end counts.
    mutating func end(_ error: SearchError?) -> CheckedContinuation<Void, Never>? {
        if case .ended = phase { return nil }
        phase = .ended(error)
        defer { consumer = nil }
        return consumer
    }
}
