import Synchronization

/// Waits for the end of a process, whether or not the waiting task is cancelled.
final class ProcessEnd: Sendable {
    private enum State {
        case running
        case awaited(CheckedContinuation<Void, Never>)
        case ended
    }

    private let state = Mutex(State.running)

    /// Called when the process has ended; a second call changes nothing.
    func mark() {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            defer { state = .ended }
            if case .awaited(let continuation) = state { return continuation }
            return nil
        }
        waiter?.resume()
    }

    /// Returns when the process has ended; for one waiter.
    func wait() async {
        await withCheckedContinuation { continuation in
            let isEnded = state.withLock { state -> Bool in
                switch state {
                case .ended: return true
                case .running:
                    state = .awaited(continuation)
                    return false
                case .awaited: preconditionFailure("two tasks wait for the end of one process")
                }
            }
            if isEnded { continuation.resume() }
        }
    }
}
