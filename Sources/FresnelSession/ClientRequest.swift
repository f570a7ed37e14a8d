import FresnelModel
import FresnelWire

/// One request of an application, from the call to the notice that ends it.
struct ClientRequest: Sendable {
    /// What was asked; enough to ask again.
    enum Kind: Sendable {
        case search(WireSearch)
        case put(WirePut, payload: [UInt8])
        case fetchState(index: String)
        case status
        case plan(WirePlanRequest)
        case changeIndexes(WireChangeIndexes)
        case snapshot(WireSnapshot)
    }

    /// Where the request stands.
    enum State: Hashable, Sendable {
        /// Not sent in this session yet; not before `notBefore`.
        case waiting(notBefore: Instant)
        case sent
    }

    let kind: Kind
    let deadline: Instant
    var state: State
    var attempt: UInt32 = 0
    /// The application no longer wants it.
    var isCancelled = false
    /// The query has its completion and is followed; its deadline is over then.
    var isFollowing = false
    /// CHANGES taken in.
    var nextChanges: UInt64 = 0
    /// FOUND batches taken in; a query that has some cannot be asked again unnoticed.
    var nextSequence: UInt64 = 0
    /// The newest credit the application granted.
    var credit: CreditWindow

    init(_ kind: Kind, at now: Instant, budget: Duration) {
        self.kind = kind
        deadline = now + budget
        state = .waiting(notBefore: now)
        switch kind {
        case .search(let search):
            credit = CreditWindow(items: search.creditItems, bytes: search.creditBytes)
        case .put, .fetchState, .status, .plan, .changeIndexes, .snapshot:
            credit = CreditWindow(items: 0, bytes: 0)
        }
    }

    /// Payload bytes that count against the write credit.
    var writeBytes: Int {
        switch kind {
        case .put(_, let payload): payload.count
        case .search, .fetchState, .status, .plan, .changeIndexes, .snapshot: 0
        }
    }

    /// Whether it must keep its place among the batches.
    var isPut: Bool {
        switch kind {
        case .put: true
        case .search, .fetchState, .status, .plan, .changeIndexes, .snapshot: false
        }
    }

    var isSearch: Bool {
        switch kind {
        case .search: true
        case .put, .fetchState, .status, .plan, .changeIndexes, .snapshot: false
        }
    }
}
