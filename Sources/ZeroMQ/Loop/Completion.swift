/// A value that arrives once and that any number of tasks may wait for.
final class Completion<Value: Sendable>: Sendable {
    private enum State {
        case open([CheckedContinuation<Value, Never>])
        case finished(Value)
    }

    private let state = Guarded(State.open([]))

    /// Sets the value; the first call counts.
    func finish(_ value: Value) {
        let waiting = state.withLock { state -> [CheckedContinuation<Value, Never>] in
            guard case .open(let waiting) = state else { return [] }
            state = .finished(value)
            return waiting
        }
        for continuation in waiting { continuation.resume(returning: value) }
    }

    /// The value, as soon as it is there.
    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let finished = state.withLock { state -> Value? in
                switch state {
                case .open(let waiting):
                    state = .open(waiting + [continuation])
                    return nil
                case .finished(let value):
                    return value
                }
            }
            if let finished { continuation.resume(returning: finished) }
        }
    }
}
