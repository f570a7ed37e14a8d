import Synchronization

/// A value for which tasks wait until it is as they need it.
final class Watched<Value: Sendable>: Sendable {
    private struct State {
        var value: Value
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    /// Begins with a value.
    init(_ value: Value) {
        state = Mutex(State(value: value))
    }

    /// The value as it is now.
    var value: Value { state.withLock { $0.value } }

    /// Changes the value and wakes those who wait.
    func update(_ change: (inout Value) -> Void) {
        let waiters = state.withLock { state in
            change(&state.value)
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Waits until the value gives an answer.
    func first<Answer>(_ answer: (Value) -> Answer?) async -> Answer {
        while true {
            if let answer = answer(value) { return answer }
            await withCheckedContinuation { continuation in
                let isLate = state.withLock { state in
                    // It may have changed since it was looked at.
                    if answer(state.value) != nil { return true }
                    state.waiters.append(continuation)
                    return false
                }
                if isLate { continuation.resume() }
            }
        }
    }
}
