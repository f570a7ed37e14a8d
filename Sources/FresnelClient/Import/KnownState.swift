/// What an import knows of the client state that is stored: one of those it has sent since the last
/// that was acknowledged, unless somebody else writes it, too.
struct KnownState {
    /// The state that was found or acknowledged last, and those sent since; oldest first.
    private var states: [[UInt8]]
    /// The import whose state this one has found and goes on from; nil for none.
    private(set) var predecessor: String?
    /// Whether a state of ours was ever stored.
    private(set) var hasStored = false
    /// Whether the index was there since this import began.
    private var hasIndex: Bool
    /// Whether a batch was refused because another state was stored, or is about to be.
    var isContested = false

    /// - Parameters:
    ///   - stored: as it was found; empty for none.
    ///   - owner: the import that wrote it.
    init(_ stored: [UInt8], owner: String?) {
        states = [stored]
        predecessor = owner
        hasIndex = !stored.isEmpty
    }

    /// The state that the next batch shall find.
    var expected: [UInt8] { states.last ?? [] }

    /// Takes in that a state goes out.
    mutating func send(_ state: [UInt8]) {
        guard state != expected else { return }
        states.append(state)
    }

    /// Takes in that there is no index: nothing that was sent is stored.
    ///
    /// False when there was one: it was removed, with what this import has put there.
    mutating func forget() -> Bool {
        guard !hasIndex else { return false }
        states = [[]]
        return true
    }

    /// Takes in that a batch was acknowledged.
    mutating func noteIndex() { hasIndex = true }

    /// Takes in that a state was stored: those before it are not any more.
    mutating func settle(_ state: [UInt8]) {
        guard let place = states.firstIndex(of: state) else { return }
        hasStored = true
        states.removeFirst(place)
    }

    /// Takes in what is stored while nothing is on its way; false when it is nothing of ours.
    mutating func find(_ stored: [UInt8]) -> Bool {
        guard states.contains(stored) else { return false }
        states = [stored]
        return true
    }

    /// Whether a state that was stored is gone and none is in its place: the index was emptied, or
    /// documents of it were given up as lost.
    func isGone(_ stored: [UInt8]) -> Bool { stored.isEmpty && !states.contains([]) }

    /// Takes in that a state of ours is stored in place of one that another import wrote, or of one
    /// of ours.
    ///
    /// - Parameter owner: the other import; nil for none, and for one that came later.
    mutating func takeOver(_ state: [UInt8], from owner: String?) {
        states = [state]
        isContested = false
        hasStored = true
        predecessor = owner ?? predecessor
    }
}
