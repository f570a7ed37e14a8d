/// Effects in the order in which they were decided.
///
/// Carrying one out can lead to a new decision: a send finds that its peer is gone. The effects of
/// that decision come after those that are already due, or they would overtake them: a completion
/// would be sent before the last hits.
package struct EffectQueue<Effect: Sendable>: Sendable {
    private var due: [Effect] = []
    /// How many of them are carried out.
    private var done = 0
    private var isBusy = false

    package init() {}

    /// Adds effects; true when the caller must carry out what is due, false when somebody further
    /// up the stack does.
    package mutating func add(_ effects: [Effect]) -> Bool {
        due.gather(effects)
        guard !isBusy, done < due.count else { return false }
        isBusy = true
        return true
    }

    /// The next effect; nil when nothing is due any more and the caller is done.
    package mutating func next() -> Effect? {
        guard done < due.count else {
            due = []
            done = 0
            isBusy = false
            return nil
        }
        done += 1
        return due[done - 1]
    }
}
